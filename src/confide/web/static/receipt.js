// Look at or delete one's own disguised report.

import { told } from "./words.js";

const survey = JSON.parse(document.getElementById("survey").textContent);
const at = (id) => document.getElementById(id);

async function ask(path) {
  const receipt = at("receipt").value.replace(/\s/g, "").toLowerCase();
  at("report").hidden = true;
  at("told").replaceChildren();
  if (!/^[0-9a-f]{32}$/.test(receipt)) return { ok: false, status: 400 };
  return fetch(path, {
    method: "POST", body: JSON.stringify({ receipt }), headers: { "Content-Type": "application/json" },
    credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
  });
}

async function look() {
  const response = await ask("./receipt");
  if (!response.ok) return say(response);
  const { report } = await response.json();
  at("told").replaceChildren(...told(survey.fields, report, survey.texts));
  at("report").hidden = false;
  at("status").textContent = "";
}

async function remove() {
  if (!at("sure").checked) {
    at("status").textContent = survey.texts.receipt_tick;
    return at("sure").focus();
  }
  const response = await ask("./receipt/delete");
  if (!response.ok) return say(response);
  at("sure").checked = false;
  at("status").textContent = survey.texts.receipt_deleted;
}

async function say(response) {
  const { receipt_damaged, receipt_malformed, receipt_unknown, unsent } = survey.texts;
  const said = { 400: receipt_malformed, 404: receipt_unknown, 410: receipt_damaged };
  at("status").textContent = said[response.status] ?? unsent;
}

const show = () => look().catch(() => say({ status: 0 }));

at("show").addEventListener("click", show);
at("receipt").addEventListener("keydown", ({ key }) => { if (key === "Enter") show(); });
at("delete").addEventListener("click", () => remove().catch(() => say({ status: 0 })));
at("exit").addEventListener("click", () => location.replace(at("exit").dataset.to));
addEventListener("pagehide", () => { at("receipt").value = ""; at("sure").checked = false; at("told").replaceChildren(); });
