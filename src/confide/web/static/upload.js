// Send a report that was saved offline, exactly as it is but for the ticket that admits it.

import { at } from "./asking.js";
import { sealOf } from "./report.js";
import { deliver, forget, keep, kept } from "./sending.js";

const sealed = at("survey").textContent;
const terms = JSON.parse(at("terms").textContent);
const survey = { ...terms, ...JSON.parse(sealed), texts: terms.texts };
let parcel = null; // what is on its way

// The code at the end of an invitation's link, or the code alone; and the seal before it, if any.
function given() {
  const text = at("invitation")?.value.trim().toLowerCase() ?? "";
  const [, , seal = "", token = ""] = text.match(/(^|#)(?:([0-9a-f]{64})\.)?([0-9a-f]{32})$/) ?? [];
  return { seal, token };
}
const owner = () => `${given().token} upload`;

async function upload() {
  const [file] = at("file").files;
  if (!file) return say(survey.texts.upload_no_file);
  const { seal, token } = given();
  if (survey.key && !token) return say(survey.texts.upload_uninvited);
  if (seal && seal !== await sealOf(sealed)) return say(survey.texts.altered);
  return send(await file.text(), token);
}

async function send(bytes, token) {
  at("send").disabled = true;
  say(survey.texts.sending);
  const before = kept(survey.design, owner()); // of this very report, where no answer came back
  parcel = before?.file === bytes ? before : { file: bytes, bytes };
  const paths = { report: "./report", ticket: "./ticket" };
  const problem = await deliver(parcel, survey, paths, say, token);
  if (problem) keep(survey.design, parcel, owner()); else forget(survey.design, owner());
  parcel = null;
  say(problem || survey.texts.upload_done);
  at("send").disabled = false;
}

function say(text) {
  at("status").textContent = text;
}

if (survey.key) at("invitation").value = location.hash.slice(1);
at("send").addEventListener("click", upload);
at("exit").addEventListener("click", () => location.replace(at("exit").dataset.to));
addEventListener("pagehide", () => { if (parcel) keep(survey.design, parcel, owner()); });
