// One step after the other: the introduction, sheets of questions, the review. The browser's own
// Back and Forward walk the same way; its history holds the number of a step, and no answer.

import { at, filled } from "./asking.js";

let furthest = 0;
let entering = null; // what shows a step, while one may still walk

export function show(section) {
  for (const each of ["intro", "questions", "review", "done"]) at(each).hidden = each !== section;
  at(section).querySelector("h2").focus();
  scrollTo(0, 0);
}

// Walk from the first step; `entered` shows the one that is walked to.
export function walk(entered) {
  history.replaceState(null, "");
  entering = entered;
  addEventListener("popstate", ({ state }) => entering?.(Math.min(state?.step ?? 0, furthest)));
  document.querySelectorAll(".back").forEach((button) => button.addEventListener("click", () => history.back()));
}

export function go(step) {
  furthest = Math.max(furthest, step);
  history.pushState({ step }, "");
  entering(step);
}

// From here nothing leads back.
export function hold(section) {
  entering = null;
  show(section);
}

// Show one sheet of all, and how far it is: "3 of 11".
export function showSheet(sheets, sheet, texts) {
  for (const each of sheets) each.hidden = each !== sheet;
  const count = (some) => some.reduce((sum, each) => sum + each.querySelectorAll(".question:not(.decline)").length, 0);
  const before = count(sheets.slice(0, sheets.indexOf(sheet)));
  const [first, last, total] = [before + 1, before + count([sheet]), count(sheets)];
  at("progress").textContent = filled(first === last ? texts.progress : texts.progress_some, { first, last, total });
  Object.assign(at("bar"), { max: total, value: last });
  show("questions");
}
