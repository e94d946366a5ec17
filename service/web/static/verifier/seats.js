// Rung 3: every seat's key and chains, who has to give to a draw, and that what is given is that seat's own.

import { byBytes, equal, hex, unhex } from "./bytes.js";
import { emit } from "./canonical.js";
import { contributionMessage, linkDown, seatMessage } from "./chain.js";
import { Fault } from "./fault.js";

export const HOUSE = "house";
const LEAST_LENGTH = 256; // of the house's chains in format 2
const LEAST_LEFT = 64; // positions of the chain in use, where the house anchors its next one
const CHAIN_FIELDS = ["anchor", "chain", "length", "public_key", "signature"];
const SIGNED_FIELDS = ["seen_root", "seen_size", "signature"];

/** A seat as far as draws go: the last position that a draw took, and the last link shown, at position `shown`. */
class Seat {
  role = "";
  key = undefined;
  chain = -1;
  length = 0;
  position = 0;
  link = undefined;
  shown = 0;
  isThere = false;
  isAway = false;
  nth = 0; // comings and goings so far
  isMissed = false; // a void named it, and it has neither given since nor signed itself present
  isExcluded = false; // it is absent or has left without its signature
  next = undefined; // the house's next chain: {chain, length, link}

  get isPresent() {
    return this.isThere && !this.isAway;
  }

  get gives() {
    return this.isPresent && this.chain >= 0 && this.position < this.length;
  }
}

/** An event without an opening is not the server's own, but for a sealed table in turn 1. Throws Fault. */
export function checkSealed({ seat, turn }) {
  if (seat === HOUSE && turn > 1) throw new Fault("E_FORMAT", "no opening", "an opening, as for the server's events");
}

/** The seats so far. Throws Fault without a version; `claim` is (key, message, signature) of what is checked later. */
export class Seats {
  format = 1; // of the session
  #session;
  #raw;
  #claim;
  #anchors = new Set();
  #seats = new Map();

  constructor(session, claim) {
    this.#session = session;
    this.#raw = unhex(session);
    this.#claim = claim;
  }

  get(seat) {
    return this.#seats.get(seat);
  }

