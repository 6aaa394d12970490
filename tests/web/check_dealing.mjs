// Load the page's own deal.js so many times, each time in a new tab; print where each was led to.

import { readFile } from "node:fs/promises";

const [path, times] = process.argv.slice(2);
const text = encodeURIComponent(await readFile(path, "utf8"));
const led = [];
globalThis.document = { getElementById: () => ({ textContent: '["first", "second"]' }) };
for (let i = 0; i < Number(times); i++) {
  const kept = new Map();
  globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, String(value)) };
  globalThis.location = { pathname: "/deal/", search: "", replace: (address) => led.push(address) };
  await import(`data:text/javascript,${text}//${i}`);
  const before = led.at(-1);
  await import(`data:text/javascript,${text}//${i} again`);
  if (led.pop() !== before) led.push("another form in the same tab");
}
console.log(JSON.stringify(led));
