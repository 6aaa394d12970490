// The results, live: the number of reports every two seconds, the parts that changed when it did;
// and parts that take a while, when they are ready.

// What the page shows: reports may come between its making and the first look.
let shown = document.getElementById("figures")?.dataset.state ?? null;

// A page of the same survey, which lies beside its scripts.
const reach = (path) => new URL(`..${path}`, import.meta.url);

async function get(path) {
  const response = await fetch(path, { cache: "no-store" });
  if (response.status === 401 || response.redirected) location.assign(reach("/admin/login"));
  return response;
}

async function read(path) {
  return new DOMParser().parseFromString(await (await get(path)).text(), "text/html");
}

// Replace each part that reports change; what a person has opened or chosen stays outside them.
async function refresh() {
  const fresh = await read(location.href);
  if (fresh.querySelector(".result") && !document.querySelector(".result")) return location.reload(); // the first
  for (const part of document.querySelectorAll("[data-live]")) {
    const now = fresh.getElementById(part.id);
    if (now) part.replaceWith(document.adoptNode(now));
  }
}

async function live() {
  try {
    const { n, damaged, open } = await (await get(reach("/admin/state"))).json();
    const now = `${n} ${damaged} ${open}`;
    if (shown !== null && now !== shown) await refresh();
    shown = now;
  } catch { /* the next time */ }
  setTimeout(live, 2000);
}

// A part of another page, such as a model that takes seconds to learn.
async function load(into) {
  const part = (await read(into.dataset.load)).getElementById("part");
  if (part) into.replaceChildren(...document.adoptNode(part).childNodes);
  for (const button of into.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => fold(into, button.dataset.fold === "open"));
  }
}

function fold(within, open) {
  for (const branch of within.querySelectorAll(".branches details")) branch.open = open;
}

// Sliders show their effect when they are moved, without a button.
function slide(form) {
  let waiting;
  form.addEventListener("input", () => {
    for (const output of form.querySelectorAll("output")) output.value = form.elements[output.htmlFor].value;
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      history.replaceState(null, "", `${form.action.split("?")[0]}?${new URLSearchParams(new FormData(form))}`);
      await refresh();
    }, 150);
  });
}

for (const into of document.querySelectorAll("[data-load]:not([data-load=''])")) load(into);
for (const form of document.querySelectorAll("form[data-slide]")) slide(form);
live();
