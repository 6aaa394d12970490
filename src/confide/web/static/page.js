// The respondent's page. Answers live in its inputs alone; nothing of them leaves before Send.

import { answerOf, answers, asksFor, at, begun, choosing, leaving, saysAll, wipe } from "./asking.js";
import { honest } from "./explaining.js";
import { cards, made, paragraphs, protection } from "./picturing.js";
import { practise } from "./practising.js";
import { draw, secureWords } from "./sampler.js";
import { body, hex, receiptId, reports, sealOf, unasked } from "./report.js";
import { SENT, broken, deliver, keep, kept, seal, spent, token } from "./sending.js";
import { go, hold, show, showSheet, walk } from "./steps.js";
import { told } from "./words.js";

// All comes from one sealed text, and from words whose hash stands in it.
const sealed = at("survey").textContent;
const spoken = at("words").textContent;
const survey = { ...JSON.parse(at("terms").textContent), ...JSON.parse(spoken), ...JSON.parse(sealed) };
survey.fields = survey.fields.map((field, q) => ({ ...field, ...JSON.parse(spoken).fields[q] }));
const words = secureWords();
const sheets = [...document.querySelectorAll(".sheet")];

let state = null; // the receipt and the draws: in memory alone
let parcel = null; // what is to be sent
let waiting = false; // for the answer to it
let changing = false; // one answer, on the way back to the review

function stop(key) {
  at("stop").textContent = survey.texts[key];
  at("stop").hidden = false;
}

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (broken()) return stop("broken");
  at("seal").textContent = await sealOf(sealed);
  if (!await vouched() || !asksFor(survey.fields) || !saysAll(survey) || !survey.blocks.every((block) => honest(block, survey))) {
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
  if (invited && await spent("./invitation")) return stop("spent");
  if (invited) at("upload").hash = location.hash;
  state = {
    receipt: hex(crypto.getRandomValues(new Uint8Array(16))),
    draws: draw(survey.blocks.map((block) => block.weights), words),
  };
  listen();
  practise(survey, words);
  at("begin").hidden = false;
}

// Whether the link names this very survey, and the survey these very words.
async function vouched() {
  const named = !seal() || seal() === at("seal").textContent;
  return named && survey.words[survey.language] === await sealOf(spoken);
}

// What happens to the answers, from the weights that they are drawn with.
function tell() {
  const [lead, ...more] = survey.lead;
  at("lead").textContent = lead;
  at("more").replaceChildren(...paragraphs(more));
  at("cards").replaceChildren(...cards(survey));
  at("total").append(...paragraphs(survey.total));
  at("total").hidden = !survey.total.length;
  at("review-note").textContent = survey.review;
  for (const block of document.querySelectorAll(".block")) {
    const told = blocksOf(block).slice(0, block.querySelector(".decline") ? 2 : 1);
    block.querySelector(".protection").append(...told.flatMap((b) => protection(survey, survey.blocks[b])));
  }
}

const blocksOf = (card) => card.dataset.blocks.split(" ").map(Number);

function listen() {
  walk(enter);
  choosing();
  if (at("own")) at("own").checked = false; // nobody draws by hand who has not said so
  at("own")?.addEventListener("change", byHand);
  at("consent")?.addEventListener("change", () => { at("start").disabled = !at("consent").checked; });
  at("start").addEventListener("click", () => go(1));
  at("next").addEventListener("click", next);
  at("questions").addEventListener("keydown", ({ key, target }) => { if (key === "Enter" && target.type === "text") next(); });
  at("discard").addEventListener("click", () => { discard(); go(1); });
  at("asked").append(...sheets.map((sheet, i) => {
    const textContent = [...sheet.querySelectorAll("legend, .question:not(.decline) .legend")].map((each) => each.textContent).join(" · ");
    const button = made("button", { type: "button", className: "link", dir: "auto", textContent });
    button.addEventListener("click", () => { changing = true; go(i + 1); });
    return made("li", {}, button);
  }));
}

// Step 0 is the introduction; then comes a step for each sheet, and last the review.
function enter(step) {
  if (step === 0) return show("intro");
  if (step > sheets.length) return review();
  at("next").textContent = changing || step === sheets.length ? survey.texts.to_review : survey.texts.next;
  showSheet(sheets, sheets[step - 1], survey.texts);
}

