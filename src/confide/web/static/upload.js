// Send a report that was saved offline, exactly as it is but for the invitation that admits it.

import { at } from "./asking.js";
import { post, token } from "./sending.js";

const survey = JSON.parse(at("survey").textContent);

// The code at the end of an invitation's link, or the code alone.
function code() {
  return at("invitation").value.trim().toLowerCase().match(/(^|[#.])([0-9a-f]{32})$/)?.[2] ?? "";
}

async function upload() {
  const [file] = at("file").files;
  if (!file) return say(survey.texts.upload_no_file);
  const report = await file.text();
  if (!survey.invitation) return send(report);
  if (!code()) return say(survey.texts.upload_uninvited);
  return send(report.replace(/"token":\s*""/, `"token":"${code()}"`));
}

async function send(report) {
  at("send").disabled = true;
  say(survey.texts.sending);
  say(await post("/report", report, survey) || survey.texts.upload_done);
  at("send").disabled = false;
}

function say(text) {
  at("status").textContent = text;
}

if (survey.invitation) at("invitation").value = token();
at("send").addEventListener("click", upload);
at("exit").addEventListener("click", () => location.replace(at("exit").dataset.to));
