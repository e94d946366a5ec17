// The page of the check: runs it in a worker, by itself and on its button, and shows how far it held.

import { Away, get, Refusal } from "./net.js";
import { el } from "./nodes.js";
import { findings, outcome } from "./verdict.js";

const RUNGS = ["bytes", "tree", "draws"];
const section = document.querySelector("#here");
const [said, found, key, again, file] = ["outcome", "findings", "key", "again", "file"].map((id) =>
  document.getElementById(id));
let run = { close() {} }; // the newest check
let chosen; // the File that is checked, undefined for the session's own log

async function start() {
  run.close();
  run = begun();
  const mine = run;
  try {
    const log = () => get(section.dataset.export, { as: "arrayBuffer", cache: "no-store" });
    const bytes = await (chosen ? chosen.arrayBuffer() : log());
    if (mine === run) mine.check(bytes);
  } catch (error) {
    if (mine === run) wrong(why(error));
  }
}

function why(error) {
  if (error instanceof Away) return "The server cannot be reached. A file that you have can be checked all the same.";
  if (error instanceof Refusal) return `The server does not give the log (status ${error.status}). Reload the page.`;
  return "The file cannot be read.";
}

function begun() {
  for (const rung of RUNGS) {
    mark(rung, "", "not looked at yet");
    delete document.querySelector(`#rung-${rung}`).dataset.ms;
  }
  mark(RUNGS[0], "", "looking");
  said.textContent = "";
  found.replaceChildren();
  section.dataset.done = "";
  const worker = new Worker(new URL("verify-worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => heard(data));
  worker.addEventListener("error", () => wrong("The check cannot be started in this browser."));
  return {
    check: (bytes) => worker.postMessage({ bytes, key: key.value.trim() }, [bytes]),
    close: () => worker.terminate(),
  };
}

function heard(data) {
  if (data.wrong) wrong(data.wrong);
  else if (data.report) ended(data);
  else if (data.done < data.of) mark(data.rung, "", `${Math.floor((100 * data.done) / data.of)} % of the signatures`);
  else held(data);
}

function held({ rung, ms }) {
  mark(rung, "held", `\u2713 holds, after ${seconds(ms)}`);
  document.querySelector(`#rung-${rung}`).dataset.ms = Math.round(ms);
  const next = RUNGS[RUNGS.indexOf(rung) + 1];
  if (next) mark(next, "", "looking");
}

function ended({ report, ms }) {
  const { failure, extensions } = report;
  if (extensions.length) mark("draws", "", "not looked at");
  if (failure) {
    mark(failure.rung, "broken", "\u2717 does not hold");
    for (const rung of RUNGS.slice(RUNGS.indexOf(failure.rung) + 1)) mark(rung, "", "not reached");
  }
  said.textContent = outcome(report, seconds(ms));
  const page = report.session === section.dataset.session ? section.dataset.page : undefined;
  found.replaceChildren(...findings(report, page, chosen?.name));
  section.dataset.done = failure ? "broken" : extensions.length ? "partly" : "held";
}

function wrong(words) {
  for (const rung of RUNGS) mark(rung, "", "not looked at");
  said.textContent = `Nothing was checked. ${words}`;
  section.dataset.done = "wrong";
}

function mark(rung, state, words) {
  const row = document.querySelector(`#rung-${rung}`);
  row.className = `rung ${state}`.trim();
  row.querySelector(".state").replaceWith(el("span", { class: "state" }, words));
}

const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;

again.addEventListener("click", () => {
  chosen = undefined;
  start();
});
file.addEventListener("change", () => {
  if (!file.files.length) return;
  [chosen] = file.files;
  file.value = ""; // so that the same one can be chosen again
  start();
});
document.querySelector("#ways").hidden = false;
document.querySelector("#needs").hidden = true;
start();
