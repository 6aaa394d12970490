// The results, live: the number of reports every two seconds, the estimates when it changed.

import { one, two } from "./charts.js";

const at = (id) => document.getElementById(id);
const dark = matchMedia("(prefers-color-scheme: dark)");
let shown = -1;
let known = false;

function element(kind, text, attributes = {}) {
  const made = document.createElement(kind);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

async function get(path) {
  const response = await fetch(path, { cache: "no-store" });
  if (response.status === 401) location.assign("/admin/login");
  if (!response.ok) throw new Error((await response.json()).error);
  return response.json();
}

const whole = (number) => number.toLocaleString("en");

// With how many decimals a table's shares are written: two figures of its narrowest interval.
function decimals(rows) {
  const reach = rows.filter(({ low, high }) => low !== null && high > low).map(({ low, high }) => 50 * (high - low));
  return reach.length ? Math.min(Math.max(1, -Math.floor(Math.log10(Math.min(...reach)))), 6) : 1;
}

// A share in percent; what is not known is a dash, and nothing is below zero by rounding alone.
function percent(share, digits = 1) {
  if (share === null) return "–";
  const written = (100 * share).toFixed(digits);
  return `${Number(written) === 0 ? written.replace("-", "") : written} %`;
}

const interval = ({ low, high }, digits) => (low === null ? "–" : `${percent(low, digits)} to ${percent(high, digits)}`);

function table(caption, columns, rows) {
  const made = element("table");
  made.append(element("caption", caption));
  const head = element("tr");
  columns.forEach((name, i) => head.append(element("th", name, { scope: "col", class: i ? "number" : "" })));
  made.append(element("thead"), element("tbody"));
  made.tHead.append(head);
  for (const [first, ...rest] of rows) {
    const row = element("tr");
    row.append(element("th", first, { scope: "row" }), ...rest.map((cell) => element("td", cell, { class: "number" })));
    made.tBodies[0].append(row);
  }
  const box = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": caption });
  box.append(made);
  return box;
}

async function draw(into, chart, rows, label) {
  into.setAttribute("role", "img");
  into.setAttribute("aria-label", `${label}: the table beside it says the same`);
  const spec = { ...chart, datasets: { rows } };
  const theme = dark.matches ? "dark" : undefined;
  const config = { background: "transparent", font: "system-ui, sans-serif" };
  await import("/admin/vega.js"); // large, and the tables need not wait for it
  const options = { actions: false, renderer: "svg", tooltip: false, defaultStyle: false, logLevel: 1 };
  await window.vegaEmbed(into, spec, { ...options, theme, config });
}

// What came in, and below it what it says about the crowd.
function bars({ rows, disguised }) {
  return rows.flatMap(({ answer, reported, share, low, high }) => [
    { answer, kind: disguised ? "disguised reports" : "reports", share: reported },
    { answer, kind: "estimate", share, low, high },
  ]);
}

function question(found) {
  const card = element("div", undefined, { class: "card" });
  const picture = element("div", undefined, { class: "chart" });
  card.append(element("h3", found.text, { dir: "auto" }));
  if (found.rows.length) {
    const digits = decimals(found.rows);
    card.append(picture, table(
      found.disguised ? `${found.name}: disguised reports and estimates` : `${found.name}: asked without a disguise`,
      [found.unit ? `answer (${found.unit})` : "answer", "reports", "reported", "estimate", "95 % interval"],
      found.rows.map((row) => [row.answer, whole(row.reports), percent(row.reported, digits), percent(row.share, digits), interval(row, digits)]),
    ));
  }
  if (found.problem) card.append(element("p", found.problem, { class: "note" }));
  if (found.influence !== null && found.disguised) {
    card.append(element("p", `One false report can move an estimate ${found.influence.toFixed(1)} times as much as a true answer.`, { class: "hint" }));
  }
  return [card, () => found.rows.length && draw(picture, one(found), bars(found), found.text)];
}

async function results() {
  const found = await get("/admin/results");
  at("too-few").hidden = found.n >= found.minimum;
  at("damaged").hidden = !found.damaged;
  at("damaged").textContent = found.damaged === 1 ? "1 damaged report is left out." : `${whole(found.damaged)} damaged reports are left out.`;
  const cards = found.questions.map(question);
  at("questions").replaceChildren(...cards.map(([card]) => card));
  if (found.questions.length && !known) givenAway();
  for (const [, paint] of cards) await paint();
}

// What a report gives away, once the crowd is known: it takes seconds, so it is asked once.
async function givenAway() {
  known = true;
  try {
    const { sentences } = await get("/admin/privacy");
    at("given-away").replaceChildren(...sentences.map((sentence) => element("li", sentence)));
  } catch { /* what the design alone tells stays */ }
}

function estimated(name, found) {
  const digits = decimals([found]);
  return [name, percent(found.value, digits), interval(found, digits)];
}

// What the test round says of the published model.
async function published() {
  const { accuracy, test } = await get("/api/model");
  const rows = [];
  if (accuracy) rows.push(estimated("accuracy in the model's file", accuracy));
  if (test?.right && test.asked === "personal") rows.push(estimated("right about the personal answers", test.right));
  if (test?.accuracy) rows.push(estimated("accuracy by the test round", test.accuracy));
  const parts = rows.length ? [table("How often it is right", ["what", "estimate", "95 % interval"], rows)] : [];
  if (test) {
    const few = test.n < test.minimum ? ` Nothing is estimated below ${test.minimum}.` : "";
    const hand = test.asked === "personal" ? ` By their own coin people drew ${percent(test.by_hand)} of the reports.` : "";
    parts.push(element("p", `${whole(test.n)} tests so far.${few}${hand}`));
    at("test-state").textContent = test.open ? "The test round is open." : "The test round is closed.";
    at("test-button").textContent = test.open ? "Close the test round" : "Reopen the test round";
    at("test-form").action = `/admin/test/${test.open ? "close" : "open"}`;
  }
  at("published").replaceChildren(...parts);
}

async function state() {
  const now = await get("/admin/state");
  at("n").textContent = whole(now.n);
  at("progress-text").textContent = now.wanted ? `of ${whole(now.wanted)} wanted` : "so far";
  at("progress").hidden = !now.wanted;
  if (now.wanted) { at("progress").max = now.wanted; at("progress").value = now.n; }
  if (now.by_invitation) at("progress-text").textContent += `, ${whole(now.unused)} invitations unused`;
  at("open-state").textContent = now.open ? "The survey is open." : "The survey is closed.";
  at("open-button").textContent = now.open ? "Close the survey" : "Reopen the survey";
  at("open-button").value = now.open ? "no" : "yes";
  if (at("published")) await published();
  const released = now.n + now.damaged;
  if (released !== shown) {
    await results();
    shown = released;
  }
}

async function cross() {
  at("cross-status").textContent = "";
  try {
    const names = new URLSearchParams({ row: at("row").value, column: at("column").value });
    const found = await get(`/admin/cross?${names}`);
    const digits = decimals(found.rows), title = found.axes.join(" × ");
    const picture = element("div"), box = element("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": `${title}, drawn` });
    box.append(picture);
    const rows = found.rows.map((row) => [row.answers.join(" · "), percent(row.share, digits), interval(row, digits)]);
    const all = element("details");
    all.append(element("summary", "The same as a table, with intervals"), table(title, ["answers", "estimate", "95 % interval"], rows));
    all.open = rows.length <= 24;
    at("cross-result").replaceChildren(box, all);
    const cells = found.rows.map(({ answers: [row, column], share }) => ({ row, column, share, words: percent(share) }));
    await draw(picture, two(found.axes, found.labels[1].length, dark.matches), cells, title);
  } catch (error) {
    at("cross-result").replaceChildren();
    at("cross-status").textContent = error.message;
  }
}

