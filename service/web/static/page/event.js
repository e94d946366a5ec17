// The event of the version that is shown: its words at once, its values and proofs once nobody moves on.

import { pageAt } from "./address.js";
import { changes, written } from "./changed.js";
import { markOf } from "./log.js";
import { become, el, facts } from "./nodes.js";
import { shown } from "./stage.js";
import { GRADES, saidBy } from "./words.js";

const STILL = 150; // ms
// What a seat's name cannot contain; domain/session/display_names.py alike.
const FORBIDDEN = /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;

export function start(page) {
  const { view, element } = page;
  const panel = element.querySelector("#event");
  let waiting;
  view.addEventListener("moved", () => {
    show(page, panel, undefined);
    clearTimeout(waiting);
    waiting = setTimeout(() => look(page, panel), STILL);
  });
}

async function look(page, panel) {
  const { at } = page.view;
  if (at === 0) return;
  try {
    const detail = await page.ask(`/events/${at}`);
    if (page.view.at === at) show(page, panel, detail);
  } catch (error) {
    page.fail(error);
  }
}

function show(page, panel, detail) {
  const { at } = page.view;
  const title = page.element.querySelector("#event-title");
  title.textContent = at > 0 ? `Version ${at}` : "Before the first event";
  const line = detail?.event ?? page.lines.now(at);
  const fresh = panel.cloneNode(false);
  if (line !== undefined) fresh.append(...parts(page, line, detail));
  become(panel, fresh);
}

const parts = (page, line, detail) => [
  el("p", { class: "says" }, saidBy(line)),
  facts(said(page, line, detail)),
  changed(page),
  detail !== undefined && links(page, line, detail),
].filter(Boolean);

function said(page, line, detail) {
  const { turn, draw } = detail ?? {};
  const { kind, ...fields } = (draw?.drawn_version !== line.version && detail?.event.body) || {};
  return [
    ["Who", page.name(line.seat)],
    ["When", el("time", { datetime: line.at }, moment(line.at))],
    turn === undefined ? ["Turn", String(line.turn)] :
      ["Turn", `${line.turn}: `, to(page, turn.first), " to ", to(page, turn.last)],
    line.highlight !== undefined && ["Mark", markOf(line.highlight)],
    line.undone && ["Undone", "by a later rewind"],
    line.grade !== undefined && ["Grade", `${line.grade}: ${GRADES[line.grade]}`],
    line.kind !== undefined && ["Kind", el("code", {}, line.kind)],
    ...Object.entries(fields).map(([name, value]) => [name.replaceAll("_", " "), content(kind, value)]),
    ...(draw === undefined ? [] : drawn(page, draw)),
  ];
}

const content = (kind, value) =>
  kind === "session.SeatNamed" ? written(value).replace(FORBIDDEN, "\ufffd") : written(value);

const drawn = (page, { number, declared_version: declared, drawn_version: at, values, contributions }) => [
  ["Draw", `${number}: declared at `, to(page, declared), ", drawn at ", to(page, at)],
  ["Values", values?.map(({ sides, face }) => `d${sides} shows ${face}`).join(", ") ?? "sealed"],
  ["Links from", contributions.map(({ seat }) => page.name(seat)).join(", ")],
];

function changed(page) {
  const here = shown(page);
  const found = here === undefined ? [] : changes(here);
  return el("details", { id: "changed" },
    el("summary", {}, "What changed"),
    found.length === 0 ? el("p", {}, "Nothing on the table.") :
      el("ul", { class: "changes" },
        found.map(({ what, how }) => el("li", {}, el("strong", {}, what), " ", el("span", {}, how)))));
}

function links({ data }, { version }, { links: { inclusion }, turn, draw }) {
  const refused = noRewind(data);
  const way = refused === "" ? { href: `${data.page}/rewind?to=${turn.last}` } :
    { "aria-disabled": "true", role: "link" };
  return el("details", {},
    el("summary", {}, "Proof, link, rewind"),
    el("ul", { class: "ways" },
      el("li", {}, el("a", { href: inclusion }, "Proof that it is in the log")),
      draw !== undefined && el("li", {},
        el("a", { href: `${data.path}/draws/${draw.number}/proof`, download: "" }, "Proof of its roll")),
      el("li", {}, el("a", { href: pageAt(data, version) }, "Link to this version")),
      el("li", {}, el("a", way, `Rewind to ${turn.last === version ? "here" : `${turn.last}, the end of this turn`}`),
        refused !== "" && [" ", el("span", { class: "quiet" }, refused)])));
}

function noRewind({ closed, role }) {
  if (closed) return "The evening is closed.";
  return role === "gm" ? "" : "The GM rewinds.";
}

const to = ({ data }, version) => el("a", { href: pageAt(data, version) }, String(version));

function moment(at) {
  const [, day, month, year, time] = new Date(at).toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}, ${time.slice(0, 5)} UTC`;
}
