// Reading answers off a page's questions, saying what is missing, and wiping them.

export const at = (id) => document.getElementById(id);

export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// The chosen option's number or the number entered; null where nothing was.
function given(question) {
  const chosen = question.querySelector("input:checked") ?? question.querySelector("select, input[type=number]");
  return !chosen || chosen.value === "" ? null : Number(chosen.value);
}

function problem(question, field, answer, texts) {
  if (answer === null) return texts.missing;
  const between = question.querySelector("input[type=number]")?.validity.stepMismatch;
  if (field.options || (answer >= field.low && answer <= field.high && !between)) return "";
  return filled(texts.out_of_range, field);
}

// All answers, one a field; null where one is missing or out of range, and the page says which.
// What may be left out counts as "prefer not to say", unless the person draws: then it is said.
export function answers(fields, texts, drawn = []) {
  const found = [];
  let first = null;
  document.querySelectorAll(".question").forEach((question) => {
    const q = Number(question.dataset.question);
    found[q] = given(question) ?? (fields[q].optional && !drawn.includes(q) ? fields[q].size - 1 : null);
    const error = problem(question, fields[q], found[q], texts);
    question.querySelector(".error").textContent = error;
    if (error) first ??= question;
  });
  if (!first) return found;
  first.querySelector("input, select").focus();
  return null;
}

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
