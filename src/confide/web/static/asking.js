// Reading answers off a page's questions, saying what is missing, and wiping them.

import { numberIn, stepsAbove, written } from "./words.js";

export const at = (id) => document.getElementById(id);

export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// The chosen option's number or the number entered; null where nothing was.
function given(question, texts) {
  const number = question.querySelector("input[type=text]");
  const chosen = number ?? question.querySelector("input:checked, select");
  if (!chosen || chosen.value.trim() === "") return null;
  return number ? numberIn(number.value, texts) : Number(chosen.value);
}

function problem(field, answer, texts) {
  if (answer === null) return texts.missing;
  if (field.options) return "";
  const say = (text, values) => filled(text, Object.fromEntries(
    Object.entries(values).map(([name, number]) => [name, written(number, texts)])));
  if (!(answer >= field.low && answer <= field.high)) return say(texts.out_of_range, { low: field.low, high: field.high });
  return field.grid === null ? "" : offStep(field, answer, (values) => say(texts.off_step, values));
}

// A number between two possible ones is never rounded in silence: the page names its neighbours.
function offStep({ low, high, grid }, answer, say) {
  const steps = (answer - low) / grid;
  const room = grid * 1e-9 + Math.max(Math.abs(low), Math.abs(high)) * 1e-15;
  if (Math.abs(answer - stepsAbove(low, Math.round(steps), grid)) <= room) return "";
  return say({ below: stepsAbove(low, Math.floor(steps), grid), above: stepsAbove(low, Math.ceil(steps), grid) });
}

// All answers, one a field; null where one is missing or out of range, and the page says which.
// What may be left out counts as "prefer not to say", unless the person draws: then it is said.
export function answers(fields, texts, drawn = [], within = document) {
  const found = [];
  let first = null;
  within.querySelectorAll(".question").forEach((question) => {
    const q = Number(question.dataset.question);
    found[q] = given(question, texts) ?? (fields[q].optional && !drawn.includes(q) ? fields[q].size - 1 : null);
    const error = problem(fields[q], found[q], texts);
    question.querySelector(".error").textContent = error;
    if (error) first ??= question;
  });
  if (!first) return found;
  first.querySelector("input, select").focus();
  return null;
}

// Whether the page asks these questions and offers these options, word for word and in order.
export function asksFor(fields) {
  const asked = [...document.querySelectorAll(".question")];
  return asked.length === fields.length && asked.every((question) => {
    const field = fields[question.dataset.question];
    const options = [...question.querySelectorAll(".option span, option:not([value=''])")];
    const values = [...question.querySelectorAll("input[type=radio], option:not([value=''])")];
    return field && question.querySelector("legend, .legend").textContent === field.text
      && JSON.stringify(options.map((each) => each.textContent)) === JSON.stringify(field.options ?? [])
      && values.every((each, code) => Number(each.value) === code);
  });
}

// Whether anything was answered.
export const begun = () => document.querySelector(".question input:checked") !== null
  || [...document.querySelectorAll(".question input[type=text], select")].some((input) => input.value !== "");

export function wipe(within) {
  within.querySelectorAll(".question input, select").forEach((input) => {
    if (input.type === "radio") input.checked = false; else input.value = "";
  });
  within.querySelectorAll(".error").forEach((error) => { error.textContent = ""; });
}

// Nothing stays behind: not when the page is left, not when it is shown again by going back.
export function leaving(forget) {
  addEventListener("pagehide", forget);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  at("exit").addEventListener("click", () => { forget(); location.replace(at("exit").dataset.to); });
}
