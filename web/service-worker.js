// The service worker: keeps the shell of the console, and shows a page of its own without a connection.
//
// It stores scripts, styles, fonts and the offline page, and never an answer of the API or a page of
// a session. Pages come from the server, so none is older than the server.
// The build puts in the version, which changes with every file of the shell.

const SHELL = "fairlog-shell-__VERSION__";
const OFFLINE = "/console/shell/offline.html";
const FIRST = [OFFLINE, "/console/shell/offline.css", "/console/shell/offline.js"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FIRST))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE, { ignoreVary: true })));
  } else if (pathname.startsWith("/console/assets/") || FIRST.includes(pathname)) {
    event.respondWith(fromShell(request));
  }
});

/** Answer from the shell, or from the server. The names of the files change with their content. */
async function fromShell(request) {
  const cache = await caches.open(SHELL);
  const stored = await cache.match(request, { ignoreVary: true });
  if (stored) return stored;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
