// The respondent's page. Answers live in its inputs alone; nothing of them leaves before Send.

import { answers, asksFor, at, filled, leaving, wipe } from "./asking.js";
import { cards, honest, paragraphs, practiceWeights } from "./explaining.js";
import { below, disguise, draw, secureWords } from "./sampler.js";
import { body, hex, receiptId, reports, sealOf } from "./report.js";
import { SENT, broken, deliver, keep, kept, seal, spent, token } from "./sending.js";
import { told } from "./words.js";

// All that is asked, drawn and explained comes from one sealed text; the rest cannot replace it.
const sealed = at("survey").textContent;
const survey = { ...JSON.parse(at("terms").textContent), ...JSON.parse(sealed) };
const words = secureWords();

let state = null; // the receipt and the draws: in memory alone
let parcel = null; // what is to be sent
let waiting = false; // for the answer to it

function show(section) {
  for (const each of ["intro", "questions", "review", "done"]) at(each).hidden = each !== section;
  at(section).querySelector("h2").focus();
  scrollTo(0, 0);
}

function stop(key) {
  at("stop").textContent = survey.texts[key];
  at("stop").hidden = false;
}

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (broken()) return stop("broken");
  at("seal").textContent = await sealOf(sealed);
  const vouched = !seal() || seal() === at("seal").textContent;
  if (!vouched || !asksFor(survey.fields) || !survey.blocks.every(honest)) {
    at("offline")?.remove(); // it comes from the same server
    return stop("altered");
  }
  tell();
  if (!survey.open) return stop("closed");
  const invited = survey.invitation && !survey.offline;
  if (invited && !token()) return stop("uninvited");
  const before = kept(survey.design);
  if (before === SENT) return stop("already");
  at("send").addEventListener("click", send);
  if (before) return again(before);
  if (invited && await spent("/invitation")) return stop("spent");
  if (invited) at("upload").hash = location.hash;
  state = {
    receipt: hex(crypto.getRandomValues(new Uint8Array(16))),
    draws: draw(survey.blocks.map((block) => block.weights), words),
  };
  at("begin").hidden = false;
  practise();
  at("consent")?.addEventListener("change", () => { at("start").disabled = !at("consent").checked; });
  at("start").addEventListener("click", () => show("questions"));
  at("lock").addEventListener("click", lock);
  at("discard").addEventListener("click", () => { discard(); show("questions"); });
  at("own-all")?.addEventListener("change", () => {
    document.querySelectorAll(".own").forEach((box) => { box.checked = at("own-all").checked; byHand(box); });
  });
  document.querySelectorAll(".own").forEach((box) => {
    box.checked = false; // nobody draws by hand who has not said so
    box.addEventListener("change", () => byHand(box));
  });
}

// What happens to the answers, from the weights that they are drawn with.
function tell() {
  at("lead").replaceChildren(...paragraphs(survey.lead));
  at("lead").firstChild.className = "lead";
  at("cards").replaceChildren(...cards(survey));
  at("total").append(...paragraphs(survey.total));
  at("total").hidden = !survey.total.length;
  at("review-note").textContent = survey.review;
}

// A draw that everyone may see, as often as they like; it has nothing to do with the real one.
function practise() {
  const weights = practiceWeights(survey);
  if (!weights) return;
  at("practice").hidden = false;
  const [[[row]]] = weights.questions;
  const total = row[0] + row[1];
  at("practice").querySelectorAll("button").forEach((button, answer) => {
    button.addEventListener("click", () => {
      const drawn = below(total, words);
      const [report] = disguise(weights, [0, drawn], [answer]);
      const said = [survey.texts.no, survey.texts.yes];
      at("practice-result").textContent = filled(survey.texts.practice_result, {
        drawn: drawn + 1, total, answer: said[answer], report: said[report],
      });
    });
  });
}

// By hand or by the browser: what was chosen for the one must never be sent as the other.
function byHand(box) {
  const block = box.closest(".block");
  block.querySelector(".by-hand").hidden = !box.checked;
  block.querySelectorAll(".optional").forEach((hint) => { hint.hidden = box.checked; });
  wipe(block);
}

function lock() {
  const own = [...document.querySelectorAll(".own:checked")].map((box) => Number(box.closest(".block").dataset.block));
  const given = answers(survey.fields, survey.texts, own.flatMap((b) => survey.blocks[b].questions));
  if (given === null) return;
  review(own, reports(survey, state.draws, own, given));
}

async function review(own, codes) {
  present({ bytes: body(survey, await receiptId(state.receipt), own, codes) });
}

// What is to be sent, folded away: nobody should draw until it looks harmless.
function present(given, status = "") {
  parcel = given;
  const { bytes } = given;
  at("told").replaceChildren(...told(survey.fields, JSON.parse(bytes).report.map(Number), survey.texts));
  at("bytes").textContent = bytes;
  at("exactly").open = false;
  at("status").textContent = status;
  show("review");
}

// No answer came back before the page was loaded again: the same bytes, and no others.
function again(before) {
  at("discard").hidden = true;
  present(before, survey.texts.unsent);
}

// The offline form has no way to send: the same bytes become a file.
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([parcel.bytes], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  finish();
}

async function send() {
  if (survey.offline) return save();
  at("send").disabled = at("discard").disabled = true;
  at("status").textContent = survey.texts.sending;
  const sent = parcel;
  waiting = true;
  const say = (text) => { at("status").textContent = text; };
  const problem = await deliver(sent, survey, { report: "/report", ticket: "/ticket" }, say);
  waiting = false;
  if (problem === "") return finish();
  keep(survey.design, sent);
  at("status").textContent = problem;
  at("send").disabled = at("discard").disabled = false;
}

function finish() {
  at("receipt").textContent = state?.receipt.match(/.{4}/g).join(" ");
  at("receipt-held").hidden = !state;
  at("receipt-lost").hidden = Boolean(state);
  keep(survey.design, SENT);
  state = null;
  discard();
  at("status").textContent = "";
  show("done");
}

function discard() {
  parcel = null;
  wipe(document);
  at("told").replaceChildren();
  at("bytes").textContent = "";
}

leaving(() => {
  if (waiting) keep(survey.design, parcel); // it may arrive though the answer is not heard
  discard();
});
addEventListener("hashchange", () => location.reload()); // another invitation
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its invitation
  at("main").focus();
});
begin();
