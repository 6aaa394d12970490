// How a report is sent, and what is kept of one that may have arrived or not.
//
// A parcel is a report on its way: its bytes, and until its ticket is there the blinding that turns
// the collector's signature into one.

import { filled } from "./asking.js";
import { blind, finalize, prepare, unhex } from "./blinding.js";
import { hex } from "./report.js";

// Kept for an invitation: that a report was sent, or, where no answer came back, the very parcel,
// so that no other draw ever follows it. Draws and receipts are never kept. Surveys of one server, also with
// the same design, are told apart by the page's path.
export const SENT = "sent";
const key = (design, owner) => `confide ${location.pathname} ${design} ${owner}`;
export function kept(design, owner = token()) {
  try { return JSON.parse(sessionStorage.getItem(key(design, owner))); } catch { return null; }
}
export function keep(design, parcel, owner = token()) {
  try { sessionStorage.setItem(key(design, owner), JSON.stringify(parcel)); } catch { /* then nothing is kept */ }
}
export function forget(design, owner) {
  try { sessionStorage.removeItem(key(design, owner)); } catch { /* nothing was kept */ }
}

// The page's address ends with seal and invitation, "#seal.token", or one of them; the part behind
// # is not sent when a page is loaded.
const link = () => location.hash.match(/^#(?:([0-9a-f]{64})(?:\.|$))?([0-9a-f]{32})?$/);
export const seal = () => link()?.[1] ?? "";
export const token = () => link()?.[2] ?? "";
export const broken = () => location.hash.length > 1 && !link();

function posted(path, bytes, more = {}) {
  return fetch(path, {
    method: "POST", body: bytes, headers: { "Content-Type": "application/json" },
    credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error", ...more,
  });
}

// Whether an invitation can no longer be used. It alone is sent, before anything is asked; where
// no answer comes back the page goes on, and the report's own sending tells.
export async function spent(path) {
  try {
    const response = await posted(path, JSON.stringify({ token: token() }), { signal: AbortSignal.timeout(5000) });
    return response.status === 403;
  } catch {
    return false;
  }
}

// Send the bytes as they are; the answer, or what went wrong in words.
async function post(path, bytes, { texts, reasons }) {
  try {
    const response = await posted(path, bytes);
    const answer = await response.json();
    if (response.ok) return { answer };
    if (response.status >= 500) return { problem: texts.unsent };
    return { problem: reasons?.[answer.error] ?? filled(texts.refused, { reason: answer.error }) };
  } catch {
    return { problem: texts.unsent };
  }
}

// Send a report; what went wrong in words, or nothing. By invitation it first buys a ticket for the
// report's id, and sends the report a while later, without the invitation: a ticket does not name it.
export async function deliver(parcel, survey, paths, say, invitation = token()) {
  if (survey.key && !JSON.parse(parcel.bytes).ticket) {
    const problem = await redeem(parcel, survey, paths.ticket, invitation);
    if (problem) return problem;
    say(survey.texts.pausing);
    await pause();
  }
  return (await post(paths.report, parcel.bytes, survey)).problem ?? "";
}

// Redeem the invitation. The same blinding is sent again after a lost answer, and gets the same.
async function redeem(parcel, survey, path, invitation) {
  parcel.blinding ??= await prepared(survey.key, JSON.parse(parcel.bytes).id);
  const { message, blinded, inverse } = parcel.blinding;
  const { answer, problem } = await post(path, JSON.stringify({ token: invitation, blinded }), survey);
  if (problem) return problem;
  try {
    const signature = await finalize(survey.key, unhex(message), answer.signature, inverse);
    const ticket = message.slice(0, 64) + signature;
    parcel.bytes = parcel.bytes.replace(/"ticket":\s*""/, `"ticket":"${ticket}"`);
    delete parcel.blinding;
    return "";
  } catch {
    return survey.texts.missigned;
  }
}

async function prepared(modulus, id) {
  const message = prepare(unhex(id));
  return { message: hex(message), ...await blind(modulus, message) };
}

// From 1 to 6 seconds, so that nobody knows what comes next by when it comes.
function pause() {
  const [chance] = crypto.getRandomValues(new Uint32Array(1));
  return new Promise((resume) => { setTimeout(resume, 1000 + 5000 * chance / 2 ** 32); });
}
