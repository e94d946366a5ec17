/** Level 3, draws: indexes and positions without gap, links, signatures, seeds and values (docs/fairness.md). */

import { byBytes, type Bytes, hex, unhex } from "./bytes.ts";
import { type Link, seed } from "./chain.ts";
import type {
  Body,
  ChainBody,
  Contribution,
  Declared,
  DrawEnd,
  DrawRequest,
  LogEvent,
  Opened,
  SealOpened,
  SeatMoved,
  SeatTaken,
  Value,
} from "./events.ts";
import { Fault } from "./fault.ts";
import { checkDeclared, checkValues, Openings } from "./openings.ts";
import { checkSealed, HOUSE, Seats } from "./seats.ts";
import { Shadows } from "./shadows.ts";

export type Grade = "A" | "B" | "C" | "D";

interface DrawCommon {
  /** The number of the draw, from 0. */
  k: number;
  /** The version of the event that declared it. */
  version: number;
  turn: number;
  /** The seat whose command needed it. */
  seat: string;
  isSecret: boolean;
  /** The ids of the seats that contribute; `house` is the server. */
  contributors: string[];
  /** The random bytes that the seat sent with its command, in hex. */
  entropy?: string;
  /** The version at which the secret was opened. */
  opened?: number;
}

export interface Drawn extends DrawCommon {
  status: "drawn";
  /** The version of the event with the values. */
  ended: number;
  /** How well the values are protected, from A (best) to D. */
  grade: Grade;
  /** In hex; absent while the draw is secret. */
  seed?: string;
  values?: Value[];
}

export interface Voided extends DrawCommon {
  status: "void";
  ended: number;
  /** The seats that had contributed, and those that had not. */
  came: string[];
  missing: string[];
  values?: Value[];
  /** The seed that the draw would have had, in hex; present if the log shows it. */
  shadow?: string;
}

export interface Waiting extends DrawCommon {
  status: "waiting";
}

export type Draw = Drawn | Voided | Waiting;

/** A signature that the log claims. All are checked at the end, together. */
export interface Claim {
  key: Bytes;
  message: Bytes;
  signature: Bytes;
  version: number;
}

/** A declaration that waits for the end of its draw. */
interface Pending {
  version: number;
  turn: number;
  seat: string;
  at: number;
  body: Declared;
  draw: DrawRequest;
  grade: Grade;
}

const NOT_WHILE_IT_WAITS = ["session.Declared", "session.Rewound", "session.Closed", "session.ChainAnchored"];
const ENDS = ["session.Drawn", "session.DrawVoided"];
const MOVES = ["session.SeatLeft", "session.PresenceSet"];

/** Return the sizes that seats saw, as their contributions, comings and goings say. */
export const sizesSeen = (events: readonly LogEvent[]): number[] =>
  events.flatMap(({ body }) => {
    if (!body) return [];
    if (ENDS.includes(body.kind)) return (body as DrawEnd).contributions.map((given) => given.seen_size);
    return MOVES.includes(body.kind) ? [(body as SeatMoved).seen_size!] : [];
  });

/** The draws so far. */
export class Draws {
  /** The signatures that the log claims, in order. */
  claims: Claim[] = [];
  /** The draws, by k. */
  found: Draw[] = [];
  #ends = new Map<number, { version: number; contributions: Contribution[] }>();
  /** By seat: the version of the last Declared that named it. */
  #named = new Map<string, number>();
  #raw: Bytes;
  #hashes: readonly Bytes[];
  #roots: ReadonlyMap<number, Bytes>;
  #seats: Seats;
  #openings: Openings;
  #shadows: Shadows;
  #format = 1;
  #isTable = false;
  #deadlineSeconds = 0;
  /** The server's commitment to the blind of the next draw. */
  #nextBlind: string | undefined;
  #waiting: Pending | undefined;
  #version = 0;
  #size = 0;

