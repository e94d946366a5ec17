/** Every hash of a log: a seat's chain, a draw's seed and values, commitments, signed messages (docs/fairness.md). */

import { type Bytes, byBytes, concat, u32, u64, utf8 } from "./bytes.ts";
import { hmacSha256, sha256 } from "./hashes.ts";

/** A link of a seat's chain. */
export interface Link {
  seat: string;
  chain: number;
  position: number;
  link: Bytes;
}

const WORDS = 2 ** 32;
const labels = new Map<string, Bytes>();

/** Return the field after its length as u32. */
const LP = (field: Bytes): Bytes => concat(u32(field.length), field);
const DRAW_2 = LP(utf8("fairlog/v2/draw"));

export const H = (label: string, ...fields: Bytes[]): Bytes => hashed(labelled(label), fields);

function hashed(label: Bytes, fields: Bytes[]): Bytes {
  const parts = [label];
  for (const field of fields) parts.push(u32(field.length), field);
  return sha256(concat(...parts));
}

function labelled(label: string): Bytes {
  const known = labels.get(label);
  if (known) return known;
  const made = LP(utf8(`fairlog/v1/${label}`));
  labels.set(label, made);
  return made;
}

/** Return link i-1 of a seat's chain, given link i. */
export const linkBelow = (session: Bytes, seat: string, chain: number, i: number, link: Bytes): Bytes =>
  H("chain", session, utf8(seat), u32(chain), u32(i), link);

/** Return the link at position `to` of the chain that has this link at position `from`. */
export function linkDown(session: Bytes, seat: string, chain: number, from: number, to: number, link: Bytes): Bytes {
  let below = link;
  for (let i = from; i > to; i--) below = linkBelow(session, seat, chain, i, below);
  return below;
}

/** Return link 0 (the anchor) to link `length` (`last`), by position. */
export function links(session: Bytes, seat: string, chain: number, last: Bytes, length: number): Bytes[] {
  const found = [last];
  for (let i = length; i > 0; i--) found.push(linkBelow(session, seat, chain, i, found.at(-1)!));
  return found.reverse();
}

/**
 * Return the seed of draw k. The contributions can be in any order, and `blind` is empty or 32 bytes.
 * In format 2, `entropy` is empty or 32 bytes; in format 1, it is undefined.
 */
export function seed(
  session: Bytes,
  k: number,
  contributions: readonly Link[],
  blind: Bytes = new Uint8Array(),
  entropy: Bytes | undefined = undefined,
): Bytes {
  const each = [...contributions].sort((a, b) => byBytes(a.seat, b.seat));
  const given = each.flatMap(({ seat, chain, position, link }) => [utf8(seat), u32(chain), u32(position), link]);
  const fields = [session, u64(k), u32(each.length), ...given, blind];
  return entropy ? hashed(DRAW_2, [...fields, entropy]) : H("draw", ...fields);
}

/** Yield the endless 32-bit words of one lane. */
export function* words(seeded: Bytes, lane: string): Generator<number, never> {
  for (let counter = 0; ; counter++) {
    const view = new DataView(hmacSha256(seeded, labelled("word"), LP(utf8(lane)), u32(counter)).buffer);
    for (let i = 0; i < 8; i++) yield view.getUint32(4 * i);
  }
}

/** Return 0 to n-1, each equally likely, for 1 <= n <= 2^32. */
export function uniform(seeded: Bytes, lane: string, n: number): number {
  if (!Number.isInteger(n) || n < 1 || n > WORDS) throw new RangeError(`uniform over ${n}`);
  const fair = WORDS - (WORDS % n);
  const source = words(seeded, lane);
  for (;;) {
    const word = source.next().value;
    if (word < fair) return word % n;
  }
}

/** Return the i-th value, from 0, of a draw: 1 to n. Return undefined if no die has that number of sides. */
export const value = (seeded: Bytes, i: number, n: number): number | undefined =>
  n >= 1 && n <= WORDS ? 1 + uniform(seeded, String(i), n) : undefined;

/** Return the card that a flip takes, of cards in canonical order, and the cards without it. */
export function flip<Card>(cards: readonly Card[], nth: number): { card: Card | undefined; left: Card[] } {
  return { card: cards[nth - 1], left: [...cards.slice(0, nth - 1), ...cards.slice(nth)] };
}

export const bodyCommitment = (salt: Bytes, body: Bytes): Bytes => H("body", salt, body);
export const commandCommitment = (salt: Bytes, command: Bytes): Bytes => H("command", salt, command);
export const blindCommitment = (session: Bytes, k: number, b: Bytes): Bytes => H("blind", session, u64(k), b);

/** What is signed, of canonical JSON: a contribution, the server's receipt for it, a seat's own event. */
export const contributionMessage = (json: string): Bytes => concat(labelled("contribution"), utf8(json));
export const receiptMessage = (json: string): Bytes => concat(labelled("receipt"), utf8(json));
export const seatMessage = (json: string): Bytes => concat(labelled("seat"), utf8(json));