function next() {
  const sheet = sheets.findIndex((each) => !each.hidden);
  if (!read(sheets[sheet])) return;
  changing &&= !survey.sheets.some(({ only_if: condition }) => survey.sheets[sheet].questions.includes(condition?.[0]));
  const following = changing ? -1 : sheets.findIndex((each, i) => i > sheet && isAsked(each));
  go(following < 0 ? sheets.length + 1 : following + 1);
}

// A sheet may be asked only after an answer in the clear.
function isAsked(sheet) {
  const { only_if: condition } = survey.sheets[sheets.indexOf(sheet)];
  if (!condition) return true;
  const [q, answer] = condition;
  const question = document.querySelector(`[data-question="${q}"]`);
  return isAsked(question.closest(".sheet")) && answerOf(survey.fields[q], question, survey.texts) === answer;
}

// What was chosen by hand is never sent as the browser's, nor the other way.
function byHand() {
  const own = at("own").checked;
  if (at("own-not")) at("own-not").hidden = !own;
  document.querySelectorAll(".by-hand, .by-browser").forEach((each) => { each.hidden = !own; });
  document.querySelectorAll(".block:has(.by-hand)").forEach((block) => {
    block.querySelectorAll(".optional").forEach((hint) => { hint.hidden = own; });
    wipe(block);
  });
}

// The blocks for which the person draws.
function own() {
  if (!at("own")?.checked) return [];
  return sheets.filter(isAsked).flatMap((sheet) => [...sheet.querySelectorAll(".block:has(.by-hand)")]).flatMap(blocksOf);
}

// What a sheet's answers are; null where one is missing. Who draws leaves nothing out.
function read(sheet) {
  const drawn = at("own")?.checked ? [...sheet.querySelectorAll(".block:has(.by-hand) .question")].map((each) => Number(each.dataset.question)) : [];
  return answers(survey.fields, survey.texts, drawn, sheet);
}

// Lock the answers in by the draws made before; where one is missing, ask for it.
async function review() {
  changing = false;
  const missing = sheets.findIndex((sheet) => isAsked(sheet) && !read(sheet));
  if (missing >= 0) {
    enter(missing + 1);
    return read(sheets[missing]);
  }
  const given = survey.fields.map(unasked);
  sheets.filter(isAsked).forEach((sheet) => Object.assign(given, read(sheet)));
  const codes = reports(survey, state.draws, own(), given);
  [...at("asked").children].forEach((each, i) => { each.hidden = !isAsked(sheets[i]); });
  present({ bytes: body(survey, await receiptId(state.receipt), own(), codes) });
  return show("review");
}

// Folded away: nobody should draw until it looks harmless.
function present(given, status = "") {
  parcel = given;
  const { bytes } = given;
  at("told").replaceChildren(...told(survey.fields, JSON.parse(bytes).report.map(Number), survey.texts));
  at("bytes").textContent = bytes;
  at("exactly").open = at("change").open = false;
  at("status").textContent = status;
}

// The same bytes, and no others: they may have arrived.
function again(before) {
  present(before, survey.texts.unsent);
  stay();
}

function stay() {
  at("change").hidden = at("discard").hidden = at("review-note").hidden = at("review").querySelector(".back").hidden = true;
  hold("review");
}

// Offline the same bytes become a file.
function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([parcel.bytes], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  finish();
}

async function send() {
  if (survey.offline) return save();
  stay();
  at("send").disabled = true;
  at("status").textContent = survey.texts.sending;
  const sent = parcel;
  waiting = true;
  const say = (text) => { at("status").textContent = text; };
  const problem = await deliver(sent, survey, { report: "./report", ticket: "./ticket" }, say);
  waiting = false;
  if (problem === "") return finish();
  keep(survey.design, sent);
  at("status").textContent = problem;
  at("send").disabled = false;
}

function finish() {
  at("receipt").textContent = state?.receipt.match(/.{4}/g).join(" ");
  at("receipt-held").hidden = !state;
  at("receipt-lost").hidden = Boolean(state);
  keep(survey.design, SENT);
  state = null;
  discard();
  at("status").textContent = "";
  hold("done");
}

function discard() {
  parcel = null;
  wipe(document);
  at("told").replaceChildren();
  at("bytes").textContent = "";
}

leaving(() => {
  if (waiting && parcel) keep(survey.design, parcel); // it may arrive though the answer is not heard
  discard();
});
addEventListener("beforeunload", (event) => { if (parcel || begun()) event.preventDefault(); });
addEventListener("hashchange", () => location.reload()); // another invitation
document.querySelectorAll("#languages a").forEach((link) => { link.hash = location.hash; }); // the same invitation
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its invitation
  at("main").focus();
});
begin();
