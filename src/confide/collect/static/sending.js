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

// Send the bytes as they are; what went wrong in words, or nothing.
export async function post(path, bytes, texts) {
  try {
    const response = await fetch(path, {
      method: "POST", body: bytes, headers: { "Content-Type": "application/json" },
      credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
    });
    if (response.ok) return "";
    const { error } = await response.json();
    return response.status < 500 ? filled(texts.refused, { reason: error }) : texts.unsent;
  } catch {
    return texts.unsent;
  }
}
