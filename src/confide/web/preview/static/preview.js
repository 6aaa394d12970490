// A preview is answered as often as one likes, asks nothing before it is left, and loads again
// when its draft was changed.

sessionStorage.clear();
addEventListener("beforeunload", (event) => event.stopImmediatePropagation(), true);

const { version } = document.currentScript.dataset;

async function look() {
  try {
    const answer = await fetch("/preview/version", { cache: "no-store" });
    if ((await answer.json()).version !== version) return location.reload();
  } catch { /* the server is away for a moment, or for good */ }
  setTimeout(look, 700);
}
if (self === top) look(); // whoever frames it knows when to load it again