  /** Seats with their state, of the players and GMs who are present or, in format 2, missing without their word. */
  players() {
    const isHere = (seat) => seat.isPresent || (this.format === 2 && seat.key && seat.isExcluded);
    return [...this.#seats].filter(([, seat]) => ["player", "gm"].includes(seat.role) && isHere(seat));
  }

  taken(event, by) {
    if ((event.role === HOUSE) !== (event.seat === HOUSE))
      throw new Fault("E_FORMAT", `${event.seat} as ${event.role}`, "the role house for the house alone");
    this.#checkHouseLeaf(event, by);
    const brought = countOf(event, CHAIN_FIELDS);
    if (brought ? brought < CHAIN_FIELDS.length : event.seat === HOUSE)
      throw new Fault("E_FORMAT", event, "a whole chain, or none for another than the house");
    if (!brought && event.previous_link !== undefined)
      throw new Fault("E_FORMAT", event, "a link of the old chain with a new one only");
    if (event.next_blind !== undefined && event.seat !== HOUSE)
      throw new Fault("E_FORMAT", event.next_blind, "next_blind of the server alone");
    const seat = this.#seats.get(event.seat) ?? new Seat();
    this.#seats.set(event.seat, seat);
    if (brought) this.#brought(event, seat);
    else if (seat.key && !seat.isThere) throw new Fault("E_SIGNATURE", `${event.seat} without a chain`, "its next one");
    seat.role = event.role;
    if (!seat.isThere) Object.assign(seat, { isThere: true, isAway: false, isMissed: false, isExcluded: false });
  }

  #brought(event, seat) {
    if (seat.chain >= 0 && (seat.isThere || this.#isHouse2(event)))
      throw new Fault("E_ANCHOR", `chain ${event.chain} of ${event.seat}`, "ChainAnchored");
    const key = unhex(event.public_key);
    const isOthers = [...this.#seats.values()].some((other) => other !== seat && other.key && equal(other.key, key));
    if (isOthers || (seat.key && !equal(seat.key, key)))
      throw new Fault("E_ANCHOR", event.public_key, "a key of its own, and the same for good");
    seat.key = key;
    this.#anchor(event, seat);
  }

  anchored(event, by) {
    this.#checkHouseLeaf(event, by);
    const seat = this.#seats.get(event.seat);
    if (!seat || seat.chain < 0) throw new Fault("E_ANCHOR", `a chain of ${event.seat}`, "of a seat that has one");
    if (this.format === 1 && event.previous_link !== undefined)
      this.#checkLink(event.seat, seat, seat.position + 1, unhex(event.previous_link));
    const left = seat.length - seat.position;
    if (this.#isHouse2(event) && (seat.next || left < LEAST_LEFT))
      throw new Fault("E_ANCHOR", seat.next ? "two next chains" : `${left} left`, `one, with ${LEAST_LEFT} left`);
    this.#anchor(event, seat);
  }

  /** Only the server records its own chains, so that none of them can be sealed. `by`: the seat of the leaf. */
  #checkHouseLeaf(event, by) {
    if (this.#isHouse2(event) && by !== HOUSE) throw new Fault("E_ANCHOR", `a chain of the server, by ${by}`, HOUSE);
  }

  #anchor(event, seat) {
    if (event.chain !== seat.chain + 1) throw new Fault("E_CHAIN", event.chain, seat.chain + 1);
    if (this.#anchors.has(event.anchor)) throw new Fault("E_ANCHOR", `${event.anchor} again`, "a new anchor");
    if (this.format === 2) this.#checkNew(event, seat);
    this.#claimEvent(event, seat);
    this.#anchors.add(event.anchor);
    const next = { chain: event.chain, length: event.length, link: unhex(event.anchor) };
    if (this.#isHouse2(event) && seat.chain >= 0) seat.next = next;
    else begin(seat, next);
  }

  /** What format 2 asks of a new chain: the last position taken of the old one is shown, and the house's are long. */
  #checkNew(event, seat) {
    const isOwed = event.seat !== HOUSE && seat.position > seat.shown;
    if ((event.previous_link !== undefined) !== isOwed)
      throw new Fault("E_CHAIN", event, isOwed ? `the link at position ${seat.position}` : "no link of the old chain");
    if (isOwed) this.#checkLink(event.seat, seat, seat.position, unhex(event.previous_link));
    if (event.seat === HOUSE && event.length < LEAST_LENGTH)
      throw new Fault("E_ANCHOR", `a chain of ${event.length}`, `${LEAST_LENGTH} at least`);
  }

  #isHouse2(event) {
    return this.format === 2 && event.seat === HOUSE;
  }

  /** SeatLeft or PresenceSet: with the seat's signature, or without one at the house's word behind a void. */
  moved(event) {
    const seat = this.#seats.get(event.seat);
    if (!seat) throw new Fault("E_ANCHOR", event.seat, "a seat that was taken");
    if (this.format === 2 && countOf(event, SIGNED_FIELDS) % SIGNED_FIELDS.length)
      throw new Fault("E_FORMAT", event, "a signature and what was seen, or neither");
    const comes = event.kind === "session.PresenceSet" && event.present;
    seat.nth += 1;
    if (event.signature !== undefined) {
      if (event.nth !== seat.nth) throw new Fault("E_SIGNATURE", `signed as nth ${event.nth}`, seat.nth);
      this.#claimEvent(event, seat);
    } else if (seat.key && (comes || !seat.isMissed)) throw new Fault("E_SIGNATURE", "none", `one of ${event.seat}`);
    if (event.kind === "session.SeatLeft") seat.isThere = false;
    else seat.isAway = !event.present;
    if (comes) seat.isMissed = false;
    seat.isExcluded = !comes && event.signature === undefined;
  }

  /** A void has named them. */
  missed(seats) {
    for (const name of seats) this.#seats.get(name).isMissed = true;
  }

  /** Who has to give to the next draw, by seat bytes. */
  contributors(table) {
    return [...this.#seats]
      .filter(([name, seat]) => name === HOUSE || (table && seat.gives))
      .map(([name]) => name)
      .sort(byBytes);
  }

  /** The next position of every contributor is this draw's, whatever comes of it. */
  take(contributors) {
    for (const [name, chain, position] of contributors) {
      const seat = this.#seats.get(name);
      if (seat.next && seat.position === seat.length) begin(seat, seat.next);
      if (chain > seat.chain) throw new Fault("E_ANCHOR", `chain ${chain}`, "an anchor before what names it");
      if (chain !== seat.chain || position !== seat.position + 1 || position > seat.length) {
        const expected = `position ${seat.position + 1} of chain ${seat.chain}, of ${seat.length}`;
        throw new Fault("E_POSITION", `position ${position} of chain ${chain} of ${name}`, expected);
      }
      seat.position = position;
    }
  }

  /** A link in its place, on the last one that the seat showed, signed by the seat for this declaration. */
  gave(k, request, place, given) {
    const seat = this.#seats.get(given.seat);
    const [, chain, position] = place;
    if (given.chain !== chain || given.position !== position || seat.chain !== chain)
      throw new Fault("E_POSITION", `position ${given.position} of chain ${given.chain}`, `${position} of ${chain}`);
    const link = unhex(given.link);
    this.#checkLink(given.seat, seat, position, link);
    Object.assign(seat, { shown: position, link, isMissed: false });
    const signed = { ...given, draw: k, request, session: this.#session };
    delete signed.signature;
    this.#claim(seat.key, contributionMessage(emit(signed)), unhex(given.signature));
  }

  #checkLink(name, seat, position, link) {
    const below = linkDown(this.#raw, name, seat.chain, position, seat.shown, link);
    if (!equal(below, seat.link)) throw new Fault("E_CHAIN", hex(below), hex(seat.link));
  }

  #claimEvent(event, seat) {
    const signed = { ...event, session: this.#session };
    delete signed.signature;
    this.#claim(seat.key ?? new Uint8Array(), seatMessage(emit(signed)), unhex(event.signature));
  }
}

const countOf = (event, names) => names.filter((name) => event[name] !== undefined).length;

/** From here on, the seat uses this chain. */
function begin(seat, { chain, length, link }) {
  Object.assign(seat, { chain, length, position: 0, shown: 0, link, next: undefined });
}
