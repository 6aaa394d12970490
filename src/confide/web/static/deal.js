// Deals a person to one of two forms of a survey, evenly and by this browser's own secure chance.
// The server names both to everyone; it does not choose.

const forms = JSON.parse(document.getElementById("forms").textContent);
const key = `confide ${location.pathname}`;

// A tab keeps the form that it was dealt, so that nobody deals until they like the odds.
function kept() {
  try { return sessionStorage.getItem(key); } catch { return null; }
}

function draw() {
  const drawn = crypto.getRandomValues(new Uint8Array(1))[0] & 1;
  try { sessionStorage.setItem(key, drawn); } catch { /* then nothing is kept */ }
  return drawn;
}

location.replace((forms[kept()] ?? forms[draw()]) + location.search);
