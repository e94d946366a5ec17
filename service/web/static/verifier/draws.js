// Rung 3, draws: indexes and positions without gap, links, signatures, seeds and values (docs/fairness.md).

import { byBytes, hex, unhex } from "./bytes.js";
import { seed } from "./chain.js";
import { Fault } from "./fault.js";
import { checkDeclared, checkValues, Openings } from "./openings.js";
import { HOUSE, Seats, checkSealed } from "./seats.js";
import { Shadows } from "./shadows.js";

const NOT_WHILE_IT_WAITS = ["session.Declared", "session.Rewound", "session.Closed", "session.ChainAnchored"];
const ENDS = ["session.Drawn", "session.DrawVoided"];

const MOVES = ["session.SeatLeft", "session.PresenceSet"];

/** The sizes that seats saw, as their contributions, comings and goings say. */
export const sizesSeen = (events) =>
  events.flatMap(({ body }) => {
    if (ENDS.includes(body?.kind)) return body.contributions.map((given) => given.seen_size);
    return MOVES.includes(body?.kind) ? [body.seen_size] : [];
  });

/** The draws so far. What is claimed to be signed is gathered in `claims`, in order, with its version. */
export class Draws {
  claims = [];
  told = []; // one report per draw, by k
  #ends = new Map(); // {version, contributions} by k
  #named = new Map(); // by seat: the version of the last Declared that named it
  #raw;
  #hashes;
  #roots;
  #seats;
  #openings;
  #shadows;
  #format = 1;
  #isTable = false;
  #deadline; // in seconds
  #nextBlind; // the server's commitment to the blind of the next draw
  #waiting;
  #version = 0;
  #size = 0;

  constructor(session, hashes, roots) {
    this.#raw = unhex(session);
    this.#hashes = hashes;
    this.#roots = roots;
    this.#seats = new Seats(session, (key, message, signature) => this.#claim(key, message, signature));
    this.#openings = new Openings(this.#raw);
    this.#shadows = new Shadows(this.#raw);
  }

  /** One more event. Throws Fault. */
  read(event) {
    this.#version = event.version;
    try {
      this.#checkOrder(event.body, event.turn);
      if (!event.body && this.#format > 1) checkSealed(event);
      if (event.body) this.#read(event, event.body);
    } catch (fault) {
      throw fault instanceof Fault ? fault.at(event.version) : fault;
    }
    this.#openings.read(event);
    this.#size = event.version;
  }

  /** The version of the Declared that waits where the log ends. Throws Fault: the house's own are appended whole. */
  end() {
    if (!this.#waiting) return undefined;
    const { version, draw } = this.#waiting;
    if (draw.contributors.length === 1)
      throw new Fault("E_ORDER", "the end of the log", `Drawn ${draw.k}`, this.#size + 1);
    return version;
  }

  get houseKey() {
    return this.#seats.get(HOUSE)?.key;
  }

  /** {version, contributions} of the Drawn or DrawVoided, undefined while the draw waits. */
  endOf(k) {
    return this.#ends.get(k);
  }

  /** What is known of every draw, or of those only that were over and open before a version. */
  report(before = Infinity) {
    const known = this.told.filter((draw) => !(Math.max(draw.ended ?? 0, draw.opened ?? 0) >= before));
    for (const each of known) {
      const seeded = each.status === "void" ? this.#shadows.seed(each.k) : undefined;
      if (seeded) each.shadow = hex(seeded);
    }
    return known;
  }

  #checkOrder(body, turn) {
    if (!this.#waiting || ENDS.includes(body?.kind)) return;
    const { draw } = this.#waiting;
    const isAlone = draw.contributors.length === 1;
    if (isAlone || turn === this.#waiting.turn || NOT_WHILE_IT_WAITS.includes(body?.kind))
      throw new Fault("E_ORDER", body?.kind ?? "an event without opening", `the end of draw ${draw.k}`);
  }

  #read(event, body) {
    switch (body.kind) {
      case "session.Opened":
        this.#opened(body);
        break;
      case "session.SeatTaken":
      case "session.ChainAnchored":
        this.#anchored(event, body);
        break;
      case "session.SeatLeft":
      case "session.PresenceSet":
        this.#moved(event, body);
        break;
      case "session.Declared":
        this.#declared(event, body);
        break;
      case "session.Drawn":
        this.#drawn(event, body);
        break;
      case "session.DrawVoided":
        this.#voided(event, body);
        break;
      case "session.SealOpened":
        this.#sealOpened(body);
        break;
    }
  }

  #opened({ format = 1, draws, options }) {
    this.#format = this.#seats.format = format;
    this.#isTable = draws === "table";
    this.#deadline = options.deadline;
  }

  #anchored(event, body) {
    const last = this.#seats.get(body.seat)?.position ?? 0;
    if (body.kind === "session.SeatTaken") this.#seats.taken(body, event.seat);
    else this.#seats.anchored(body, event.seat);
    this.#shadows.rolledOver(body, this.#format === 1 ? last + 1 : last);
    if (body.kind === "session.SeatTaken" && body.seat === HOUSE) this.#nextBlind = body.next_blind;
  }

  #moved(event, body) {
    this.#seats.moved(body);
    if (body.seen_size !== undefined) this.#checkSeen(body, this.#named.get(body.seat) ?? 1, event.version);
  }

