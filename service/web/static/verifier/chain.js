// Every hash of a log: a seat's chain, a draw's seed and values, commitments, signed messages (docs/fairness.md).

import { byBytes, concat, u32, u64, utf8 } from "./bytes.js";
import { hmacSha256, sha256 } from "./sha256.js";

const WORDS = 2 ** 32;
const labels = new Map();

/** The field behind its length as u32. */
const LP = (field) => concat(u32(field.length), field);
const DRAW_2 = LP(utf8("fairlog/v2/draw"));

export const H = (label, ...fields) => hashed(labelled(label), fields);

function hashed(label, fields) {
  const parts = [label];
  for (const field of fields) parts.push(u32(field.length), field);
  return sha256(...parts);
}

function labelled(label) {
  if (!labels.has(label)) labels.set(label, LP(utf8(`fairlog/v1/${label}`)));
  return labels.get(label);
}

/** link_{i-1} of a seat's chain. */
export const linkBelow = (session, seat, chain, i, link) =>
  H("chain", session, utf8(seat), u32(chain), u32(i), link);

/** The link at position `to` of the chain that has this link at position `from`. */
export function linkDown(session, seat, chain, from, to, link) {
  let below = link;
  for (let i = from; i > to; i--) below = linkBelow(session, seat, chain, i, below);
  return below;
}

/** link_0 (the anchor) to link_length (`last`), by position. */
export function links(session, seat, chain, last, length) {
  const found = [last];
  for (let i = length; i > 0; i--) found.push(linkBelow(session, seat, chain, i, found.at(-1)));
  return found.reverse();
}

/** The seed of draw k; contributions {seat, chain, position, link} in any order, `blind` empty or 32 bytes.
 * In format 2, `entropy` is empty or 32 bytes; in format 1, it is undefined. */
export function seed(session, k, contributions, blind = new Uint8Array(), entropy = undefined) {
  const each = [...contributions].sort((a, b) => byBytes(a.seat, b.seat));
  const given = each.flatMap(({ seat, chain, position, link }) => [utf8(seat), u32(chain), u32(position), link]);
  const fields = [session, u64(k), u32(each.length), ...given, blind];
  return entropy ? hashed(DRAW_2, [...fields, entropy]) : H("draw", ...fields);
}

/** The endless 32-bit words of one lane. */
export function* words(seeded, lane) {
  for (let counter = 0; ; counter++) {
    const view = new DataView(hmacSha256(seeded, labelled("word"), LP(utf8(lane)), u32(counter)).buffer);
    for (let i = 0; i < 8; i++) yield view.getUint32(4 * i);
  }
}

/** 0..n-1, equally likely, for 1 <= n <= 2^32. */
export function uniform(seeded, lane, n) {
  if (!Number.isInteger(n) || n < 1 || n > WORDS) throw new RangeError(`uniform over ${n}`);
  const fair = WORDS - (WORDS % n);
  for (const word of words(seeded, lane)) if (word < fair) return word % n;
}

/** 1..n: the i-th value, from 0, of a draw; undefined where a die has no such number of sides. */
export const value = (seeded, i, n) => (n >= 1 && n <= WORDS ? 1 + uniform(seeded, String(i), n) : undefined);

/** The entry that a flip takes: cards in canonical order without it, and it. */
export function flip(cards, nth) {
  return { card: cards[nth - 1], left: [...cards.slice(0, nth - 1), ...cards.slice(nth)] };
}

export const bodyCommitment = (salt, body) => H("body", salt, body);
export const commandCommitment = (salt, command) => H("command", salt, command);
export const blindCommitment = (session, k, b) => H("blind", session, u64(k), b);

/** What is signed, of canonical JSON: a contribution, the house's receipt for it, a seat's own event. */
export const contributionMessage = (json) => concat(labelled("contribution"), utf8(json));
export const receiptMessage = (json) => concat(labelled("receipt"), utf8(json));
export const seatMessage = (json) => concat(labelled("seat"), utf8(json));

