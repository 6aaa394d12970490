// The page that predicts. Answers live in its inputs alone, and nothing of them is ever sent.

import { answers, at, filled, leaving, wipe } from "./asking.js";
import { loaded } from "./load.js";
import { code, predict } from "./predict.js";

const page = JSON.parse(at("survey").textContent);
const { texts } = page;
let model;

function clear() {
  at("status").textContent = "";
  at("chances").hidden = true;
  at("chances").tBodies[0].replaceChildren();
}

function say() {
  clear();
  const given = answers(page.fields, texts);
  if (given === null) return;
  const { label, chances } = predict(model, given.map((answer, q) => code(model.questions[q], answer)));
  at("status").textContent = filled(texts.model_said, { answer: page.classes[label], count: ofHundred(chances[label]) });
  at("chances").tBodies[0].replaceChildren(...chances.map((chance, c) => row(page.classes[c], chance)));
  at("chances").hidden = false;
}

// So many people of a hundred: nobody is certain.
function ofHundred(chance) {
  if (chance < 0.01) return texts.model_few;
  if (chance > 0.99) return texts.model_most;
  return String(Math.round(100 * chance));
}

function row(answer, chance) {
  const made = document.createElement("tr");
  const name = document.createElement("th");
  Object.assign(name, { scope: "row", dir: "auto", textContent: answer });
  const bar = document.createElement("progress");
  bar.value = chance;
  bar.setAttribute("aria-hidden", "true"); // the number beside it says the same
  const [drawn, told] = [document.createElement("td"), document.createElement("td")];
  drawn.append(bar);
  told.className = "number";
  told.textContent = ofHundred(chance);
  made.append(name, drawn, told);
  return made;
}

function forget() {
  wipe(document);
  clear();
}

at("predict").addEventListener("click", say);
at("wipe").addEventListener("click", forget);
document.querySelector("main").addEventListener("input", clear); // it was about other answers
leaving(forget);
forget();
loaded().then((file) => { model = file; at("predict").disabled = false; })
  .catch(() => { at("status").textContent = texts.model_unloaded; });
