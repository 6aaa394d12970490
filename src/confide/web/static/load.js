// The published model. It is asked for when the page is, whatever is answered later.

export async function loaded() {
  const response = await fetch(new URL("../model.json", import.meta.url), { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" });
  if (!response.ok) throw new Error("the model could not be loaded");
  return response.json();
}
