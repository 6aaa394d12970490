// The respondent's page. Answers live in its inputs alone; nothing leaves before Send.

import { below, disguise, draw, secureWords } from "./sampler.js";
import { body, hex, receiptId, reports } from "./report.js";
import { told } from "./words.js";

const survey = JSON.parse(document.getElementById("survey").textContent);
const at = (id) => document.getElementById(id);
const filled = (key, values) =>
  survey.texts[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const words = secureWords();

// What is kept over a reload: the receipt and the draw, never an answer. So nothing is drawn twice.
const KEY = `confide ${survey.design}`;
function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; }
}
function keep(state) {
  try { sessionStorage.setItem(KEY, JSON.stringify(state)); } catch { /* then in memory alone */ }
  return state;
}

let state;
let locked = null;

function show(section) {
  for (const each of ["intro", "questions", "review", "done"]) at(each).hidden = each !== section;
  at(section).querySelector("h2").focus();
  scrollTo(0, 0);
}

function stop(key) {
  at("stop").textContent = survey.texts[key];
  at("stop").hidden = false;
}

function begin() {
  if (!isSecureContext) return stop("insecure");
  if (!survey.open) return stop("closed");
  if (survey.invitation && !token()) return stop("uninvited");
  state = kept();
  if (state?.sent) return stop("already");
  state ??= keep({
    receipt: hex(crypto.getRandomValues(new Uint8Array(16))),
    draws: draw(survey.blocks.map((block) => block.weights), words),
  });
  at("begin").hidden = false;
  practise();
  at("consent")?.addEventListener("change", () => { at("start").disabled = !at("consent").checked; });
  at("start").addEventListener("click", () => show("questions"));
  at("lock").addEventListener("click", lock);
  at("send").addEventListener("click", send);
  at("discard").addEventListener("click", () => { discard(); show("questions"); });
  at("own-all")?.addEventListener("change", () => {
    document.querySelectorAll(".own").forEach((box) => { box.checked = at("own-all").checked; byHand(box); });
  });
  document.querySelectorAll(".own").forEach((box) => box.addEventListener("change", () => byHand(box)));
}

function token() {
  return /^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : "";
}

// A draw that everyone may see, as often as they like; it has nothing to do with the real one.
function practise() {
  if (!at("practice")) return;
  at("practice").hidden = false;
  const [row] = survey.practice.questions[0];
  const total = row[0].reduce((sum, weight) => sum + weight, 0);
  at("practice").querySelectorAll("button").forEach((button, answer) => {
    button.addEventListener("click", () => {
      const drawn = below(total, words);
      const [report] = disguise(survey.practice, [0, drawn], [answer]);
      const said = [survey.texts.no, survey.texts.yes];
      at("practice-result").textContent = filled("practice_result", {
        drawn: drawn + 1, total, answer: said[answer], report: said[report],
      });
    });
  });
}

// By hand or by the browser: what was chosen for the one must never be sent as the other.
function byHand(box) {
  const block = box.closest(".block");
  block.querySelector(".by-hand").hidden = !box.checked;
  wipe(block);
}

function wipe(within) {
  within.querySelectorAll(".question input, select").forEach((input) => {
    if (input.type === "radio") input.checked = false; else input.value = "";
  });
  within.querySelectorAll(".error").forEach((error) => { error.textContent = ""; });
}

// The chosen option's number or the number entered; null where nothing was.
function answer(question) {
  const chosen = question.querySelector("input:checked") ?? question.querySelector("select, input[type=number]");
  if (!chosen || chosen.value === "") return null;
  return Number(chosen.value);
}

function lock() {
  const answers = [];
  let first = null;
  document.querySelectorAll(".question").forEach((question) => {
    const q = Number(question.dataset.question);
    const field = survey.fields[q];
    answers[q] = answer(question) ?? (field.optional ? field.size - 1 : null);
    const error = problem(field, answers[q]);
    question.querySelector(".error").textContent = error;
    if (error) first ??= question;
  });
  if (first) return first.querySelector("input, select").focus();
  const own = [...document.querySelectorAll(".own:checked")].map((box) => Number(box.closest(".block").dataset.block));
  review(own, reports(survey, state.draws, own, answers));
}

function problem(field, given) {
  if (given === null) return survey.texts.missing;
  if (field.options || (given >= field.low && given <= field.high)) return "";
  return filled("out_of_range", field);
}

async function review(own, codes) {
  locked = body(survey, await receiptId(state.receipt), token(), own, codes);
  at("told").replaceChildren(...told(survey.fields, codes));
  at("bytes").textContent = locked;
  at("status").textContent = "";
  show("review");
}

// The offline form has no way to send: the same bytes become a file.
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([locked], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  finish();
}

async function send() {
  if (survey.offline) return save();
  at("send").disabled = true;
  at("status").textContent = survey.texts.sending;
  try {
    const response = await fetch("/report", {
      method: "POST", body: locked, headers: { "Content-Type": "application/json" },
      credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
    });
    if (response.ok) return finish();
    const { error } = await response.json();
    at("status").textContent = response.status < 500 ? filled("refused", { reason: error }) : survey.texts.unsent;
  } catch {
    at("status").textContent = survey.texts.unsent;
  }
  at("send").disabled = false;
}

function finish() {
  at("receipt").textContent = state.receipt.match(/.{4}/g).join(" ");
  keep({ sent: true });
  state = null;
  discard();
  at("status").textContent = "";
  show("done");
}

function discard() {
  locked = null;
  wipe(document);
  at("told").replaceChildren();
  at("bytes").textContent = "";
}

// Nothing stays behind: not when the page is left, not when it is shown again by going back.
addEventListener("pagehide", discard);
addEventListener("hashchange", () => location.reload()); // another invitation
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its invitation
  at("main").focus();
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
at("exit").addEventListener("click", () => { discard(); location.replace(at("exit").dataset.to); });
begin();