// How often each answer is given in each class, as naive Bayes multiplies them.
function likelihoods({ model, table: rows }) {
  const words = rows.map(({ question, answer, chances }) => [`${question}: ${answer}`, ...chances.map((chance) => percent(chance))]);
  return table("How often each answer is given, by what is predicted", ["answer", ...model.classes], words);
}

async function learn() {
  const [kind, target] = [at("kind").value, at("target").value];
  at("learn-status").textContent = "Learning …";
  at("learned").replaceChildren();
  try {
    const found = await get(`/admin/model/${kind}?${new URLSearchParams({ target })}`);
    at("learn-status").textContent = "";
    if (found.table) return at("learned").replaceChildren(likelihoods(found));
    const picture = element("img", undefined, { alt: `The decision tree for ${target}: the text below says the same`, class: "tree" });
    picture.src = `data:image/svg+xml,${encodeURIComponent(found.picture)}`;
    const box = element("div", undefined, { class: "scroll panel" });
    box.append(picture);
    at("learned").replaceChildren(box, element("pre", found.text, { tabindex: "0", "aria-label": "The tree in words", role: "region" }));
  } catch (error) {
    at("learn-status").textContent = error.message;
  }
}

async function live() {
  try { await state(); } catch { /* the next time */ }
  setTimeout(live, 2000);
}

at("cross")?.addEventListener("click", cross);
at("learn")?.addEventListener("click", learn);
dark.addEventListener("change", () => { shown = -1; });
live();