  constructor(session: string, hashes: readonly Bytes[], roots: ReadonlyMap<number, Bytes>) {
    this.#raw = unhex(session);
    this.#hashes = hashes;
    this.#roots = roots;
    this.#seats = new Seats(session, (key, message, signature) => {
      this.claims.push({ key, message, signature, version: this.#version });
    });
    this.#openings = new Openings(this.#raw);
    this.#shadows = new Shadows(this.#raw);
  }

  /** Read one more event. Throws Fault. */
  read(event: LogEvent): void {
    this.#version = event.version;
    try {
      this.#checkOrder(event.body, event.turn);
      if (!event.body && this.#format > 1) checkSealed(event);
      if (event.body) this.#read(event, event.body);
    } catch (error) {
      throw error instanceof Fault ? error.at(event.version) : error;
    }
    this.#openings.read(event);
    this.#size = event.version;
  }

  /**
   * Return the version of the Declared that waits when the log ends, if there is one. Throws Fault if
   * the server draws alone, since it appends its draws as a whole.
   */
  end(): number | undefined {
    if (!this.#waiting) return undefined;
    const { version, draw } = this.#waiting;
    if (draw.contributors.length === 1)
      throw new Fault("E_ORDER", "the end of the log", `Drawn ${draw.k}`, this.#size + 1);
    return version;
  }

  get houseKey(): Bytes | undefined {
    return this.#seats.get(HOUSE)?.key;
  }

  /** Return the Drawn or DrawVoided, or undefined while the draw waits. */
  endOf(k: number): { version: number; contributions: Contribution[] } | undefined {
    return this.#ends.get(k);
  }

  /** Return all draws, or only those that were over and open before a version. */
  report(before = Infinity): Draw[] {
    const known = this.found.filter(
      (draw) => !(Math.max(draw.status === "waiting" ? 0 : draw.ended, draw.opened ?? 0) >= before),
    );
    for (const each of known) {
      if (each.status !== "void") continue;
      const seeded = this.#shadows.seed(each.k);
      if (seeded) each.shadow = hex(seeded);
    }
    return known;
  }

  #checkOrder(body: Body | undefined, turn: number): void {
    if (!this.#waiting || (body && ENDS.includes(body.kind))) return;
    const { draw } = this.#waiting;
    const isAlone = draw.contributors.length === 1;
    if (isAlone || turn === this.#waiting.turn || (body && NOT_WHILE_IT_WAITS.includes(body.kind)))
      throw new Fault("E_ORDER", body?.kind ?? "an event without opening", `the end of draw ${draw.k}`);
  }

  #read(event: LogEvent, body: Body): void {
    switch (body.kind) {
      case "session.Opened":
        this.#opened(body as Opened);
        break;
      case "session.SeatTaken":
        this.#anchored(event, body as SeatTaken);
        break;
      case "session.ChainAnchored":
        this.#anchored(event, body as ChainBody);
        break;
      case "session.SeatLeft":
      case "session.PresenceSet":
        this.#moved(event, body as SeatMoved);
        break;
      case "session.Declared":
        this.#declared(event, body as Declared);
        break;
      case "session.Drawn":
        this.#drawn(event, body as DrawEnd);
        break;
      case "session.DrawVoided":
        this.#voided(event, body as DrawEnd);
        break;
      case "session.SealOpened":
        this.#sealOpened(body as SealOpened);
        break;
    }
  }

  #opened({ format, draws, options }: Opened): void {
    this.#format = this.#seats.format = format ?? 1;
    this.#isTable = draws === "table";
    this.#deadlineSeconds = Number(options["deadline"]);
  }

  #anchored(event: LogEvent, body: SeatTaken | ChainBody): void {
    const last = this.#seats.get(body.seat)?.position ?? 0;
    if (body.kind === "session.SeatTaken") this.#seats.taken(body as SeatTaken, event.seat);
    else this.#seats.anchored(body as ChainBody, event.seat);
    this.#shadows.rolledOver(body, this.#format === 1 ? last + 1 : last);
    if (body.kind === "session.SeatTaken" && body.seat === HOUSE) this.#nextBlind = (body as SeatTaken).next_blind;
  }

  #moved(event: LogEvent, body: SeatMoved): void {
    this.#seats.moved(body);
    if (body.seen_size !== undefined)
      this.#checkSeen(body.seen_size, body.seen_root, this.#named.get(body.seat) ?? 1, event.version);
  }

