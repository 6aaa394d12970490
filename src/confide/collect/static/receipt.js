// Look at or delete one's own disguised report.

import { told } from "./words.js";

const survey = JSON.parse(document.getElementById("survey").textContent);
const at = (id) => document.getElementById(id);

async function ask(path) {
  const receipt = at("receipt").value.replace(/\s/g, "").toLowerCase();
  const response = await fetch(path, {
    method: "POST", body: JSON.stringify({ receipt }), headers: { "Content-Type": "application/json" },
    credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
  });
  at("report").hidden = true;
  at("told").replaceChildren();
  return response;
}

async function look() {
  const response = await ask("/receipt");
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
  const response = await ask("/receipt/delete");
  if (!response.ok) return say(response);
  at("sure").checked = false;
  at("status").textContent = survey.texts.receipt_deleted;
}

async function say(response) {
  if (response.status === 410) return void (at("status").textContent = survey.texts.receipt_damaged);
  const unknown = response.status === 404 || response.status === 400;
  at("status").textContent = unknown ? survey.texts.receipt_unknown : survey.texts.unsent;
}

at("show").addEventListener("click", () => look().catch(() => say({ status: 0 })));
at("delete").addEventListener("click", () => remove().catch(() => say({ status: 0 })));
at("exit").addEventListener("click", () => location.replace(at("exit").dataset.to));
addEventListener("pagehide", () => { at("receipt").value = ""; at("sure").checked = false; at("told").replaceChildren(); });
