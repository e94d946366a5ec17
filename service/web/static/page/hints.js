// What the events around a version say that no part of its table does: how the token went, what the cards showed.

import { own } from "./parts.js";

/** From events as the API gives them, with their bodies, in order up to the version that is shown. What stands before
 * a rewind led elsewhere, and is left out. */
export function hintOf(events, table) {
  const since = events.findLastIndex(({ kind }) => kind === "session.Rewound") + 1;
  const bodies = events.slice(since).map(({ body }) => body ?? {}).reverse();
  const ring = Object.keys(table.boards ?? {}).find((id) => table.boards[id].shape === "ring");
  return { ways: ring === undefined ? [] : ways(ring, bodies, table).reverse(), cards: cards(bodies) };
}

/** The token's last ways, the newest first, back to where a die fell. */
function ways(board, bodies, table) {
  const found = [];
  for (const { start: from, face, steps, ...body } of bodies) {
    if (from !== undefined && face !== undefined) return [...found, { board, from, steps: face, face }];
    if (from !== undefined && steps !== undefined) found.push({ board, from, steps, price: price(body, table) });
  }
  return found;
}

/** The cost in points of the pool that the event names by its field. */
function price(body, { pools }) {
  const paid = Object.keys(body).map((field) => own(pools, `${body.entity}.${field}`)?.label).find(Boolean);
  return body.cost !== undefined && paid !== undefined ? `${body.cost} ${paid}` : undefined;
}

/** What the cards showed that were turned last. */
function cards(bodies) {
  const last = bodies.find(({ cards: turned, results }) => turned !== undefined && results !== undefined);
  return Object.fromEntries((last?.results ?? []).map((says, nth) => [last.cards[nth], { says }]));
}
