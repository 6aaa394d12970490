// A survey as plain values, with the keys of a survey file, and all that clicking does to it.

// The disguises that are offered for a kind of question; others stay as the file has them.
export function disguises(question) {
  const clear = { label: "no, sent as it is" };
  if (question.kind === "yes-no") {
    return [clear, ...[["9/10", "9 of 10"], ["4/5", "4 of 5"], ["3/4", "3 of 4"], ["2/3", "2 of 3"]].map(([truth, words]) =>
      ({ label: `${words} are true, the rest turned`, group: { mechanism: "related-question", truth } }))];
  }
  if (question.kind === "choice") {
    return [clear, ...[["4/5", "4 of 5"], ["7/10", "7 of 10"], ["3/5", "3 of 5"], ["1/2", "1 of 2"]].map(([keep, words]) =>
      ({ label: `${words} are true, the rest another`, group: { mechanism: "randomized-choice", keep } }))];
  }
  const span = question.high - question.low;
  return [clear, ...[[0.1, "a little"], [0.2, "some"], [0.4, "much"]].map(([part, words]) =>
    ({ label: `by ${words} noise`, group: { mechanism: "laplace-noise", scale: Number((span * part).toPrecision(2)) } }))];
}

export const groupOf = (survey, name) => (survey.group ?? []).find((group) => group.questions.includes(name));

const sameGroup = (group, wanted) => Object.entries(wanted).every(([key, value]) => group[key] === value);

// Which of the offered disguises a question has; -1 where the file has another one.
export function chosen(survey, question) {
  const group = groupOf(survey, question.name);
  if (!group) return 0;
  if (group.questions.length > 1) return -1;
  return disguises(question).findIndex((each) => each.group && sameGroup(group, each.group));
}

export function disguise(survey, question, index) {
  reveal(survey, question.name);
  const { group } = disguises(question)[index];
  if (group) survey.group = [...(survey.group ?? []), { questions: [question.name], ...group }];
  if (group && question.kind === "number") question.step ??= 1;
}

// Take a question out of its group; the others of the group stay in it.
export function reveal(survey, name) {
  for (const group of survey.group ?? []) group.questions = group.questions.filter((each) => each !== name);
  survey.group = (survey.group ?? []).filter((group) => group.questions.length);
  if (!survey.group.length) delete survey.group;
}

export function setKind(survey, question, kind) {
  reveal(survey, question.name);
  for (const key of ["options", "ordered", "codes", "low", "high", "step", "unit", "missing"]) delete question[key];
  question.kind = kind;
  if (kind === "choice") question.options = ["never", "once", "more often"];
  if (kind === "number") Object.assign(question, { low: 0, high: 100, step: 1 });
  disguise(survey, question, kind === "number" ? 0 : 3);
}

export function add(survey) {
  const names = survey.question.map((question) => question.name);
  let number = survey.question.length + 1;
  while (names.includes(`question_${number}`)) number += 1;
  const question = { name: `question_${number}`, text: "", kind: "yes-no" };
  survey.question.push(question);
  disguise(survey, question, 3);
  return question;
}

export function remove(survey, question) {
  reveal(survey, question.name);
  survey.question = survey.question.filter((each) => each !== question);
  const { page } = survey;
  if (!page?.section) return;
  for (const section of page.section) section.questions = section.questions.filter((each) => each !== question.name);
  page.section = page.section.filter((section) => section.questions.length && section.only_if?.question !== question.name);
  if (!page.section.length) delete page.section;
}

export function move(survey, question, by) {
  const at = survey.question.indexOf(question);
  const to = at + by;
  if (to < 0 || to >= survey.question.length) return;
  survey.question.splice(at, 1);
  survey.question.splice(to, 0, question);
}

// Give a question another name, everywhere.
export function rename(survey, question, name) {
  const old = question.name;
  const renamed = (each) => (each === old ? name : each);
  for (const each of [...(survey.group ?? []), ...(survey.page?.section ?? [])]) {
    each.questions = each.questions.map(renamed);
    if (each.only_if) each.only_if.question = renamed(each.only_if.question);
    for (const key of ["personal", "forced"]) rekey(each[key], old, name);
  }
  for (const key of ["personal", "help"]) rekey(survey.page?.[key], old, name);
  for (const words of Object.values(survey.page?.translations ?? {})) {
    for (const key of ["question", "personal", "help"]) rekey(words[key], old, name);
  }
  question.name = name;
}

function rekey(table, old, name) {
  if (!table || !(old in table)) return;
  table[name] = table[old];
  delete table[old];
}
