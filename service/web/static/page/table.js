// The table of any game: drawn from its generic parts to the same elements as templates/table.html draws.
//
//   draw(element, { table, names, before, hint });   // element: <div class="table">
//
// `before` is the table of the version before, where changes are to be marked. `hint` may say what no part does:
// {ways: [{board, from, steps, face?, price?}], cards: {D05: {says}}}, as hintOf of hints.js finds it in the
// events; and what buttons to draw, {ahead: [{board, point, label, refused?}]}.

import { card, cards, chain, pile, pips } from "./cards.js";
import { become, el } from "./nodes.js";
import { belonging, cast, change, ending, label, nameOf, own, rows, seatOf } from "./parts.js";
import { line, ring, ways } from "./ring.js";

/** Draws, and leaves what is the same as it was. */
export function draw(element, shown) {
  const fresh = element.cloneNode(false);
  const sections = [boards, orders, tasks, entities, between, loose].flatMap((section) => section(shown));
  fresh.append(...(sections.length > 0 ? sections : [el("p", { class: "quiet" }, "Nothing is on the table yet.")]));
  become(element, fresh);
}

const boards = (shown) => some("div", "boards", placed(shown, false));

function between(shown) {
  const all = placed(shown, true);
  return all.length === 0 ? [] : [el("section", { class: "between" }, el("h3", {}, "Between them"), all)];
}

/** The boards of the table, or those that lie between entities. */
const placed = (shown, isBetween) => rows(shown.table.boards)
  .filter(([id]) => (own(shown.table.entities, id.split(".")[0]) !== undefined) === isBetween)
  .map(([id, each]) => board(shown, id, each));

function board(shown, id, each) {
  const isRing = each.shape === "ring";
  const [picture, lines] = isRing ? ring(each, ways(each, id, shown.hint)) : [line(each), []];
  return el("figure", marked(shown, "boards", id, isRing ? "board round" : "board"),
    el("figcaption", {},
      el("strong", {}, label(shown, id)), lines.map((said) => el("span", {}, said)), mark(shown, "boards", id)),
    picture, some("ul", "ahead", ahead(shown, id)));
}

const ahead = ({ hint }, id) => (hint?.ahead ?? []).filter(({ board: on }) => on === id).map((each) =>
  el("li", {},
    el("button", { type: "button", "data-board": id, "data-point": String(each.point),
      "aria-disabled": each.refused !== undefined && "true" }, each.label),
    each.refused !== undefined && el("span", { class: "quiet" }, each.refused)));

const orders = (shown) => rows(shown.table.order).map(([id, order]) =>
  el("section", marked(shown, "order", id, "order"),
    el("h3", {}, `Order: ${label(shown, id)}`), mark(shown, "order", id),
    el("ol", {}, order.ids.map((each) =>
      el("li", { "aria-current": each === order.current && "true" },
        el("span", {}, nameOf(shown, each)), each === order.current && el("strong", {}, "acts now"))))));

function tasks(shown) {
  const all = rows({ ...shown.before?.tasks, ...shown.table.tasks }).map(([id, each]) => task(shown, id, each));
  return all.length === 0 ? [] : [el("section", { class: "tasks" }, el("h3", {}, "Open now"), el("ul", {}, all))];
}

function task(shown, id, { seat, label: what, waits, sheet = {} }) {
  if (own(shown.table.tasks, id) === undefined) return gone("tasks", id, what);
  const { entity, ...others } = sheet;
  return el("li", marked(shown, "tasks", id, "task"),
    el("strong", {}, what), el("span", {}, entity === undefined ? seatOf(shown, seat) : nameOf(shown, entity)),
    el("span", {}, `next: ${waits}`), mark(shown, "tasks", id),
    some("dl", "", rows(others).filter(([, value]) => value).map(([name, value]) => row(name, nameOf(shown, value)))));
}

const entities = (shown) => some("div", "entities", cast(shown).map(([id, entity]) => {
  const holds = belongings(shown, id);
  return el("section", marked(shown, "entities", id, "entity"),
    el("h3", {}, entity.name),
    el("p", { class: "quiet" },
      [entity.kind, entity.seat && `played by ${seatOf(shown, entity.seat)}`, entity.status].map((said) =>
        said && el("span", {}, said)),
      mark(shown, "entities", id)),
    holds, sheet(shown, id, entity.sheet, holds.length > 0));
}));

function loose(shown) {
  const all = belongings(shown, undefined);
  return all.length === 0 ? [] : [el("section", { class: "entity" }, el("h3", {}, "Beside them"), all)];
}

const belongings = (shown, who) => [
  ...some("div", "pools", belonging(shown, "pools", who).map((row) => pool(shown, ...row))),
  ...some("ul", "conditions", belonging(shown, "conditions", who, true).map((row) => condition(shown, ...row))),
  ...belonging(shown, "decks", who).map((row) => deck(shown, ...row)),
  ...belonging(shown, "dice", who).map(([id, each]) =>
    el("div", marked(shown, "dice", id, "die"),
      el("span", {}, ending(id)), chain(each), mark(shown, "dice", id))),
];

const pool = (shown, id, { label: name, now, max }) =>
  el("div", marked(shown, "pools", id, "pool"),
    el("span", {}, name), pips(now, max), el("b", {}, max === undefined ? String(now) : `${now} of ${max}`),
    mark(shown, "pools", id));

function condition(shown, id, { label: name, rounds }) {
  if (own(shown.table.conditions, id) === undefined) return gone("conditions", id, name);
  return el("li", marked(shown, "conditions", id, "condition"),
    el("strong", {}, name),
    rounds !== undefined && el("span", {}, rounds === 1 ? "1 round left" : `${rounds} rounds left`),
    mark(shown, "conditions", id));
}

function deck(shown, id, { remaining: left, up = [], edge, discard = [] }) {
  const counting = Object.values(shown.table.tasks ?? {}).map(({ sheet }) => sheet?.entity === id && sheet.card);
  return el("div", marked(shown, "decks", id, "deck"),
    el("div", { class: "lie" },
      pile(left), mark(shown, "decks", id),
      some("ul", "up", up.map((name) =>
        card(name, counting.includes(name), own(shown.hint?.cards, name)?.says, edge)))),
    el("details", {},
      el("summary", {}, `Discard: ${cards(discard.length)}`),
      el("p", {}, discard.length > 0 ? discard.join(", ") : "None yet.")));
}

/** The lines of an entity's sheet, folded where it has something else to show. */
function sheet(shown, id, values = {}, isFolded) {
  const old = own(shown.before?.entities, id);
  const lines = rows(values).map(([name, value]) => {
    const was = old === undefined ? value : own(old.sheet, name);
    return row(name, value, was !== value && (was === undefined ? "new" : `was ${was}`));
  });
  const all = some("dl", "", lines);
  return isFolded && lines.length > 0 ? [el("details", {}, el("summary", {}, "Sheet"), all)] : all;
}

const row = (name, value, was) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, el("span", {}, value), was && el("span", { class: "change" }, was)));

/** In a list, where there are any. */
const some = (tag, name, all) => (all.length === 0 ? [] : [el(tag, { class: name || undefined }, all)]);

const gone = (kind, id, name) =>
  el("li", { class: "gone changed", "data-part": `${kind}/${id}` },
    el("s", {}, name), el("span", { class: "change" }, "gone"));

const marked = (shown, kind, id, name) =>
  ({ class: change(shown, kind, id) ? `${name} changed` : name, "data-part": `${kind}/${id}` });

function mark(shown, kind, id) {
  const said = change(shown, kind, id);
  return said && el("span", { class: "change" }, said);
}
