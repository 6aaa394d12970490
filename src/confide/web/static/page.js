// The respondent's page. Answers live in its inputs alone; nothing of them leaves before Send.

import { answers, at, filled, leaving, wipe } from "./asking.js";
import { below, disguise, draw, secureWords } from "./sampler.js";
import { body, hex, receiptId, reports } from "./report.js";
import { keep, kept, post, spent, token } from "./sending.js";
import { told } from "./words.js";

const survey = JSON.parse(at("survey").textContent);
const words = secureWords();

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

async function begin() {
  if (!isSecureContext) return stop("insecure");
  if (!survey.open) return stop("closed");
  const invited = survey.invitation && !survey.offline;
  if (invited && !token()) return stop("uninvited");
  state = kept(survey.design);
  if (state?.sent) return stop("already");
  if (invited && !state?.tried && await spent("/invitation")) return stop("spent");
  if (invited) at("upload").hash = location.hash;
  state ??= keep(survey.design, {
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
  const invitation = survey.offline ? "" : token();
  locked = body(survey, await receiptId(state.receipt), invitation, own, codes);
  at("told").replaceChildren(...told(survey.fields, codes, survey.texts));
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
  at("send").disabled = at("discard").disabled = true;
  at("status").textContent = survey.texts.sending;
  keep(survey.design, Object.assign(state, { tried: true })); // it may arrive though no answer comes back
  const problem = await post("/report", locked, survey);
  if (problem === "") return finish();
  at("status").textContent = problem;
  at("send").disabled = at("discard").disabled = false;
}

function finish() {
  at("receipt").textContent = state.receipt.match(/.{4}/g).join(" ");
  keep(survey.design, { sent: true });
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

leaving(discard);
addEventListener("hashchange", () => location.reload()); // another invitation
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address keeps its invitation
  at("main").focus();
});
begin();