  #declared(event, body) {
    checkDeclared(body);
    const draw = body.draw;
    if (!draw) return;
    const named = draw.contributors.map(([seat]) => seat).sort(byBytes);
    const expected = this.#seats.contributors(this.#isTable);
    if (!expected.includes(HOUSE)) throw new Fault("E_ANCHOR", "no house", "the house's seat before the first draw");
    if (!same(named, expected)) throw new Fault("E_CONTRIBUTORS", named, expected);
    if (draw.k !== this.told.length) throw new Fault("E_DRAW_INDEX", draw.k, this.told.length);
    this.#seats.take(draw.contributors);
    const next = this.#nextBlind;
    if (draw.blind !== undefined && next !== undefined && draw.blind !== next)
      throw new Fault("E_BLIND", draw.blind, next);
    for (const seat of expected) this.#named.set(seat, event.version);
    const grade = this.#grade(expected, event.seat, draw); // of those who are there now, whoever comes while it waits
    const { version, turn, seat, at } = event;
    this.#waiting = { version, turn, seat, at, body, draw, grade };
    this.told.push({
      k: draw.k, version, turn, seat, status: "waiting", isSecret: draw.blind !== undefined, contributors: expected,
      ...(draw.entropy && { entropy: draw.entropy }),
    });
  }

  #drawn(event, body) {
    const { declared, told } = this.#ended(event, body.k);
    this.#readNextBlind(body.next_blind);
    const named = declared.draw.contributors.map(([seat]) => seat).sort(byBytes);
    const came = body.contributions.map((given) => given.seat);
    if (!same(came, named)) throw new Fault("E_CONTRIBUTORS", came, named);
    const links = this.#contributed(event.version, declared, body.contributions);
    const { entropy } = declared.draw;
    if (body.entropy !== entropy) throw new Fault("E_VALUES", body.entropy ?? "no entropy", entropy ?? "no entropy");
    Object.assign(told, { status: "drawn", ended: event.version, grade: declared.grade });
    if (declared.draw.blind !== undefined) {
      if (body.values.length) throw new Fault("E_VALUES", body.values, "no values, for the draw is secret");
      this.#openings.keep(body.k, declared.body, links, this.#entropy(declared.draw));
      return;
    }
    const seeded = seed(this.#raw, body.k, links, undefined, this.#entropy(declared.draw));
    checkValues(body.values, seeded);
    Object.assign(told, { seed: hex(seeded), values: body.values });
  }

  #voided(event, body) {
    const { declared, told } = this.#ended(event, body.k);
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
    Object.assign(told, { status: "void", ended: event.version, came, missing });
  }

  /** A draw is not given up early. Where the house draws alone, none waits, and there is no deadline. */
  #checkDeadline(at, declared) {
    const from = declared + 1000 * this.#deadline;
    if (at < from) throw new Fault("E_TIME", at, `${from} or later`);
  }

  /** Reads the server's commitment to the next blind, if it began with such commitments. */
  #readNextBlind(next) {
    if ((next === undefined) !== (this.#nextBlind === undefined))
      throw new Fault("E_FORMAT", next ?? "no next_blind", "next_blind as the server's SeatTaken has it");
    this.#nextBlind = next;
  }

  /** The entropy of a draw, as `seed` takes it. */
  #entropy({ entropy = "" }) {
    return this.#format === 2 ? unhex(entropy) : undefined;
  }

  /** The declaration that waited for this end. */
  #ended(event, k) {
    const declared = this.#waiting;
    if (!declared) throw new Fault("E_ORDER", `the end of draw ${k}`, "no draw, for none waits");
    if (k !== declared.draw.k) throw new Fault("E_DRAW_INDEX", k, declared.draw.k);
    if (event.turn !== declared.turn) throw new Fault("E_TURN", event.turn, declared.turn);
    this.#waiting = undefined;
    this.#ends.set(k, { version: event.version, contributions: event.body.contributions });
    return { declared, told: this.told[k] };
  }

  /** The links of contributions, each checked: {seat, chain, position, link}. */
  #contributed(version, declared, contributions) {
    const request = hex(this.#hashes[declared.version - 1]);
    return contributions.map((given) => {
      const place = declared.draw.contributors.find(([seat]) => seat === given.seat);
      this.#seats.gave(declared.draw.k, request, place, given);
      this.#checkSeen(given, declared.version, version);
      const shown = { seat: given.seat, chain: given.chain, position: given.position, link: unhex(given.link) };
      this.#shadows.shown(shown);
      return shown;
    });
  }

  /** What a seat saw is this log, at a size from `first` to below `version`. */
  #checkSeen({ seen_size: size, seen_root: seen }, first, version) {
    if (size < first || size >= version) throw new Fault("E_FORK", `seen at ${size}`, `${first} to ${version - 1}`);
    const root = hex(this.#roots.get(size));
    if (seen !== root) throw new Fault("E_FORK", seen, root);
  }

  #grade(came, asker, { blind, entropy }) {
    // In a secret draw with a blind of its choice, the house could answer the entropy.
    const isOpen = blind !== undefined && this.#nextBlind === undefined;
    if (came.length === 1) return entropy === undefined || isOpen ? "C" : "B";
    const allGave = this.#seats.players().every(([name]) => came.includes(name));
    const another = came.some((name) => name !== asker && this.#seats.get(name).role === "player");
    return allGave && another ? "A" : "B";
  }

  #sealOpened(body) {
    const seeded = this.#openings.check(body, this.told.length);
    if (body.k === undefined) return;
    const told = this.told[body.k];
    Object.assign(told, { opened: this.#version, values: body.values });
    if (seeded) told.seed = hex(seeded);
    if (told.status === "void") this.#shadows.opened(body.k, body.blind);
  }

  #claim(key, message, signature) {
    this.claims.push({ key, message, signature, version: this.#version });
  }
}

const same = (one, other) => one.length === other.length && one.every((seat, i) => seat === other[i]);
