// What a seat sends in its own name: its chains, its presence, its links; each signed, and saved before it leaves.

import { emit } from "../verifier/canonical.js";
import { contributionMessage, receiptMessage, seatMessage } from "../verifier/chain.js";
import { unhex } from "../verifier/bytes.js";
import { Fault } from "../verifier/fault.js";

const MARGIN = 64; // with so many links left, or fewer, the next chain is anchored
const ROLLED = "rolled over";

/** A chain as a seat brings it, with its key: `number` is that behind the last in the log. `owed`: {chain, position} of
 * the old chain's link that the server asks for. Throws Fault if it asks for one of another chain. */
export async function firstChain(keeping, role, number = 0, owed = undefined) {
  if (owed && owed.chain !== number - 1) throw new Fault("E_CHAIN", `chain ${owed.chain}`, `chain ${number - 1}`);
  const shown = owed ? await lastLink(keeping, owed) : {};
  const chain = keeping.chain(number);
  await keeping.save();
  const [anchor, { key }, { length }] = [keeping.link(chain, 0), keeping.keys, chain];
  const told = { public_key: key, length, anchor, ...shown };
  const event = { kind: "session.SeatTaken", chain: number, role, seat: keeping.kept.seat, ...told };
  return { ...told, signature: await signed(keeping, event) };
}

/** {previous_link} of a chain that is not gone on with. It is bound: no draw gets this link, or one below, any more. */
async function lastLink(keeping, { chain: number, position }) {
  const chain = keeping.kept.chains.find((each) => each.number === number);
  const wasGiven = chain.position >= position; // it came too late for its draw
  return { previous_link: wasGiven ? keeping.link(chain, position) : await keeping.give(chain, position, ROLLED) };
}

/** What the draws to come need of the seat next: {chain: what to post} or {present}; undefined while a draw waits. In
 * format 1, a seat with a void to explain is absent while its old chain's next link is on the way: no draw asks for it
 * then. */
export async function needed(keeping, watch) {
  const { mine } = watch;
  if (watch.waiting || !mine?.isThere) return undefined;
  if (mine.chain < 0) return { chain: await firstChain(keeping, watch.role) };
  if (mine.length - mine.position <= MARGIN) {
    if (watch.format === 1 && explains(mine) && !mine.isAway) return { present: false };
    return { chain: await nextChain(keeping, watch) };
  }
  return mine.isAway ? { present: true } : undefined;
}

/** The chain behind that in use. If a draw that was given up asked for a link of the old one, that link is shown; in
 * format 1 it is the next one, of an absent seat. */
export async function nextChain(keeping, { mine, seat, format }) {
  const next = keeping.chain(mine.chain + 1);
  let shown = {};
  if (format > 1 && mine.shown < mine.position) shown = await lastLink(keeping, mine);
  if (format === 1 && explains(mine) && mine.isAway)
    shown = { previous_link: await keeping.give(keeping.chain(mine.chain), mine.position + 1, ROLLED) };
  await keeping.save();
  const told = { anchor: keeping.link(next, 0), length: next.length, ...shown };
  const event = { kind: "session.ChainAnchored", chain: next.number, seat, ...told };
  return { ...told, signature: await signed(keeping, event) };
}

/** Whether a draw was given up for the seat, and its next link would tell what that would have been. */
const explains = ({ shown, position, length }) => shown < position && position < length;

/** Whether the link of that place has left for a next chain: the house may have known it before the draw. */
export const wasShown = ({ kept }, number, position) =>
  kept.chains.some((chain) => chain.number === number && chain.position === position && chain.request === ROLLED);

/** Whether a link was shown that the next draw could ask for: the next chain comes before the seat does. */
export const isAhead = (keeping, { mine }) => wasShown(keeping, mine.chain, mine.position + 1);

export const presence = (keeping, watch, present) => statement(keeping, watch, "session.PresenceSet", { present });

export const leaving = (keeping, watch) => statement(keeping, watch, "session.SeatLeft", {});

/** What the seat says of itself, signed and noted. In format 2, it names the last checkpoint that the seat has seen. */
async function statement(keeping, { mine, seat, format }, kind, said) {
  const { root, size } = keeping.kept;
  const told = format === 1 ? said : { ...said, seen_root: root, seen_size: size };
  const signature = await signed(keeping, { kind, nth: mine.nth + 1, seat, ...told });
  await keeping.states(signature);
  return { ...told, signature };
}

const signed = (keeping, event) =>
  keeping.keys.sign(seatMessage(emit({ ...event, session: keeping.kept.session })));

/** {body, signed} of the seat's link for draw k, under the last checkpoint seen: what to post, and the object that is
 * signed over. The position is bound to this request for good. Throws Fault. */
export async function contribution(keeping, { k, request }, [, number, position]) {
  const { kept } = keeping;
  const chain = kept.chains.find((each) => each.number === number);
  if (!chain) throw new Fault("E_CHAIN", `chain ${number}`, "one of its own");
  const link = await keeping.give(chain, position, request);
  const given = { chain: number, link, position, seen_root: kept.root, seen_size: kept.size };
  const said = { ...given, draw: k, request, seat: kept.seat, session: kept.session };
  return { body: { ...given, signature: await keeping.keys.sign(contributionMessage(emit(said))) }, signed: said };
}

/** The receipt, as it is kept. Throws Fault E_SIGNATURE unless the house's key has signed it for this contribution. */
export async function checkReceipt(said, receipt, houseKey, verify) {
  let good = false;
  try {
    good = await verify(houseKey, receiptMessage(emit(said)), unhex(receipt));
  } catch {
    // no hex
  }
  if (!good) throw new Fault("E_SIGNATURE", `receipt ${receipt}`, "a signature by the server's key");
  return { contribution: said, receipt };
}
