/** What differs between two tables, in words. */

import type { Session } from "../api/client";
import { label as capitalised, text } from "../text";

type Table = Session["table"];

export interface Difference {
  /** The id of the entity that it concerns, if any. */
  entity?: string;
  what: string;
  from?: string;
  to?: string;
}

type Name = (id: string) => string;
type Parts<T> = Record<string, T> | undefined;

/** List what differs, entity by entity. `name` returns the name of an entity or a seat. */
export function differences(before: Table, after: Table, name: Name): Difference[] {
  const found = [
    ...ofEntities(before, after, name),
    ...ofPools(before, after, name),
    ...ofConditions(before, after, name),
    ...ofBoards(before, after, name),
    ...ofOthers(before, after, name),
  ];
  const order = [...new Set(found.map((each) => each.entity ?? ""))];
  return found.sort((a, b) => order.indexOf(a.entity ?? "") - order.indexOf(b.entity ?? ""));
}

/** Yield the ids of parts that differ, with the parts. Parts that are shared are not compared. */
function* changed<T>(before: Parts<T>, after: Parts<T>): Generator<[string, T | undefined, T | undefined]> {
  if (before === after) return;
  for (const id of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    const [old, now] = [before?.[id], after?.[id]];
    if (old !== now && JSON.stringify(old) !== JSON.stringify(now)) yield [id, old, now];
  }
}

function* ofEntities(before: Table, after: Table, name: Name): Generator<Difference> {
  for (const [entity, old, now] of changed(before.entities, after.entities)) {
    const what = now?.name ?? old?.name ?? name(entity);
    if (!old) yield { entity, what, to: text.review.isNew };
    else if (!now) yield { entity, what, to: text.review.isGone };
    else {
      if (old.name !== now.name) yield { entity, what: text.review.nameOf, from: old.name, to: now.name };
      if (old.status !== now.status) yield { entity, what, from: old.status, to: now.status };
      if (old.seat !== now.seat) yield { entity, what, from: name(`@${old.seat}`), to: name(`@${now.seat}`) };
      for (const [row, from, to] of changed(old.sheet, now.sheet)) {
        yield { entity, what: text.review.owned(what, row), from, to: to ?? text.review.isGone };
      }
    }
  }
}

function* ofPools(before: Table, after: Table, name: Name): Generator<Difference> {
  const isOwned = (entity: string) => entity in (after.entities ?? {}) || entity in (before.entities ?? {});
  for (const [, old, now] of changed(before.pools, after.pools)) {
    const { entity, label } = (now ?? old)!;
    // The pools of a character that is new or gone say nothing of their own.
    if (!old && !(entity in (before.entities ?? {})) && isOwned(entity)) continue;
    if (!now && !(entity in (after.entities ?? {})) && isOwned(entity)) continue;
    const what = isOwned(entity) ? text.review.owned(name(entity), label) : label;
    const owner = isOwned(entity) ? { entity } : {};
    if (old?.now !== now?.now) yield { ...owner, what, ...between(old?.now, now?.now) };
    if (old && now && old.max !== now.max) {
      yield { ...owner, what: text.review.maximum(what), ...between(old.max, now.max) };
    }
  }
}

function* ofConditions(before: Table, after: Table, name: Name): Generator<Difference> {
  for (const [, old, now] of changed(before.conditions, after.conditions)) {
    const { entity, label } = (now ?? old)!;
    const what = name(entity);
    if (!old) yield { entity, what, to: label };
    else if (!now) yield { entity, what, to: text.review.noLonger(label) };
    else yield { entity, what: text.review.owned(what, label), ...between(left(old), left(now)) };
  }
}

function left(condition: { rounds?: number; minutes?: number }): string | undefined {
  if (condition.rounds !== undefined) return text.review.rounds(condition.rounds);
  return condition.minutes === undefined ? undefined : text.review.minutes(condition.minutes);
}

function* ofBoards(before: Table, after: Table, name: Name): Generator<Difference> {
  for (const [id, old, now] of changed(before.boards, after.boards)) {
    yield { what: named(id, name), ...between(old?.points[old.index], now?.points[now.index]) };
  }
}

function* ofOthers(before: Table, after: Table, name: Name): Generator<Difference> {
  for (const [id, old, now] of changed(before.dice, after.dice)) {
    const die = (sides?: number) => (sides === undefined ? undefined : sides ? `d${sides}` : text.usedUp);
    yield { what: named(id, name), ...between(die(old?.sides), die(now?.sides)) };
  }
  for (const [id, old, now] of changed(before.decks, after.decks)) {
    const up = (now?.up ?? []).join(" ");
    const from = (old?.up ?? []).join(" ");
    if (up !== from) yield { what: named(id, name), ...between(from || "–", up || "–") };
    else if (old?.remaining !== now?.remaining) {
      yield { what: text.review.owned(named(id, name), text.left), ...between(old?.remaining, now?.remaining) };
    }
  }
  for (const [id, old, now] of changed(before.order, after.order)) {
    const current = (order: typeof now) => (order?.current === undefined ? undefined : name(order.current));
    yield { what: named(id, name), ...between(current(old), current(now)) };
  }
}

function between(from: unknown, to: unknown): { from?: string; to?: string } {
  return {
    ...(from === undefined ? {} : { from: String(from) }),
    to: to === undefined ? text.review.isGone : String(to),
  };
}

/** Write an id such as belfry.ana.distance with the names of its parts. */
function named(id: string, name: Name): string {
  return capitalised(id.split(".").map(name).join(" · "));
}
