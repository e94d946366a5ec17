// Opens the page again as soon as the server answers.
const RETRY_MS = 3000;

async function tryAgain() {
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(RETRY_MS - 500) });
  } catch {
    return;
  }
  location.reload();
}

document.getElementById("again").addEventListener("click", () => location.reload());
addEventListener("online", tryAgain);
setInterval(tryAgain, RETRY_MS);

// The colours that were chosen in the settings. Last, because browsers may forbid the storage.
document.documentElement.dataset.theme = JSON.parse(localStorage.getItem("fairlog-theme") ?? '"system"');
