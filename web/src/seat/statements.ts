/** What a seat sends in its own name: chains, presence and contributions, each signed, and stored before it is sent. */

import type { Contributor } from "./log-events.ts";
import type { LogWatcher } from "./log-watcher.ts";
import type { StoredSeat } from "./stored-seat.ts";
import { type Bytes, unhex } from "../verifier/bytes.ts";
import { emit } from "../verifier/canonical.ts";
import { contributionMessage, receiptMessage, seatMessage } from "../verifier/chain.ts";
import type { Receipt } from "../verifier/events.ts";
import { Fault } from "../verifier/fault.ts";
import type { Seat } from "../verifier/seats.ts";
import type { Verify } from "../verifier/signatures.ts";

/** The next chain is anchored if at most this number of links is left. */
const MIN_LINKS_LEFT = 64;
const ROLLED_OVER = "rolled over";

/** The place of a link that the server requests from the old chain. */
export interface RequestedLink {
  chain: number;
  position: number;
}

export interface FirstChain {
  public_key: string;
  length: number;
  anchor: string;
  previous_link?: string;
  signature: string;
}

export interface NextChain {
  anchor: string;
  length: number;
  previous_link?: string;
  signature: string;
}

/** A signed statement of the seat about itself. */
export interface Statement {
  [field: string]: unknown;
  signature: string;
}

/** A change that the next draws need: a chain or the seat's presence. */
export type NeededChange = { chain: FirstChain | NextChain } | { present: boolean };

/**
 * Return a seat's key and chain, with which it is taken. `number` follows that of the last chain in
 * the log. Throws Fault if `requested` is not a link of that chain.
 */
export async function firstChain(
  stored: StoredSeat,
  role: string,
  number = 0,
  requested?: RequestedLink,
): Promise<FirstChain> {
  if (requested && requested.chain !== number - 1) {
    throw new Fault("E_CHAIN", `chain ${requested.chain}`, `chain ${number - 1}`);
  }
  const previous = requested ? await previousLink(stored, requested) : {};
  const chain = stored.chain(number);
  await stored.save();
  const { length } = chain;
  const body = { public_key: stored.keys.publicKey, length, anchor: stored.link(chain, 0), ...previous };
  const event = { kind: "session.SeatTaken", chain: number, role, seat: stored.data.seat, ...body };
  return { ...body, signature: await sign(stored, event) };
}

/** Reveal a link of a chain that is replaced. No draw gets this link, or an earlier one, any more. */
async function previousLink(stored: StoredSeat, { chain: number, position }: RequestedLink) {
  const chain = stored.findChain(number);
  if (!chain) throw new Fault("E_CHAIN", `chain ${number}`, "one of its own");
  const wasRevealed = chain.position >= position; // it came too late for its draw
  const link = wasRevealed ? stored.link(chain, position) : await stored.reveal(chain, position, ROLLED_OVER);
  return { previous_link: link };
}

/**
 * Return what the next draws need of the seat, or undefined if they need nothing or a draw waits. In
 * format 1, a seat with a void to explain is absent while its old chain's next link is sent, so that
 * no draw requests that link.
 */
export async function neededChange(stored: StoredSeat, watcher: LogWatcher): Promise<NeededChange | undefined> {
  const { mine } = watcher;
  if (watcher.waiting || !mine?.isThere) return undefined;
  if (mine.chain < 0) return { chain: await firstChain(stored, watcher.role) };
  if (mine.length - mine.position <= MIN_LINKS_LEFT) {
    if (watcher.format === 1 && hasVoidToExplain(mine) && !mine.isAway) return { present: false };
    return { chain: await nextChain(stored, watcher) };
  }
  return mine.isAway ? { present: true } : undefined;
}

/** Return the change with which a seat stays out of the next draws, or undefined if it need not send one. */
export function neededAbsence({ mine, waiting }: LogWatcher): NeededChange | undefined {
  const isContributing = mine?.isThere && !mine.isAway && mine.chain >= 0;
  return isContributing && !waiting ? { present: false } : undefined;
}

/**
 * Return the chain that replaces the one in use. If a voided draw requested a link of the old chain,
 * that link is revealed; in format 1, it is the next link of an absent seat.
 */
