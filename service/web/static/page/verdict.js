// What a report of the verifier says, in words and tables.

import { el, facts } from "./nodes.js";

/** One sentence. */
export function outcome({ failure, counts, extensions }, time) {
  if (!failure && extensions.length)
    return `Checked in part: bytes and tree hold. The log uses ${extensions.join(", ")}, which is not known here.`;
  if (!failure) return `Valid on all three rungs: ${counts.events} events and ${counts.draws} draws in ${time}.`;
  const whose = failure.parent ? "of the log that it was forked from " : "";
  return `Not valid: version ${failure.version} ${whose}is the first that does not hold.`;
}

/** Elements that say the rest. `page`: the session's own, for links, undefined where the log is another's. */
export const findings = (report, page, file) =>
  [fault(report.failure, page), held(report, file), voids(report.draws, page)].filter(Boolean);

function fault(failure, page) {
  if (!failure) return undefined;
  const version = page && failure.version && !failure.parent ? at(failure.version, page) : `${failure.version}`;
  return facts([
    ["Where", el("span", {}, "version ", version, `, rung ${failure.rung}`)],
    ["What", el("code", {}, failure.code)],
    ["Expected", failure.expected],
    ["Found", failure.found],
  ], "facts wrong-facts");
}

function held({ session, logKey, counts, draws, openEnd }, file) {
  return facts([
    file && ["File", file],
    ["Session", el("code", {}, session ?? "none")],
    ["Key to compare", el("code", {}, logKey ?? "none")],
    ["Events", `${counts.events} in ${counts.turns} turns`],
    ["Draws", `${counts.draws}, of these ${counts.voids} given up`],
    ["Grades", grades(draws)],
    openEnd && ["Open end", `the draw declared at version ${openEnd} waits`],
  ]);
}

function grades(draws) {
  const count = new Map();
  for (const { status, grade } of draws) if (status === "drawn") count.set(grade, (count.get(grade) ?? 0) + 1);
  return [...count].sort().map(([grade, times]) => `${grade}: ${times}`).join(", ") || "none";
}

function voids(draws, page) {
  const given = draws.filter(({ status }) => status === "void");
  if (!given.length) return undefined;
  const rows = given.map(({ k, version, missing, shadow }) =>
    el("tr", {}, el("th", { scope: "row" }, `${k}`), el("td", {}, page ? at(version, page) : `${version}`),
      el("td", {}, missing.join(", ")), el("td", {}, shadow ? el("code", {}, shadow) : "not known yet")));
  const heads = ["Draw", "Declared at", "No link from", "Seed that it would have had"];
  const head = el("tr", {}, heads.map((each) => el("th", { scope: "col" }, each)));
  const table = el("table", {}, el("caption", {}, "Draws that were given up"), el("thead", {}, head),
    el("tbody", {}, rows));
  return el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Draws that were given up" }, table);
}

const at = (version, page) => el("a", { href: `${page}?at=${version}` }, `${version}`);
