// The page in which a survey is written. All that it shows follows from one value, the survey;
// the server says what that gives away, and shows it to respondents in the frame beside it.

import { add, asked, chosen, disguise, disguises, letDecline, move, remove, rename, setKind, tellerOf } from "./survey_values.js";

const at = (id) => document.getElementById(id);
const given = JSON.parse(at("start").textContent);
const key = location.hash.slice(1);
let survey = structuredClone(given.survey);
let told = { questions: {}, problems: [] };
let asking = 0; // the last question to the server; earlier answers are stale
let looking = null; // the question whose sheet the frame shows; null for the first screen
let waiting = null;
let saved = true;

function made(tag, properties = {}, ...children) {
  const { data = {}, aria = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, data);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  element.append(...children);
  return element;
}

// A labelled control; `changed` gets its value.
function field(label, control, changed, event = "input") {
  control.addEventListener(event, () => { changed(control.type === "checkbox" ? control.checked : control.value); touch(); });
  return made("label", { className: control.type === "checkbox" ? "tick" : "field" }, ...(control.type === "checkbox" ? [control, label] : [made("span", {}, label), control]));
}
const line = (value = "", more = {}) => made("input", { type: "text", value: value ?? "", autocomplete: "off", ...more });
const select = (labels, index) => {
  const control = made("select", {}, ...labels.map((label, i) => made("option", { value: i }, label)));
  control.selectedIndex = index;
  return control;
};
const set = (table, name, value) => { if (value === "" || value === false || value === undefined) delete table[name]; else table[name] = value; };
const number = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? undefined : Number(text));

const KINDS = [["yes-no", "yes or no"], ["choice", "one of several"], ["number", "a number"]];

// A control for the disguise of a question, from the first that is offered on.
function disguiseField(label, question, first, changed) {
  const offered = disguises(question).slice(first);
  const now = chosen(survey, question) - first;
  const labels = [...offered.map((each) => each.label), ...(now < 0 ? ["as the file has it"] : [])];
  return field(label, select(labels, now < 0 ? labels.length - 1 : now), (i) => { if (offered[i]) changed(Number(i) + first); }, "change");
}

function card(question, index) {
  const kinds = KINDS.map(([kind]) => kind);
  const index_of = kinds.indexOf(question.kind);
  const name = `Question ${index + 1}`;
  const button = (label, act, disabled = false) => {
    const control = made("button", { type: "button", disabled, aria: { label: `${label} question ${index + 1}` } }, label);
    control.addEventListener("click", () => { act(); redraw(); touch(); });
    return control;
  };
  const parts = [
    field("What people read", made("textarea", { rows: 2, value: question.text ?? "" }), (text) => set(question, "text", text)),
    made("div", { className: "pair" },
      field("Answers are", select(KINDS.map(([, label]) => label), index_of), (i) => { setKind(survey, question, kinds[i]); redraw(); }, "change"),
      disguiseField("Disguised?", question, 0, (i) => { disguise(survey, question, i); if (question.kind === "number") redraw(); })),
  ];
  if (question.kind === "choice") {
    parts.push(field("Options, one a line", made("textarea", { rows: Math.max(3, question.options.length), value: question.options.join("\n") }),
      (text) => { question.options = text.split("\n").map((each) => each.trim()).filter(Boolean); delete question.codes; }));
    parts.push(field("The options rise, like never, once, often", made("input", { type: "checkbox", checked: !!question.ordered }), (is) => set(question, "ordered", is)));
  }
  if (question.kind === "number") {
    const bound = (label, name) => field(label, line(question[name], { inputMode: "decimal", size: 6 }), (text) => set(question, name, number(text)), "change");
    parts.push(made("div", { className: "pair" }, bound("From", "low"), bound("to", "high"), bound("in steps of", "step"),
      field("Unit", line(question.unit, { size: 8 }), (text) => set(question, "unit", text))));
  }
  const more = [];
  const declining = "“Prefer not to say” is an answer, too";
  if (question.kind === "number") {
    const teller = tellerOf(survey, question);
    const blurred = chosen(survey, question) !== 0;
    more.push(field(declining + (blurred ? "" : ": only for a number under noise"), made("input", { type: "checkbox", checked: !!teller, disabled: !blurred }),
      (is) => { letDecline(survey, question, is); redraw(); }));
    if (teller) more.push(disguiseField("Whether a number is given is disguised", teller, 1, (i) => disguise(survey, teller, i)));
  } else {
    more.push(field(declining, made("input", { type: "checkbox", checked: question.missing === "option" }), (is) => set(question, "missing", is && "option")));
  }
  more.push(field("Short name in the data", line(question.name, { size: 20 }), (text) => { if (text.trim()) { rename(survey, question, text.trim()); box.dataset.name = question.name; } }, "change"));
  const box = made("fieldset", { className: "card", data: { name: question.name } },
    made("legend", {}, name),
    ...parts,
    made("details", {}, made("summary", {}, "More"), ...more),
    made("p", { className: "given" }),
    made("div", { className: "row" }, button("Up", () => move(survey, question, -1), index === 0), button("Down", () => move(survey, question, 1), index === asked(survey).length - 1), button("Remove", () => remove(survey, question), asked(survey).length === 1)));
  box.addEventListener("focusin", () => { looking = question; turn(); });
  return box;
}

