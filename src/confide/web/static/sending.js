// What is kept of a report until it is sent, and how it is sent.

import { filled } from "./asking.js";

// Kept over a reload: the draw, never an answer. So nothing is drawn twice.
const key = (design) => `confide ${design}`;
export function kept(design) {
  try { return JSON.parse(sessionStorage.getItem(key(design))); } catch { return null; }
}
export function keep(design, state) {
  try { sessionStorage.setItem(key(design), JSON.stringify(state)); } catch { /* then in memory alone */ }
  return state;
}

// The invitation in the page's address; the part behind # is not sent when a page is loaded.
export function token() {
  return /^#[0-9a-f]{32}$/.test(location.hash) ? location.hash.slice(1) : "";
}

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
