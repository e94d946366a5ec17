/** Level 3: every seat's key and chains, who must contribute to a draw, and that a contribution is the seat's own. */

import { byBytes, type Bytes, equal, hex, unhex } from "./bytes.ts";
import { emit } from "./canonical.ts";
import { contributionMessage, linkDown, seatMessage } from "./chain.ts";
import type { ChainBody, Contribution, Contributor, LogEvent, SeatMoved, SeatTaken } from "./events.ts";
import { Fault } from "./fault.ts";

export const HOUSE = "house";
/** Least length of the server's chains in format 2. */
export const MIN_LENGTH = 256;
/** Positions that must be left of the server's chain when it anchors its next one. */
const MIN_LEFT = 64;
const CHAIN_FIELDS = ["anchor", "chain", "length", "public_key", "signature"];
const SIGNED_FIELDS = ["seen_root", "seen_size", "signature"];

type Claim = (key: Bytes, message: Bytes, signature: Bytes) => void;

interface Chain {
  chain: number;
  length: number;
  link: Bytes;
}

/** A seat as far as draws need it. */
export class Seat {
  role = "";
  key: Bytes | undefined = undefined;
  chain = -1;
  length = 0;
  /** The last position that a draw took. */
  position = 0;
  /** The last link shown, and its position. */
  link: Bytes = new Uint8Array();
  shown = 0;
  isThere = false;
  isAway = false;
  /** How often the seat came or went. */
  nth = 0;
  /** A void named the seat, and it has neither contributed since nor signed that it is present. */
  isMissed = false;
  /** The seat is absent or has left without its signature. */
  isExcluded = false;
  /** The server's next chain. */
  next: Chain | undefined = undefined;

  get isPresent(): boolean {
    return this.isThere && !this.isAway;
  }

  get gives(): boolean {
    return this.isPresent && this.chain >= 0 && this.position < this.length;
  }
}

/** Check that an event without an opening is not the server's own, except a sealed table in turn 1. Throws Fault. */
export function checkSealed({ seat, turn }: Pick<LogEvent, "seat" | "turn">): void {
  if (seat === HOUSE && turn > 1) throw new Fault("E_FORMAT", "no opening", "an opening, as for the server's events");
}

/** The seats so far. Throws Fault without a version. `claim` takes a signature that is checked later. */
export class Seats {
  /** The session's format. */
  format = 1;
  #session: string;
  #raw: Bytes;
  #claim: Claim;
  #anchors = new Set<string>();
  #seats = new Map<string, Seat>();

  constructor(session: string, claim: Claim) {
    this.#session = session;
    this.#raw = unhex(session);
    this.#claim = claim;
  }

  get(seat: string): Seat | undefined {
    return this.#seats.get(seat);
  }

