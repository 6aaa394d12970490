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

// What tells whether a number is missing, which people are not asked; undefined where it must be given.
export const tellerOf = (survey, question) =>
  (question.kind === "number" && question.missing ? survey.question.find((each) => each.name === question.missing) : undefined);

// The questions that people are asked.
export function asked(survey) {
  const tellers = survey.question.map((each) => tellerOf(survey, each));
  return survey.question.filter((each) => !tellers.includes(each));
}

// Let people keep a number to themselves, or not: it comes and goes with what tells of it.
export function letDecline(survey, question, may) {
  const teller = tellerOf(survey, question);
  if (may === Boolean(teller)) return;
  if (teller) {
    remove(survey, teller);
    delete question.missing;
    return;
  }
  const fresh = { name: free(survey, `no_${question.name}`), kind: "yes-no" };
  survey.question.splice(survey.question.indexOf(question) + 1, 0, fresh);
  question.missing = fresh.name;
  disguise(survey, fresh, 2);
}

// A name that no question has.
function free(survey, name) {
  const taken = survey.question.map((each) => each.name);
  let found = name;
  for (let number = 2; taken.includes(found); number += 1) found = `${name}_${number}`;
  return found;
}

export function disguise(survey, question, index) {
  reveal(survey, question.name);
  const { group } = disguises(question)[index];
  if (group) survey.group = [...(survey.group ?? []), { questions: [question.name], ...group }];
  if (group && question.kind === "number") question.step ??= 1;
  if (!group) letDecline(survey, question, false); // on the web only a number with noise may be missing
}

// Take a question out of its group; the others of the group stay in it.
export function reveal(survey, name) {
  for (const group of survey.group ?? []) group.questions = group.questions.filter((each) => each !== name);
  survey.group = (survey.group ?? []).filter((group) => group.questions.length);
  if (!survey.group.length) delete survey.group;
}

export function setKind(survey, question, kind) {
  letDecline(survey, question, false);
  reveal(survey, question.name);
  for (const key of ["options", "ordered", "codes", "low", "high", "step", "unit", "missing"]) delete question[key];
  question.kind = kind;
  if (kind === "choice") question.options = ["never", "once", "more often"];
  if (kind === "number") Object.assign(question, { low: 0, high: 100, step: 1 });
  disguise(survey, question, kind === "number" ? 0 : 3);
}

export function add(survey) {
  const question = { name: free(survey, `question_${asked(survey).length + 1}`), text: "", kind: "yes-no" };
  survey.question.push(question);
  disguise(survey, question, 3);
  return question;
}

export function remove(survey, question) {
  letDecline(survey, question, false);
  reveal(survey, question.name);
  survey.question = survey.question.filter((each) => each !== question);
  const { page } = survey;
  for (const table of tablesOf(survey)) delete table[question.name];
  if (!page?.section) return;
  for (const section of page.section) section.questions = section.questions.filter((each) => each !== question.name);
  page.section = page.section.filter((section) => section.questions.length && section.only_if?.question !== question.name);
  if (!page.section.length) delete page.section;
}

export function move(survey, question, by) {
  const order = asked(survey);
  const at = order.indexOf(question);
  if (at + by < 0 || at + by >= order.length) return;
  order.splice(at, 1);
  order.splice(at + by, 0, question);
  survey.question = order.flatMap((each) => [each, tellerOf(survey, each)]).filter(Boolean);
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
  for (const table of tablesOf(survey)) rekey(table, old, name);
  for (const each of survey.question) if (each.kind === "number" && each.missing === old) each.missing = name;
  question.name = name;
  const teller = tellerOf(survey, question);
  if (teller?.name === `no_${old}`) rename(survey, teller, free(survey, `no_${name}`));
}

// What the page says of questions, by their names.
function tablesOf({ page = {} }) {
  const words = Object.values(page.translations ?? {});
  return [page.personal, page.help, ...words.flatMap((each) => [each.question, each.personal, each.help])].filter(Boolean);
}

function rekey(table, old, name) {
  if (!table || !(old in table)) return;
  table[name] = table[old];
  delete table[old];
}
