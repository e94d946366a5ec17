/** Decks and dice that belong to characters, by ids such as ana or ana.rope. */

import { words } from "../text";
import type { TableSession } from "./session.svelte";

/**
 * Return the things to show: those of all, and those of one character. It is the acting one; or, if that has
 * none, the one that rolled last.
 */
export function shownThings<T>(table: TableSession, things: Record<string, T> = {}): [string, T][] {
  const owners = Object.keys(things).flatMap((id) => ownerOf(table, id) ?? []);
  const rolled = table.turns.flatMap(({ undone, cards = [] }) => (undone ? [] : cards.map((card) => card.entity)));
  const whose = [table.acting, ...rolled.reverse(), ...owners].find((each) => each && owners.includes(each));
  return Object.entries(things).filter(([id]) => [undefined, whose].includes(ownerOf(table, id)));
}

/** Return the character that a thing belongs to, if it belongs to one. */
export function ownerOf(table: TableSession, id: string): string | undefined {
  const [owner = ""] = id.split(".");
  return owner in (table.session?.table.entities ?? {}) ? owner : undefined;
}

/** Return the name of a thing; that of a character's only thing is the character's. */
export function thingName(table: TableSession, id: string): string {
  const [owner = "", ...rest] = id.split(".");
  return rest.length ? words(rest.join(".")) : table.name(owner);
}