  /** Return the players and GMs who are present or, in format 2, missing without their word. */
  players(): [string, Seat][] {
    const isHere = (seat: Seat): boolean =>
      seat.isPresent || (this.format === 2 && seat.key !== undefined && seat.isExcluded);
    return [...this.#seats].filter(([, seat]) => ["player", "gm"].includes(seat.role) && isHere(seat));
  }

  taken(event: SeatTaken, by: string): void {
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
    if (brought) this.#brought(event as SeatTaken & ChainBody & { public_key: string }, seat);
    else if (seat.key && !seat.isThere) throw new Fault("E_SIGNATURE", `${event.seat} without a chain`, "its next one");
    seat.role = event.role;
    if (!seat.isThere) Object.assign(seat, { isThere: true, isAway: false, isMissed: false, isExcluded: false });
  }

  #brought(event: ChainBody & { public_key: string }, seat: Seat): void {
    if (seat.chain >= 0 && (seat.isThere || this.#isHouse2(event)))
      throw new Fault("E_ANCHOR", `chain ${event.chain} of ${event.seat}`, "ChainAnchored");
    const key = unhex(event.public_key);
    const isOthers = [...this.#seats.values()].some((other) => other !== seat && other.key && equal(other.key, key));
    if (isOthers || (seat.key && !equal(seat.key, key)))
      throw new Fault("E_ANCHOR", event.public_key, "a key of its own, and the same for good");
    seat.key = key;
    this.#anchor(event, seat);
  }

  anchored(event: ChainBody, by: string): void {
    this.#checkHouseLeaf(event, by);
    const seat = this.#seats.get(event.seat);
    if (!seat || seat.chain < 0) throw new Fault("E_ANCHOR", `a chain of ${event.seat}`, "of a seat that has one");
    if (this.format === 1 && event.previous_link !== undefined)
      this.#checkLink(event.seat, seat, seat.position + 1, unhex(event.previous_link));
    const left = seat.length - seat.position;
    if (this.#isHouse2(event) && (seat.next || left < MIN_LEFT))
      throw new Fault("E_ANCHOR", seat.next ? "two next chains" : `${left} left`, `one, with ${MIN_LEFT} left`);
    this.#anchor(event, seat);
  }

  /** Check that only the server records its own chains, so that none of them can be sealed. `by`: the leaf's seat. */
  #checkHouseLeaf(event: { seat: string }, by: string): void {
    if (this.#isHouse2(event) && by !== HOUSE) throw new Fault("E_ANCHOR", `a chain of the server, by ${by}`, HOUSE);
  }

  #anchor(event: ChainBody, seat: Seat): void {
    if (event.chain !== seat.chain + 1) throw new Fault("E_CHAIN", event.chain, seat.chain + 1);
    if (this.#anchors.has(event.anchor)) throw new Fault("E_ANCHOR", `${event.anchor} again`, "a new anchor");
    if (this.format === 2) this.#checkNew(event, seat);
    this.#claimEvent(event, event.signature, seat);
    this.#anchors.add(event.anchor);
    const next = { chain: event.chain, length: event.length, link: unhex(event.anchor) };
    if (this.#isHouse2(event) && seat.chain >= 0) seat.next = next;
    else begin(seat, next);
  }

  /** Check what format 2 asks of a new chain: it shows the old one's last taken position, and the server's are long. */
  #checkNew(event: ChainBody, seat: Seat): void {
    const isOwed = event.seat !== HOUSE && seat.position > seat.shown;
    if ((event.previous_link !== undefined) !== isOwed)
      throw new Fault("E_CHAIN", event, isOwed ? `the link at position ${seat.position}` : "no link of the old chain");
    if (isOwed) this.#checkLink(event.seat, seat, seat.position, unhex(event.previous_link!));
    if (event.seat === HOUSE && event.length < MIN_LENGTH)
      throw new Fault("E_ANCHOR", `a chain of ${event.length}`, `${MIN_LENGTH} at least`);
  }

  #isHouse2(event: { seat: string }): boolean {
    return this.format === 2 && event.seat === HOUSE;
  }

  /** Read a SeatLeft or PresenceSet: with the seat's signature, or without one at the server's word after a void. */
  moved(event: SeatMoved): void {
    const seat = this.#seats.get(event.seat);
    if (!seat) throw new Fault("E_ANCHOR", event.seat, "a seat that was taken");
    if (this.format === 2 && countOf(event, SIGNED_FIELDS) % SIGNED_FIELDS.length)
      throw new Fault("E_FORMAT", event, "a signature and what was seen, or neither");
    const comes = event.kind === "session.PresenceSet" && event.present === true;
    seat.nth += 1;
    if (event.signature !== undefined) {
      if (event.nth !== seat.nth) throw new Fault("E_SIGNATURE", `signed as nth ${event.nth}`, seat.nth);
      this.#claimEvent(event, event.signature, seat);
    } else if (seat.key && (comes || !seat.isMissed)) throw new Fault("E_SIGNATURE", "none", `one of ${event.seat}`);
    if (event.kind === "session.SeatLeft") seat.isThere = false;
    else seat.isAway = !event.present;
    if (comes) seat.isMissed = false;
    seat.isExcluded = !comes && event.signature === undefined;
  }

  /** Note that a void named these seats. */
  missed(seats: readonly string[]): void {
    for (const name of seats) this.#seats.get(name)!.isMissed = true;
  }

  /** Return the seats that must contribute to the next draw, by seat bytes. */
  contributors(isTable: boolean): string[] {
    return [...this.#seats]
      .filter(([name, seat]) => name === HOUSE || (isTable && seat.gives))
      .map(([name]) => name)
      .sort(byBytes);
  }

  /** Take the next position of every contributor for this draw, whatever comes of it. */
  take(contributors: readonly Contributor[]): void {
    for (const [name, chain, position] of contributors) {
      const seat = this.#seats.get(name)!;
      if (seat.next && seat.position === seat.length) begin(seat, seat.next);
      if (chain > seat.chain) throw new Fault("E_ANCHOR", `chain ${chain}`, "an anchor before what names it");
      if (chain !== seat.chain || position !== seat.position + 1 || position > seat.length) {
        const expected = `position ${seat.position + 1} of chain ${seat.chain}, of ${seat.length}`;
        throw new Fault("E_POSITION", `position ${position} of chain ${chain} of ${name}`, expected);
      }
      seat.position = position;
    }
  }

  /** Read a link: in its place, on the last one that the seat showed, signed by the seat for this declaration. */
  gave(k: number, request: string, place: Contributor, given: Contribution): void {
    const seat = this.#seats.get(given.seat)!;
    const [, chain, position] = place;
    if (given.chain !== chain || given.position !== position || seat.chain !== chain)
      throw new Fault("E_POSITION", `position ${given.position} of chain ${given.chain}`, `${position} of ${chain}`);
    const link = unhex(given.link);
    this.#checkLink(given.seat, seat, position, link);
    Object.assign(seat, { shown: position, link, isMissed: false });
    const { signature, ...said } = given;
    const message = contributionMessage(emit({ ...said, draw: k, request, session: this.#session }));
    this.#claim(seat.key ?? new Uint8Array(), message, unhex(signature));
  }

  #checkLink(name: string, seat: Seat, position: number, link: Bytes): void {
    const below = linkDown(this.#raw, name, seat.chain, position, seat.shown, link);
    if (!equal(below, seat.link)) throw new Fault("E_CHAIN", hex(below), hex(seat.link));
  }

  #claimEvent(event: ChainBody | SeatMoved, signature: string, seat: Seat): void {
    const signed: Record<string, unknown> = { ...event, session: this.#session };
    delete signed["signature"];
    this.#claim(seat.key ?? new Uint8Array(), seatMessage(emit(signed)), unhex(signature));
  }
}

const countOf = (event: object, names: readonly string[]): number =>
  names.filter((name) => (event as Record<string, unknown>)[name] !== undefined).length;

/** Let the seat use this chain from here on. */
function begin(seat: Seat, { chain, length, link }: Chain): void {
  Object.assign(seat, { chain, length, position: 0, shown: 0, link, next: undefined });
}
