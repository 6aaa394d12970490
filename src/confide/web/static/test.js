// The test of a model. The page lets it guess an answer from the others, and looks whether the
// guess is right: that bit is drawn for, shown and sent as a report is. Answers are never sent.

import { answers, at, leaving, wipe } from "./asking.js";
import { loaded } from "./load.js";
import { code, predict } from "./predict.js";
import { body, hex, reports } from "./report.js";
import { draw, secureWords } from "./sampler.js";
import { keep, kept, post, spent, token } from "./sending.js";
import { told } from "./words.js";

const page = JSON.parse(at("survey").textContent);
const { texts } = page;

let state;
let model;
let locked = null;

function stop(key) {
  at("stop").textContent = texts[key];
  at("stop").hidden = false;
}

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (!page.open) return stop("trial_closed");
  if (page.invitation && !token()) return stop("trial_uninvited");
  state = kept(page.design);
  if (state?.sent) return stop("trial_already");
  if (page.invitation && !state?.tried && await spent("/model/test/invitation")) return stop("spent");
  state ??= keep(page.design, {
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
  at("told").replaceChildren(...told(page.fields, codes, texts));
  at("bytes").textContent = locked;
  at("status").textContent = "";
  show("review");
  at("reviewed").focus();
}

async function send() {
  at("send").disabled = true;
  at("status").textContent = texts.sending;
  keep(page.design, Object.assign(state, { tried: true })); // it may arrive though no answer comes back
  const problem = await post("/model/test", locked, page);
  if (problem === "") return finish();
  at("status").textContent = problem;
  at("send").disabled = false;
}

function finish() {
  keep(page.design, { sent: true });
  state = null;
  forget();
  at("review").hidden = true;
  at("status").textContent = texts.trial_done;
}

function forget() {
  locked = null;
  wipe(document);
  at("told").replaceChildren();
  at("bytes").textContent = "";
  at("status").textContent = "";
}

leaving(forget);
addEventListener("hashchange", () => location.reload()); // another invitation
begin();
