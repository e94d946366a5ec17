// What a seat sends in its own name: its chains, its presence, its links; each signed, and saved before it leaves.

import { emit } from "../verifier/canonical.js";
import { contributionMessage, receiptMessage, seatMessage } from "../verifier/chain.js";
import { unhex } from "../verifier/bytes.js";
import { Fault } from "../verifier/fault.js";

const MARGIN = 64; // with so many links left, or fewer, the next chain is anchored
const ROLLED = "rolled over";

/** A chain as a seat brings it, with its key: `number` is that behind the last in the log. */
export async function firstChain(keeping, role, number = 0) {
  const chain = keeping.chain(number);
  await keeping.save();
  const [anchor, { key }, { length }] = [keeping.link(chain, 0), keeping.keys, chain];
  const event = {
    kind: "session.SeatTaken", anchor, chain: number, length, public_key: key, role, seat: keeping.kept.seat,
  };
  return { public_key: key, length, anchor, signature: await signed(keeping, event) };
}

/** What the draws to come need of the seat next: ["chain" or "presence", what to post]; undefined while a draw waits.
 * A seat with a void to explain is absent while its old chain's next link is on the way: no draw asks for it then. */
export async function needed(keeping, watch) {
  const { mine } = watch;
  if (watch.waiting || !mine?.isThere) return undefined;
  if (mine.chain < 0) return ["chain", await firstChain(keeping, watch.role)];
  if (mine.length - mine.position <= MARGIN) {
    if (explains(mine) && !mine.isAway) return ["presence", await presence(keeping, watch, false)];
    return ["chain", await nextChain(keeping, watch)];
  }
  return mine.isAway ? ["presence", await presence(keeping, watch, true)] : undefined;
}

/** The chain behind that in use. Of an absent seat the old one's next link is shown, where that explains a void. */
export async function nextChain(keeping, { mine, seat }) {
  const [old, next] = [keeping.chain(mine.chain), keeping.chain(mine.chain + 1)];
  const shown = {};
  if (explains(mine) && mine.isAway) shown.previous_link = await keeping.give(old, mine.position + 1, ROLLED);
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

export async function presence(keeping, { mine, seat }, present) {
  const event = { kind: "session.PresenceSet", nth: mine.nth + 1, present, seat };
  return { present, signature: await signed(keeping, event) };
}

export const leaving = (keeping, { mine, seat }) =>
  signed(keeping, { kind: "session.SeatLeft", nth: mine.nth + 1, seat });

const signed = (keeping, event) =>
  keeping.keys.sign(seatMessage(emit({ ...event, session: keeping.kept.session })));

/** {body, signed} of the seat's link for a draw that was checked: what to post, and the object that is signed over. The
 * position is bound to this request for good. Throws Fault. */
export async function contribution(keeping, { declared, request, seen }, [, number, position]) {
  const { kept } = keeping;
  const chain = kept.chains.find((each) => each.number === number);
  if (!chain) throw new Fault("E_CHAIN", `chain ${number}`, "one of its own");
  const link = await keeping.give(chain, position, request);
  const given = { chain: number, link, position, seen_root: seen.root, seen_size: seen.size };
  const said = { ...given, draw: declared.draw.k, request, seat: kept.seat, session: kept.session };
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
  if (!good) throw new Fault("E_SIGNATURE", `receipt ${receipt}`, "a signature by the house's key");
  return { contribution: said, receipt };
}
