// The test of a model. The page lets it guess an answer from the others, and looks whether the
// guess is right: that bit is drawn for, shown and sent as a report is. Answers are never sent.

import { answers, at, leaving, wipe } from "./asking.js";
import { loaded } from "./load.js";
import { code, predict } from "./predict.js";
import { body, hex, reports } from "./report.js";
import { draw, secureWords } from "./sampler.js";
import { SENT, deliver, keep, kept, spent, token } from "./sending.js";
import { told } from "./words.js";

const page = JSON.parse(at("survey").textContent);
const { texts } = page;

let state = null; // the id and the draws: in memory alone
let model;
let parcel = null; // what is to be sent
let waiting = false; // for the answer to it

function stop(key) {
  at("stop").textContent = texts[key];
  at("stop").hidden = false;
}

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (!page.open) return stop("trial_closed");
  if (page.key && !token()) return stop("trial_uninvited");
  const before = kept(page.design);
  if (before === SENT) return stop("trial_already");
  at("send").addEventListener("click", send);
  if (before) return again(before);
  if (page.key && await spent("./test/invitation")) return stop("spent");
  state = {
    id: hex(crypto.getRandomValues(new Uint8Array(16))),
    draws: draw(page.blocks.map((block) => block.weights), secureWords()),
  };
  try { model = await loaded(); } catch { return stop("model_unloaded"); }
  at("asked").hidden = false;
  at("lock").addEventListener("click", lock);
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
  present({ bytes: body(page, state.id, [], codes) });
}

function present(given, status = "") {
  parcel = given;
  const { bytes } = given;
  at("told").replaceChildren(...told(page.fields, JSON.parse(bytes).report.map(Number), texts));
  at("bytes").textContent = bytes;
  at("exactly").open = false;
  at("status").textContent = status;
  show("review");
  at("reviewed").focus();
}

// No answer came back before the page was loaded again: the same bytes, and no others.
function again(before) {
  at("discard").hidden = true;
  present(before, texts.unsent);
}

async function send() {
  at("send").disabled = true;
  at("status").textContent = texts.sending;
  const sent = parcel;
  waiting = true;
  const paths = { report: "./test", ticket: "./test/ticket" };
  const problem = await deliver(sent, page, paths, (text) => { at("status").textContent = text; });
  waiting = false;
  if (problem === "") return finish();
  keep(page.design, sent);
  at("status").textContent = problem;
  at("send").disabled = false;
}

function finish() {
  keep(page.design, SENT);
  state = null;
  forget();
  at("review").hidden = true;
  at("status").textContent = texts.trial_done;
}

function forget() {
  parcel = null;
  wipe(document);
  at("told").replaceChildren();
  at("bytes").textContent = "";
  at("status").textContent = "";
}

leaving(() => {
  if (waiting) keep(page.design, parcel); // it may arrive though the answer is not heard
  forget();
});
addEventListener("hashchange", () => location.reload()); // another invitation
begin();
