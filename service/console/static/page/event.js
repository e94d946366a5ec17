// The event of the version that is shown: its words at once, its values and proofs once nobody moves on.

import { pageAt } from "./address.js";
import { changes, written } from "./changed.js";
import { markOf } from "./log.js";
import { become, el } from "./nodes.js";
import { shown } from "./stage.js";

const STILL = 150; // ms
const GRADES = {
  A: "nobody chose it, the host included, unless all who gave did so together",
  B: "some seat beside the house gave a link; perhaps only the one who asked",
  C: "drawn by the house alone: it cannot be rewritten, but is not protected against the house",
  D: "physical dice, as somebody typed them in",
};
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

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
  el("p", { class: "says" }, line.sealed ? "Sealed: not for your eyes yet." : line.told),
  el("dl", { class: "facts" }, facts(page, line, detail).map(([name, ...value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
  changed(page),
  detail !== undefined && links(page, line, detail),
].filter(Boolean);

function facts(page, line, detail) {
  const { turn = undefined, draw } = detail ?? {};
  const { kind, ...fields } = detail?.event.body ?? {};
  return [
    ["Who", page.name(line.seat)],
    ["When", el("time", { datetime: line.at }, moment(line.at))],
    turn === undefined ? ["Turn", String(line.turn)] :
      ["Turn", `${line.turn}: `, to(page, turn.first), " to ", to(page, turn.last)],
    line.mark !== undefined && ["Mark", markOf(line.mark)],
    line.undone && ["Undone", "by a later rewind"],
    line.grade !== undefined && ["Grade", `${line.grade}: ${GRADES[line.grade]}`],
    line.kind !== undefined && ["Kind", el("code", {}, line.kind)],
    ...Object.entries(fields).map(([name, value]) => [name.replaceAll("_", " "), written(value)]),
    ...(draw === undefined ? [] : drawn(page, draw)),
  ].filter(Boolean);
}

const drawn = (page, { k, declared, drawn: at, values, contributions }) => [
  ["Draw", `${k}: declared at `, to(page, declared), ", drawn at ", to(page, at)],
  ["Values", values?.map(([sides, face]) => `d${sides} shows ${face}`).join(", ") ?? "sealed"],
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

function links({ data }, { version }, { links: { inclusion }, draw }) {
  const refused = noRewind(data);
  const here = pageAt(data, version);
  return el("details", {},
    el("summary", {}, "Proof, link, rewind"),
    el("ul", { class: "ways" },
      el("li", {}, el("a", { href: inclusion }, "Proof that it is in the log")),
      draw !== undefined && el("li", {},
        el("a", { href: `${data.path}/draws/${draw.k}/proof`, download: "" }, "Proof of its roll")),
      el("li", {}, el("a", { href: here }, "Link to this version")),
      el("li", {}, el("a", { href: `${here}#actions`, "aria-disabled": refused !== "" && "true" }, "Rewind to here"),
        refused !== "" && [" ", el("span", { class: "quiet" }, refused)])));
}

function noRewind({ closed, role }) {
  if (closed) return "The evening is closed.";
  return role === "gm" ? "" : "The GM rewinds.";
}

const to = ({ data }, version) => el("a", { href: pageAt(data, version) }, String(version));

const moment = (at) =>
  `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}, ${at.slice(11, 16)} UTC`;
