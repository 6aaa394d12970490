// Send a report that was saved offline, exactly as it is.

const survey = JSON.parse(document.getElementById("survey").textContent);
const at = (id) => document.getElementById(id);

async function upload() {
  const [file] = at("file").files;
  if (!file) return;
  try {
    const response = await fetch("/report", {
      method: "POST", body: await file.text(), headers: { "Content-Type": "application/json" },
      credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store", redirect: "error",
    });
    const { error } = await response.json();
    at("status").textContent = response.ok ? survey.texts.upload_done
      : survey.texts.refused.replace("{reason}", error);
  } catch {
    at("status").textContent = survey.texts.unsent;
  }
}

at("send").addEventListener("click", upload);
at("exit").addEventListener("click", () => location.replace(at("exit").dataset.to));
