// The keys, and the buttons that do the same. Keys do nothing while somebody types.

import { pageAt } from "./address.js";
import { el } from "./nodes.js";
import { marked, otherWay, turn } from "./steps.js";

const PACE = 400; // ms a version, while it plays
const IDLE = 700; // ms without a key until the place is kept
let playing; // the timer that shows version after version

export function start(page) {
  const deeds = does(page);
  const run = (name, how) => Promise.resolve(deeds[name](how)).catch(page.fail);
  let idle;
  document.addEventListener("keydown", (event) => {
    const name = meant(event);
    if (name === undefined) return;
    event.preventDefault();
    run(name, "scrub");
    clearTimeout(idle);
    idle = setTimeout(page.settle, IDLE);
  });
  document.addEventListener("keyup", () => {
    if (idle === undefined) return;
    clearTimeout(idle);
    idle = undefined;
    page.settle();
  });
  page.element.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-does]");
    if (pressed === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (pressed.getAttribute("aria-disabled") !== "true") run(pressed.dataset.does, "push");
  });
}

/** What a key is for, by the list of keys; undefined for none. */
function meant({ key, target, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }) {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return undefined;
  if (document.querySelector("dialog[open]") !== null) return undefined;
  const isSlider = target.matches?.("input[type=range]");
  if (!isSlider && target.matches?.("input, select, textarea, [contenteditable]")) return undefined;
  if (key === " " && target.matches?.("a, button, summary")) return undefined;
  if (isSlider && (key === "ArrowUp" || key === "ArrowDown")) return key === "ArrowUp" ? "branch-back" : "branch";
  const pressed = shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key;
  return document.querySelector(`#keys [data-key="${CSS.escape(pressed)}"]`)?.dataset.for;
}

/** What each name does; `how` as View.go has it. */
function does(page) {
  const { view, element } = page;
  const branch = (by, how) => {
    const way = otherWay(page, by);
    if (way === undefined) return page.say("No branch was left before this version.");
    view.go(way.version, how);
    return page.say(`Branch ${way.nth + 1} of ${way.of} behind version ${way.from}.`);
  };
  const jump = async (by, how) => {
    const version = await marked(page, by);
    if (version === undefined) page.say(`Nothing stands out ${by > 0 ? "behind" : "before"} this version.`);
    else view.go(version, how);
  };
  return {
    back: (how) => view.go(view.at - 1, how),
    on: (how) => view.at < view.head && view.go(view.at + 1, how),
    "turn-back": async (how) => view.go(await turn(page, -1), how),
    "turn-on": async (how) => view.go(await turn(page, 1), how),
    start: (how) => view.go(0, how),
    live: () => { page.settle(); view.goLive(); },
    "mark-back": (how) => jump(-1, how),
    "mark-on": (how) => jump(1, how),
    branch: (how) => branch(1, how),
    "branch-back": (how) => branch(-1, how),
    play: () => play(page),
    filter: () => { element.querySelector("#log details").open = true; element.querySelector("#text").focus(); },
    changed: () => open(element),
    copy: () => copy(page),
    keys: () => element.querySelector("#keys").showModal(),
  };
}

/** Shows version after version up to the head; again: stays. */
function play(page) {
  const { view, element } = page;
  const button = element.querySelector('[data-does="play"]');
  const stop = () => {
    clearInterval(playing);
    playing = undefined;
    button.textContent = "Play";
    page.settle();
  };
  if (playing !== undefined) return stop();
  if (view.at === view.head) return page.say("This is the newest version.");
  button.textContent = "Pause";
  playing = setInterval(() => {
    if (view.at < view.head) view.go(view.at + 1, "scrub");
    if (view.at === view.head) stop();
  }, PACE);
  return undefined;
}

function open(element) {
  const changed = element.querySelector("#changed");
  if (changed === null) return;
  changed.open = !changed.open;
  if (changed.open) changed.querySelector("summary").focus();
}

/** The whole address of the version, also while live, for others: not as whom one looks. */
async function copy({ view, data, say }) {
  const link = location.origin + pageAt({ ...data, as: null, filter: {} }, view.at);
  try {
    if (navigator.clipboard === undefined) copyByHand(link);
    else await navigator.clipboard.writeText(link);
    say(`Copied: ${link}`);
  } catch {
    say(link);
  }
}

/** Browsers lend the clipboard to secure pages alone, which plain http in a local network is not. */
function copyByHand(text) {
  const field = el("textarea", { class: "aside", "aria-hidden": "true" });
  field.value = text;
  const held = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  held?.focus();
  if (!done) throw new Error("the browser does not copy");
}
