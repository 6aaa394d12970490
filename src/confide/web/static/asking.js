// Reading answers off a page's questions, saying what is missing, and wiping them.

import { numberIn, stepsAbove, written } from "./words.js";

export const at = (id) => document.getElementById(id);

export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// The chosen option's number or the number entered; null where nothing was.
function given(question, texts) {
  const box = question.querySelector("input[type=checkbox]"); // one of several: ticked means yes
  if (box) return Number(box.checked);
  const number = question.querySelector("input[type=text]");
  const chosen = number ?? question.querySelector("input:checked, select");
  if (!chosen || chosen.value.trim() === "") return null;
  return number ? numberIn(number.value, texts) : Number(chosen.value);
}

// The same; what may be left out counts as "prefer not to say", and a number then as its stand-in.
export const answerOf = (field, question, texts) => given(question, texts)
  ?? (field.optional ? field.size - 1 : question.parentElement.querySelector(".decline :checked") ? field.stand_in : null);

// Either a number or "prefer not to say".
export const choosing = () => document.querySelectorAll(".decline input").forEach((box) => {
  const number = box.closest(".block").querySelector("input[type=text]");
  box.onchange = () => { number.value = ""; };
  number.oninput = () => { box.checked = false; };
});

function problem(field, answer, texts) {
  if (answer === null) return texts.missing;
  if (field.options) return "";
  const say = (text, values) => filled(text, Object.fromEntries(
    Object.entries(values).map(([name, number]) => [name, written(number, texts)])));
  if (!(answer >= field.low && answer <= field.high)) return say(texts.out_of_range, { low: field.low, high: field.high });
  return field.grid === null ? "" : offStep(field, answer, (values) => say(texts.off_step, values));
}

// A number between two possible ones is never rounded: the page names its neighbours.
function offStep({ low, high, grid }, answer, say) {
  const steps = (answer - low) / grid;
  const room = grid * 1e-9 + Math.max(Math.abs(low), Math.abs(high)) * 1e-15;
  if (Math.abs(answer - stepsAbove(low, Math.round(steps), grid)) <= room) return "";
  return say({ below: stepsAbove(low, Math.floor(steps), grid), above: stepsAbove(low, Math.ceil(steps), grid) });
}

// All answers; null where one is missing or out of range, and the page says which.
export function answers(fields, texts, drawn = [], within = document) {
  const found = [];
  let first = null;
  within.querySelectorAll(".question").forEach((question) => {
    const q = Number(question.dataset.question);
    found[q] = drawn.includes(q) ? given(question, texts) : answerOf(fields[q], question, texts);
    const error = problem(fields[q], found[q], texts);
    if (error) first ??= question;
    if (error || !question.querySelector("input[type=checkbox]")) question.querySelector(".error").textContent = error;
  });
  if (!first) return found;
  first.querySelector("input, select").focus();
  return null;
}

// Whether the page asks these questions with these options, word for word and in order.
export function asksFor(fields) {
  const asked = [...document.querySelectorAll(".question")];
  return asked.length === fields.length && asked.every((question) => {
    const field = fields[question.dataset.question];
    if (!field || question.querySelector("legend, .legend").textContent !== field.text) return false;
    if ((question.querySelector(".help")?.textContent ?? "") !== field.help) return false;
    if (question.querySelector("input[type=checkbox]")) return field.size === 2;
    const options = [...question.querySelectorAll(".option span, option:not([value=''])")];
    const values = [...question.querySelectorAll("input[type=radio], option:not([value=''])")];
    return JSON.stringify(options.map((each) => each.textContent)) === JSON.stringify(field.options ?? [])
      && values.every((each, code) => Number(each.value) === code);
  });
}

// Whether all else stands on the page as it is sealed, and its sheets in their order.
export function saysAll({ title, said, sections, sheets }) {
  const shown = (all) => JSON.stringify([...document.querySelectorAll(all)].map((each) => each.textContent));
  const asked = (sheet) => [...sheet.querySelectorAll(".question")].map((each) => Number(each.dataset.question));
  const laid = [...document.querySelectorAll(".sheet")].map(asked);
  return shown("h1") === JSON.stringify([title])
    && shown("[data-section]") === JSON.stringify(sections)
    && Object.entries(said).every(([key, text]) => shown(`[data-said=${key}]`) === JSON.stringify(text ? [text] : []))
    && JSON.stringify(laid) === JSON.stringify(sheets.map((sheet) => sheet.questions));
}

// Whether anything was answered.
export const begun = () => document.querySelector(".question input:checked") !== null
  || [...document.querySelectorAll(".question input[type=text], select")].some((input) => input.value !== "");

export function wipe(within) {
  within.querySelectorAll(".question input, select").forEach((input) => {
    if (input.type === "text" || input.tagName === "SELECT") input.value = ""; else input.checked = false;
  });
  within.querySelectorAll(".error").forEach((error) => { error.textContent = ""; });
}

// Nothing stays behind, also when the page is shown again by going back.
export function leaving(forget) {
  addEventListener("pagehide", forget);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  at("exit").addEventListener("click", () => { forget(); location.replace(at("exit").dataset.to); });
}
