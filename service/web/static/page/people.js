// The page of who sits where: it follows who comes and goes, copies links, signs what a seat with a key says of itself,
// and lets its file go out and come in.

import { get, Refusal } from "./net.js";
import { become, el, hidden } from "./nodes.js";
import { start } from "./seat.js";
import { bring, save } from "./seat-file.js";
import { View } from "./view.js";

const COMING = /^session\.(Seat|Presence|ChainAnchored|DrawVoided)/;
const AGAIN = 2000; // ms until a stream that was refused is asked for again

const data = JSON.parse(document.getElementById("page").textContent);
const element = document.getElementById("main");
const view = new View(undefined, data.version);
const own = document.getElementById("own");
let source;
const holding = await start({ data, view, element });

for (const button of document.querySelectorAll("[data-copies]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(document.getElementById(button.dataset.copies)));
}
document.addEventListener("submit", sign);
document.addEventListener("visibilitychange", () => (document.hidden ? close() : follow()));
follow();
if (own) own.hidden = holding === undefined;
holding?.addEventListener("state", draw);
draw();
document.documentElement.dataset.ready = "true";

async function copy(field) {
  field.select();
  let done = true;
  try {
    await navigator.clipboard.writeText(field.value); // only on https or on this machine
  } catch {
    done = document.execCommand("copy");
  }
  document.getElementById("copied").textContent = done ? "Copied." : "Copy it by hand: it is marked.";
}

/** Who comes and goes while somebody looks. */
function follow() {
  if (source || data.closed) return;
  source = new EventSource(`${data.path}/stream?after=${view.head}`);
  source.addEventListener("message", ({ data: text }) => {
    const { version, kind } = JSON.parse(text);
    view.grow(version);
    if (COMING.test(kind)) anew();
  });
  source.addEventListener("end", again);
  source.addEventListener("error", () => { if (source?.readyState === EventSource.CLOSED) again(); });
}

function close() {
  source?.close();
  source = undefined;
}

function again() {
  close();
  setTimeout(() => { if (!document.hidden) follow(); }, AGAIN);
}

/** The seats as the server draws them now; what somebody types in meanwhile stays. */
async function anew() {
  const text = await get(location.pathname, { as: "text" }).catch(() => ""); // then it stays as it is
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("sitting");
  if (fresh) become(document.getElementById("sitting"), document.adoptNode(fresh));
  draw();
}

/** The signed buttons can be pressed where the key is here; the file can go out, or come in. */
function draw() {
  if (!holding) return;
  const hasKey = holding.kept !== undefined;
  for (const button of document.querySelectorAll("[data-signs]")) {
    button.disabled = !hasKey || holding.fault !== undefined;
    document.getElementById(button.getAttribute("aria-describedby")).hidden = !button.disabled;
  }
  const place = document.getElementById("file");
  const state = hasKey && holding.state !== "handed" ? "here" : holding.state;
  if (place.dataset.state === state) return;
  place.dataset.state = state;
  if (["here", "handed"].includes(state)) place.replaceChildren(...save(holding));
  else if (["other", "none"].includes(state)) place.replaceChildren(...bring(data.session));
  else place.replaceChildren();
}

/** Adds the seat's signature; presence is said here, so that the browser knows of it too. */
async function sign(event) {
  const form = event.target;
  if (!holding || form.dataset.signed !== undefined || !form.querySelector("[data-signs]")) return;
  event.preventDefault();
  try {
    if (form.dataset.does === "leave") {
      const signed = await holding.act((sitting) => sitting.leaving());
      form.append(...hidden(signed));
      form.dataset.signed = "";
      form.requestSubmit();
    } else {
      const present = form.elements.present.value === "true";
      await holding.act((sitting) => sitting.be(present));
      await anew();
    }
  } catch (error) {
    form.querySelector(".said")?.remove();
    form.append(el("p", { class: "wrong said", role: "alert" }, said(error)));
  }
}

function said(error) {
  if (!(error instanceof Refusal)) return error.message;
  if (error.problem.rule === "draw-waits") return "A draw waits for its seats: try again when it is over.";
  if (error.problem.rule === "presence-unchanged") return "That is how it stands already: reload the page.";
  return error.message;
}
