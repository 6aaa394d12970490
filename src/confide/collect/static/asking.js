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

function problem(field, answer, texts) {
  if (answer === null) return texts.missing;
  if (field.options || (answer >= field.low && answer <= field.high)) return "";
  return filled(texts.out_of_range, field);
}

// All answers, one a field; null where one is missing or out of range, and the page says which.
export function answers(fields, texts) {
  const questions = [...document.querySelectorAll(".question")];
  const found = questions.map((question, q) => given(question) ?? (fields[q].optional ? fields[q].size - 1 : null));
  const problems = found.map((answer, q) => problem(fields[q], answer, texts));
  questions.forEach((question, q) => { question.querySelector(".error").textContent = problems[q]; });
  const first = problems.findIndex((each) => each !== "");
  if (first < 0) return found;
  questions[first].querySelector("input, select").focus();
  return null;
}

export function wipe() {
  document.querySelectorAll(".question input, .question select").forEach((input) => {
    if (input.type === "radio") input.checked = false; else input.value = "";
  });
  document.querySelectorAll(".error").forEach((error) => { error.textContent = ""; });
}

// The published model. It is asked for when the page is, whatever is answered later.
export async function loaded() {
  const response = await fetch("/model.json", { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  if (!response.ok) throw new Error("the model could not be loaded");
  return response.json();
}

// Nothing stays behind: not when the page is left, not when it is shown again by going back.
export function leaving(forget) {
  addEventListener("pagehide", forget);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  at("exit").addEventListener("click", () => { forget(); location.replace(at("exit").dataset.to); });
}