  #declared(event: LogEvent, body: Declared): void {
    checkDeclared(body);
    const draw = body.draw;
    if (!draw) return;
    const named = draw.contributors.map(([seat]) => seat).sort(byBytes);
    const expected = this.#seats.contributors(this.#isTable);
    if (!expected.includes(HOUSE)) throw new Fault("E_ANCHOR", "no house", "the house's seat before the first draw");
    if (!same(named, expected)) throw new Fault("E_CONTRIBUTORS", named, expected);
    if (draw.k !== this.found.length) throw new Fault("E_DRAW_INDEX", draw.k, this.found.length);
    this.#seats.take(draw.contributors);
    const next = this.#nextBlind;
    if (draw.blind !== undefined && next !== undefined && draw.blind !== next)
      throw new Fault("E_BLIND", draw.blind, next);
    for (const seat of expected) this.#named.set(seat, event.version);
    // The seats that are present now count, whoever comes while the draw waits.
    const grade = this.#grade(expected, event.seat, draw);
    const { version, turn, seat, at } = event;
    this.#waiting = { version, turn, seat, at, body, draw, grade };
    this.found.push({
      k: draw.k,
      version,
      turn,
      seat,
      status: "waiting",
      isSecret: draw.blind !== undefined,
      contributors: expected,
      ...(draw.entropy && { entropy: draw.entropy }),
    });
  }

  #drawn(event: LogEvent, body: DrawEnd): void {
    const declared = this.#ended(event, body);
    this.#readNextBlind(body.next_blind);
    const named = declared.draw.contributors.map(([seat]) => seat).sort(byBytes);
    const came = body.contributions.map((given) => given.seat);
    if (!same(came, named)) throw new Fault("E_CONTRIBUTORS", came, named);
    const links = this.#contributed(event.version, declared, body.contributions);
    const { entropy } = declared.draw;
    if (body.entropy !== entropy) throw new Fault("E_VALUES", body.entropy ?? "no entropy", entropy ?? "no entropy");
    this.#add(body.k, { status: "drawn", ended: event.version, grade: declared.grade });
    if (declared.draw.blind !== undefined) {
      if (body.values.length) throw new Fault("E_VALUES", body.values, "no values, for the draw is secret");
      this.#openings.keep(body.k, declared.body, links, this.#entropy(declared.draw));
      return;
    }
    const seeded = seed(this.#raw, body.k, links, undefined, this.#entropy(declared.draw));
    checkValues(body.values, seeded);
    this.#add(body.k, { seed: hex(seeded), values: body.values });
  }

  #voided(event: LogEvent, body: DrawEnd): void {
    const declared = this.#ended(event, body);
    this.#readNextBlind(body.next_blind);
    if (this.#format === 2 && this.#isTable) this.#checkDeadline(event.at, declared.at);
    const came = body.contributions.map((given) => given.seat);
    const named = declared.draw.contributors.map(([seat]) => seat).sort(byBytes);
    const missing = named.filter((seat) => !came.includes(seat));
    const inOrder = same(came, named.filter((seat) => came.includes(seat)));
    if (!missing.length || !inOrder || !came.includes(HOUSE) || !same(body.missing, missing))
      throw new Fault("E_CONTRIBUTORS", { came, missing: body.missing }, `of ${named} each once, the house come`);
    const links = this.#contributed(event.version, declared, body.contributions);
    this.#seats.missed(missing);
    this.#shadows.add(declared.draw, links, this.#entropy(declared.draw));
    if (declared.draw.blind !== undefined) this.#openings.keep(body.k, declared.body, undefined);
    this.#add(body.k, { status: "void", ended: event.version, came, missing });
  }

  /** Add to what is known of draw k. */
  #add(k: number, more: Partial<Drawn> | Partial<Voided>): void {
    Object.assign(this.found[k]!, more);
  }

  /** Check that a draw was not given up early. If the server draws alone, none waits, and there is no deadline. */
  #checkDeadline(at: number, declared: number): void {
    const from = declared + 1000 * this.#deadlineSeconds;
    if (at < from) throw new Fault("E_TIME", at, `${from} or later`);
  }

  /** Read the server's commitment to the next blind, if it began with such commitments. */
  #readNextBlind(next: string | undefined): void {
    if ((next === undefined) !== (this.#nextBlind === undefined))
      throw new Fault("E_FORMAT", next ?? "no next_blind", "next_blind as the server's SeatTaken has it");
    this.#nextBlind = next;
  }

  /** Return the entropy of a draw, as `seed` takes it. */
  #entropy({ entropy = "" }: DrawRequest): Bytes | undefined {
    return this.#format === 2 ? unhex(entropy) : undefined;
  }

  /** Return the declaration that waited for this end. */
  #ended(event: LogEvent, { k, contributions }: DrawEnd): Pending {
    const declared = this.#waiting;
    if (!declared) throw new Fault("E_ORDER", `the end of draw ${k}`, "no draw, for none waits");
    if (k !== declared.draw.k) throw new Fault("E_DRAW_INDEX", k, declared.draw.k);
    if (event.turn !== declared.turn) throw new Fault("E_TURN", event.turn, declared.turn);
    this.#waiting = undefined;
    this.#ends.set(k, { version: event.version, contributions });
    return declared;
  }

  /** Return the links of contributions, each checked. */
  #contributed(version: number, declared: Pending, contributions: readonly Contribution[]): Link[] {
    const request = hex(this.#hashes[declared.version - 1]!);
    return contributions.map((given) => {
      const place = declared.draw.contributors.find(([seat]) => seat === given.seat)!;
      this.#seats.gave(declared.draw.k, request, place, given);
      this.#checkSeen(given.seen_size, given.seen_root, declared.version, version);
      const shown = { seat: given.seat, chain: given.chain, position: given.position, link: unhex(given.link) };
      this.#shadows.shown(shown);
      return shown;
    });
  }

  /** Check that what a seat saw is this log, at a size from `first` to below `version`. */
  #checkSeen(size: number, seen: string | undefined, first: number, version: number): void {
    if (size < first || size >= version) throw new Fault("E_FORK", `seen at ${size}`, `${first} to ${version - 1}`);
    const root = hex(this.#roots.get(size)!);
    if (seen !== root) throw new Fault("E_FORK", seen, root);
  }

  #grade(came: readonly string[], asker: string, { blind, entropy }: DrawRequest): Grade {
    // In a secret draw with a blind of its choice, the server could answer the entropy.
    const isOpen = blind !== undefined && this.#nextBlind === undefined;
    if (came.length === 1) return entropy === undefined || isOpen ? "C" : "B";
    const allGave = this.#seats.players().every(([name]) => came.includes(name));
    const another = came.some((name) => name !== asker && this.#seats.get(name)!.role === "player");
    return allGave && another ? "A" : "B";
  }

  #sealOpened(body: SealOpened): void {
    const seeded = this.#openings.check(body, this.found.length);
    if (body.k === undefined) return;
    this.#add(body.k, { opened: this.#version, ...(body.values && { values: body.values }) });
    if (seeded) this.#add(body.k, { seed: hex(seeded) });
    if (this.found[body.k]!.status === "void") this.#shadows.opened(body.k, body.blind!);
  }
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((seat, i) => seat === other[i]);
