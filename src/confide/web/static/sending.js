// What is kept of a report that may have arrived or not, and how one is sent.

import { filled } from "./asking.js";

// Kept for an invitation: that a report was sent, or, where no answer came back, the very bytes
// that were sent, so that no other draw ever follows them. Draws and receipts are never kept.
export const SENT = "sent";
const key = (design) => `confide ${design} ${token()}`;
export function kept(design) {
  try { return sessionStorage.getItem(key(design)) ?? ""; } catch { return ""; }
}
export function keep(design, bytes) {
  try { sessionStorage.setItem(key(design), bytes); } catch { /* then nothing is kept */ }
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

// Send the bytes as they are; what went wrong in words, or nothing.
export async function post(path, bytes, { texts, reasons }) {
  try {
    const response = await posted(path, bytes);
    if (response.ok) return "";
    const { error } = await response.json();
    if (response.status >= 500) return texts.unsent;
    return reasons?.[error] ?? filled(texts.refused, { reason: error });
  } catch {
    return texts.unsent;
  }
}