export async function nextChain(stored: StoredSeat, watcher: LogWatcher): Promise<NextChain> {
  const { seat, format } = watcher;
  const mine = required(watcher);
  const next = stored.chain(mine.chain + 1);
  let previous = {};
  if (format > 1 && mine.shown < mine.position) previous = await previousLink(stored, mine);
  if (format === 1 && hasVoidToExplain(mine) && mine.isAway) {
    previous = { previous_link: await stored.reveal(stored.chain(mine.chain), mine.position + 1, ROLLED_OVER) };
  }
  await stored.save();
  const body = { anchor: stored.link(next, 0), length: next.length, ...previous };
  const event = { kind: "session.ChainAnchored", chain: next.number, seat, ...body };
  return { ...body, signature: await sign(stored, event) };
}

/** Return true if a draw was voided because of the seat, and the next link would show its values. */
const hasVoidToExplain = ({ shown, position, length }: Seat): boolean => shown < position && position < length;

/** Return true if the link was revealed with a next chain: the house may have known it before the draw. */
export const wasRolledOver = ({ data }: StoredSeat, number: number, position: number): boolean =>
  data.chains.some(
    (chain) => chain.number === number && chain.position === position && chain.request === ROLLED_OVER,
  );

/** Return true if the next draw could request a link that was revealed. The next chain must then come first. */
export function isRolledOver(stored: StoredSeat, watcher: LogWatcher): boolean {
  const mine = required(watcher);
  return wasRolledOver(stored, mine.chain, mine.position + 1);
}

export const presenceStatement = (stored: StoredSeat, watcher: LogWatcher, present: boolean): Promise<Statement> =>
  statement(stored, watcher, "session.PresenceSet", { present });

export const leavingStatement = (stored: StoredSeat, watcher: LogWatcher): Promise<Statement> =>
  statement(stored, watcher, "session.SeatLeft", {});

/** Sign and store a statement. In format 2, it names the last checkpoint that the seat has seen. */
async function statement(
  stored: StoredSeat,
  watcher: LogWatcher,
  kind: string,
  fields: Record<string, unknown>,
): Promise<Statement> {
  const { root, size } = stored.data;
  const body = watcher.format === 1 ? fields : { ...fields, seen_root: root, seen_size: size };
  const signature = await sign(stored, { kind, nth: required(watcher).nth + 1, seat: watcher.seat, ...body });
  await stored.addStatement(signature);
  return { ...body, signature };
}

function required({ mine, seat }: LogWatcher): Seat {
  if (!mine) throw new Fault("E_ORDER", `no seat ${seat} in the log`, "the seat");
  return mine;
}

const sign = (stored: StoredSeat, event: Record<string, unknown>): Promise<string> =>
  stored.keys.sign(seatMessage(emit({ ...event, session: stored.data.session })));

/**
 * Return the seat's contribution to draw k under the last checkpoint that it saw: the body to send
 * and the object that is signed. The position belongs to this request for good. Throws Fault.
 */
export async function contribution(
  stored: StoredSeat,
  { k, request }: { k: number; request: string },
  [, number, position]: Contributor,
): Promise<{ body: Statement; signed: Receipt["contribution"] }> {
  const { data } = stored;
  const chain = stored.findChain(number);
  if (!chain) throw new Fault("E_CHAIN", `chain ${number}`, "one of its own");
  const link = await stored.reveal(chain, position, request);
  const given = { chain: number, link, position, seen_root: data.root, seen_size: data.size };
  const signed = { ...given, draw: k, request, seat: data.seat, session: data.session };
  return { body: { ...given, signature: await stored.keys.sign(contributionMessage(emit(signed))) }, signed };
}

/** Return the receipt to store. Throws Fault E_SIGNATURE unless the house's key signed it for this contribution. */
export async function checkReceipt(
  signed: Receipt["contribution"],
  receipt: string,
  houseKey: Bytes,
  verify: Verify,
): Promise<Receipt> {
  let isValid = false;
  try {
    isValid = await verify(houseKey, receiptMessage(emit(signed)), unhex(receipt));
  } catch {
    // it is not in hex
  }
  if (!isValid) throw new Fault("E_SIGNATURE", `receipt ${receipt}`, "a signature by the server's key");
  return { contribution: signed, receipt };
}
