// A link to the results: its code stands behind #, which browsers do not send, and is put into the
// form that sends it. Nobody needs to see it, and the address in the history is left without it.

const code = location.hash.slice(1);
if (code) {
  document.getElementById("code").value = code;
  document.getElementById("code-field").hidden = true;
  history.replaceState(null, "", location.pathname + location.search);
}
