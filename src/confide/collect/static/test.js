// The test of a model. The page lets it guess an answer from the others, and looks whether the
// guess is right: that bit is drawn for, shown and sent as a report is. Answers are never sent.

import { answers, at, filled, leaving, loaded, wipe } from "./asking.js";
import { code, predict } from "./predict.js";
import { body, hex, reports } from "./report.js";
import { draw, secureWords } from "./sampler.js";
import { told } from "./words.js";

const page = JSON.parse(at("survey").textContent);
const { texts } = page;

// What is kept over a reload: an id and the draw, never an answer. So nothing is drawn twice.
const KEY = `confide ${page.design}`;
function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; }
}
function keep(state) {
  try { sessionStorage.setItem(KEY, JSON.stringify(state)); } catch { /* then in memory alone */ }
  return state;
}

let state;
let model;
let locked = null;

function stop(key) {
  at("stop").textContent = texts[key];
  at("stop").hidden = false;
}

const token = () => (/^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : "");

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (!page.open) return stop("trial_closed");
  if (page.invitation && !token()) return stop("trial_uninvited");
  state = kept();
  if (state?.sent) return stop("trial_already");
  state ??= keep({
    id: hex(crypto.getRandomValues(new Uint8Array(16))),
    draws: draw(page.blocks.map((block) => block.weights), secureWords()),
  });
  try { model = await loaded(); } catch { return stop("model_unloaded"); }
  at("asked").hidden = false;
  at("lock").addEventListener("click", lock);
  at("send").addEventListener("click", send);
  at("discard").addEventListener("click", () => { forget(); show("questions"); });
}

function show(section) {
  for (const each of ["questions", "review"]) at(each).hidden = each !== section;
  scrollTo(0, 0);
}

// 1 where the model guesses the last answer from those before it, 0 where it does not.
function right(given) {
  const truth = given.at(-1);
  const codes = model.questions.map((question, q) => code(question, given[q]));
  return Number(predict(model, codes).label === truth);
}

function lock() {
  const given = answers(page.asked, texts);
  if (given === null) return;
  const codes = reports(page, state.draws, [], [right(given)]);
  locked = body(page, state.id, token(), [], codes);
  at("told").replaceChildren(...told(page.fields, codes));
  at("bytes").textContent = locked;
  at("status").textContent = "";
  show("review");
  at("reviewed").focus();
}

async function send() {
  at("send").disabled = true;
  at("status").textContent = texts.sending;
  try {
    const response = await fetch("/model/test", {
      method: "POST", body: locked, headers: { "Content-Type": "application/json" },
      credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
    });
    if (response.ok) return finish();
    const { error } = await response.json();
    at("status").textContent = response.status < 500 ? filled(texts.refused, { reason: error }) : texts.unsent;
  } catch {
    at("status").textContent = texts.unsent;
  }
  at("send").disabled = false;
}

function finish() {
  keep({ sent: true });
  state = null;
  forget();
  at("review").hidden = true;
  at("status").textContent = texts.trial_done;
}

function forget() {
  locked = null;
  wipe();
  at("told").replaceChildren();
  at("bytes").textContent = "";
  at("status").textContent = "";
}

leaving(forget);
addEventListener("hashchange", () => location.reload()); // another invitation
begin();