function draw() {
  survey.page ??= {};
  const { page } = survey;
  at("about").replaceChildren(
    field("Title", line(survey.title), (text) => set(survey, "title", text)),
    field("Who asks", line(page.organiser), (text) => set(page, "organiser", text)),
    field("What people agree to", made("textarea", { rows: 2, value: page.consent ?? "" }), (text) => set(page, "consent", text)),
    field("Only people with a link of their own can answer, once", made("input", { type: "checkbox", checked: !!page.invitation }), (is) => set(page, "invitation", is)),
  );
  at("questions").replaceChildren(...asked(survey).map(card));
  say();
}

// Draw anew; what is unfolded stays so, and the keyboard at the same control, or as near as can be.
function redraw() {
  const controls = (box) => [...box.querySelectorAll("textarea, select, input, summary, button")];
  const boxes = [...at("questions").children];
  const left = boxes.findIndex((box) => box.contains(document.activeElement));
  const place = left < 0 ? -1 : controls(boxes[left]).indexOf(document.activeElement);
  const unfolded = boxes.filter((box) => box.querySelector("details").open).map((box) => box.dataset.name);
  draw();
  const now = [...at("questions").children];
  for (const each of now) each.querySelector("details").open = unfolded.includes(each.dataset.name);
  if (left < 0) return;
  const box = now.find((each) => each.dataset.name === boxes[left].dataset.name) ?? now[Math.min(left, now.length - 1)];
  const all = controls(box);
  [all[place], ...all.slice(place), ...all].find((each) => each && !each.disabled).focus();
}

// Say beside each question, and below, what the server worked out.
function say() {
  for (const box of at("questions").children) {
    const found = told.questions[box.dataset.name];
    const people = found?.people ? ` To know each share to 5 points takes ${found.people.toLocaleString("en")} people.` : "";
    box.querySelector(".given").textContent = found ? found.given + people : "";
  }
  at("people").textContent = told.people ? `${told.people.toLocaleString("en")} people give every share to 5 points, give or take; ${(told.people * 4).toLocaleString("en")} would give twice that precision.` : "";
  at("given").replaceChildren(...(told.given ?? []).map((each) => made("li", {}, each)));
  at("all-given").hidden = !told.given?.length;
  at("problems").replaceChildren(...told.problems.map((each) => made("li", {}, each)));
  at("unsound").hidden = !told.problems.length;
}

async function post(path) {
  const sent = structuredClone(survey);
  if (sent.page && !Object.keys(sent.page).length) delete sent.page;
  const answer = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, cache: "no-store",
    body: JSON.stringify({ key, survey: sent }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

function touch() {
  saved = false;
  at("status").textContent = "Not saved yet.";
  clearTimeout(waiting);
  waiting = setTimeout(look, 350);
}

async function look() {
  const mine = asking += 1;
  try {
    const answer = await post("/new/draft");
    if (mine !== asking) return;
    told = answer;
    say();
    at("frame").contentWindow.location.reload();
  } catch (error) {
    at("status").textContent = error.message;
  }
}

// Show the sheet of the question that is written in the frame, whatever has been answered there.
function turn() {
  const sheet = told.questions[looking?.name]?.sheet ?? -1;
  const page = at("frame").contentDocument;
  const sheets = [...page.querySelectorAll(".sheet")];
  if (!sheets.length) return;
  const first = !sheets[sheet];
  page.getElementById("intro").hidden = !first;
  page.getElementById("questions").hidden = first;
  sheets.forEach((each, i) => { each.hidden = i !== sheet; });
  Object.assign(page.getElementById("bar"), { max: sheets.length, value: sheet + 1 });
}

at("frame").addEventListener("load", () => setTimeout(turn, 150));
at("add").addEventListener("click", () => {
  add(survey);
  draw();
  touch();
  at("questions").lastElementChild.querySelector("textarea").focus();
});
at("save").addEventListener("click", async () => {
  try {
    const { saved: path, sound } = await post("/new/save");
    saved = true;
    at("status").textContent = `Saved to ${path}. ${sound ? `Next: confide serve ${path}` : "It cannot be served yet: see what is missing."}`;
  } catch (error) {
    at("status").textContent = error.message;
  }
});
at("worked").addEventListener("change", ({ target }) => {
  const found = given.worked.find((each) => each.name === target.value);
  survey = structuredClone(found ? found.survey : given.survey);
  looking = null;
  draw();
  touch();
});
addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });

for (const each of given.worked) at("worked").append(made("option", { value: each.name }, each.about));
draw();
look();
