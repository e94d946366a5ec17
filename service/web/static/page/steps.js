// Where to go from a version: turns, what stands out, the other ways of a fork.

import { fork } from "./lineage.js";

/** The next version by `by` (1, -1) that ends its turn; 0 is before all turns. */
export async function turn({ lines, view: { at, head } }, by) {
  for (let version = at + by; version > 0 && version < head; version += by) {
    if ((await lines.at(version)).turn !== (await lines.at(version + 1)).turn) return version;
  }
  return by > 0 ? head : 0;
}

/** The next version by `by` (1, -1) that stands out: a mark, a void, somebody whose state changed. */
export async function marked({ lines, store, view: { at, head } }, by) {
  for (let version = at + by; version > 0 && version <= head; version += by) {
    if (standsOut(await lines.at(version), store.now(version), store.now(version - 1))) return version;
  }
  return undefined;
}

function standsOut({ highlight: mark, kind }, now, before) {
  if (mark !== undefined || kind === "session.DrawVoided") return true;
  const changed = now?.event?.patch?.entities ?? {};
  const old = before?.table.entities ?? {};
  return Object.keys(changed).some((id) => changed[id]?.status !== undefined && Object.hasOwn(old, id));
}

/** The first version of the next way (by 1, -1) at the nearest fork: {version, from, nth, of}, or undefined. */
export function otherWay({ lines, view: { at, head } }, by) {
  const found = fork(lines.rewinds, at, head);
  if (found === undefined) return undefined;
  const of = found.ways.length;
  const none = by > 0 ? -1 : 0; // so that the first step leads to the first way, or the last
  const nth = ((found.nth < 0 ? none : found.nth) + by + of) % of;
  return { version: found.ways[nth], from: found.from, nth, of };
}
