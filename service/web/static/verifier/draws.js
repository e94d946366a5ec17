// Rung 3, draws: indexes and positions without gap, links, signatures, seeds and values (docs/fairness.md).

import { byBytes, hex, unhex } from "./bytes.js";
import { seed } from "./chain.js";
import { Fault } from "./fault.js";
import { checkDeclared, checkValues, Openings } from "./openings.js";
import { HOUSE, Seats } from "./seats.js";
import { Shadows } from "./shadows.js";

const NOT_WHILE_IT_WAITS = ["session.Declared", "session.Rewound", "session.Closed", "session.ChainAnchored"];
const ENDS = ["session.Drawn", "session.DrawVoided"];

/** The sizes under which contributions say they were made. */
export const sizesSeen = (events) =>
  events
    .filter(({ body }) => ENDS.includes(body?.kind))
    .flatMap(({ body }) => body.contributions.map((given) => given.seen_size));

/** The draws so far. What is claimed to be signed is gathered in `claims`, in order, with its version. */
export class Draws {
  claims = [];
  told = []; // one report per draw, by k
  #ends = new Map(); // {version, contributions} by k
  #raw;
  #hashes;
  #roots;
  #seats;
  #openings;
  #shadows;
  #isTable = false;
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
        this.#isTable = body.draws === "table";
        break;
      case "session.SeatTaken":
        this.#seats.taken(body);
        break;
      case "session.SeatLeft":
      case "session.PresenceSet":
        this.#seats.moved(body);
        break;
      case "session.ChainAnchored":
        this.#anchored(body);
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

  #anchored(body) {
    const position = this.#seats.get(body.seat)?.position ?? 0;
    this.#seats.anchored(body);
    this.#shadows.rolledOver(body, position);
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
    const grade = this.#grade(expected, event.seat); // of those who are there now, whoever comes while it waits
    this.#waiting = { version: event.version, turn: event.turn, seat: event.seat, body, draw, grade };
    this.told.push({
      k: draw.k, version: event.version, turn: event.turn, seat: event.seat, status: "waiting",
      isSecret: draw.blind !== undefined, contributors: expected,
    });
  }

  #drawn(event, body) {
    const { declared, told } = this.#ended(event, body.k);
    const named = declared.draw.contributors.map(([seat]) => seat).sort(byBytes);
    const came = body.contributions.map((given) => given.seat);
    if (!same(came, named)) throw new Fault("E_CONTRIBUTORS", came, named);
    const links = this.#contributed(event.version, declared, body.contributions);
    Object.assign(told, { status: "drawn", ended: event.version, grade: declared.grade });
    if (declared.draw.blind !== undefined) {
      if (body.values.length) throw new Fault("E_VALUES", body.values, "no values, for the draw is secret");
      this.#openings.keep(body.k, declared.body, links);
      return;
    }
    const seeded = seed(this.#raw, body.k, links);
    checkValues(body.values, seeded);
    Object.assign(told, { seed: hex(seeded), values: body.values });
  }

  #voided(event, body) {
    const { declared, told } = this.#ended(event, body.k);
    const came = body.contributions.map((given) => given.seat);
    const named = declared.draw.contributors.map(([seat]) => seat).sort(byBytes);
    const missing = named.filter((seat) => !came.includes(seat));
    const inOrder = same(came, named.filter((seat) => came.includes(seat)));
    if (!missing.length || !inOrder || !came.includes(HOUSE) || !same(body.missing, missing))
      throw new Fault("E_CONTRIBUTORS", { came, missing: body.missing }, `of ${named} each once, the house come`);
    const links = this.#contributed(event.version, declared, body.contributions);
    this.#seats.missed(missing);
    this.#shadows.add(declared.draw, links);
    if (declared.draw.blind !== undefined) this.#openings.keep(body.k, declared.body, undefined);
    Object.assign(told, { status: "void", ended: event.version, came, missing });
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
      const size = given.seen_size;
      if (size < declared.version || size >= version)
        throw new Fault("E_FORK", `seen at ${size}`, `${declared.version} to ${version - 1}`);
      const root = hex(this.#roots.get(size));
      if (given.seen_root !== root) throw new Fault("E_FORK", given.seen_root, root);
      const shown = { seat: given.seat, chain: given.chain, position: given.position, link: unhex(given.link) };
      this.#shadows.shown(shown);
      return shown;
    });
  }

  #grade(came, asker) {
    if (came.length === 1) return "C";
    const players = this.#seats.present().filter(([, seat]) => seat.role === "player" || seat.role === "gm");
    const allGave = players.every(([name]) => came.includes(name));
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
