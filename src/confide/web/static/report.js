// What is sent, byte for byte; report.py writes and checks the same.

import { disguise } from "./sampler.js";

// A true answer as a code: an option's number, an interval's number, or steps above the lowest.
export function code(field, answer) {
  if (field.options) {
    if (!(answer in field.options)) throw new RangeError("no such option");
    return answer;
  }
  if (!(answer >= field.low && answer <= field.high)) throw new RangeError("out of range");
  if (field.edges) return field.edges.slice(1, -1).filter((edge) => answer >= edge).length;
  return Math.floor((answer - field.low) / field.step + 0.5);
}

// What stands for a question that was not asked: "prefer not to say", else its first option or lowest number.
export const unasked = ({ optional, size, options, low, stand_in: middle }) => (optional ? size - 1 : options ? 0 : middle ?? low);

// The codes to report: disguised by the draw, or as they are where the person drew.
export function reports(survey, draws, own, answers) {
  const codes = [];
  survey.blocks.forEach(({ questions, weights }, b) => {
    const truths = questions.map((q) => code(survey.fields[q], answers[q]));
    const told = own.includes(b) ? truths : disguise(weights, draws[b], truths);
    questions.forEach((q, i) => { codes[q] = told[i]; });
  });
  return codes;
}

// Always of the same length: codes have a fixed number of digits, the rest a fixed size.
export function body(survey, id, own, codes, ticket = "") {
  const mode = [...survey.modes];
  for (const b of own) for (const q of survey.blocks[b].questions) mode[q] = "o";
  return JSON.stringify({
    design: survey.design,
    id,
    ticket,
    mode: mode.join(""),
    report: codes.map((c, q) => String(c).padStart(survey.fields[q].digits, "0")),
  });
}

// A report's id is made from its receipt: who holds that can look it up or delete it.
export async function receiptId(receipt) {
  const bytes = Uint8Array.from(receipt.match(/../g), (pair) => parseInt(pair, 16));
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 16));
}

// The survey's seal: the SHA-256 of its sealed text.
export async function sealOf(text) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
