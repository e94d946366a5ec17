// What passes by in the log, held against what the seat itself has anchored, given and been receipted.
//
// LogTree checks that the events are those of the log.

import { hex, unhex } from "../verifier/bytes.js";
import { emit } from "../verifier/canonical.js";
import { seed } from "../verifier/chain.js";
import { Fault } from "../verifier/fault.js";
import { checkValues } from "../verifier/openings.js";
import { HOUSE, Seats, checkSealed } from "../verifier/seats.js";
import { EXTENSIONS, isEvent } from "../verifier/shapes.js";
import { OtherFile } from "./keeping.js";

export class Watch {
  version = 0;
  k = 0; // the next draw
  waiting = undefined; // {version, draw} of the draw that waits
  missed = undefined; // k of a new draw that was given up for the seat, though it gave and no receipt came
  role = "";
  groups = [];
  format = 1;
  table = false;
  #requests = new Map(); // by version, of the declarations that were checked
  #claims = []; // signatures yet to be checked
  #heeds = true;

  constructor(keeping, verify) {
    this.keeping = keeping;
    this.verify = verify;
    this.seat = keeping.kept.seat;
    this.seats = new Seats(keeping.kept.session, (...claim) => { if (this.#heeds) this.#claims.push(claim); });
  }

  /** The seat's own state as far as draws go, undefined before it was taken. */
  get mine() {
    return this.seats.get(this.seat);
  }

  get houseKey() {
    return this.seats.get(HOUSE)?.key;
  }

  /** [seat, chain, position] that the draw which waits takes of the seat, undefined where it takes none. */
  get place() {
    return this.waiting?.draw.contributors.find(([seat]) => seat === this.seat);
  }

  /** The same, after the draw was checked. Its contributions must be signed for the request, the declaration's hash. */
  placeFor(request) {
    this.#requests.set(this.waiting.version, request);
    return this.place;
  }

  /** The next event, as the API tells it. Rejects with Fault at what this seat knows to be wrong, or OtherFile. */
  async read(told) {
    if (told.version !== this.version + 1)
      throw new Fault("E_ORDER", `version ${told.version}`, `version ${this.version + 1}`);
    this.version = told.version;
    if (told.sealed || told.body === undefined) {
      if (this.format > 1) checkSealed(told);
      return;
    }
    if (told.body?.kind === "session.Opened") this.#begin(told.body);
    if (!isEvent(told.body, this.groups, this.format)) throw new Fault("E_FORMAT", told.body, "an event");
    await this.#read(told);
    for (const [key, message, signature] of this.#claims.splice(0))
      if (!(await this.verify(key, message, signature)))
        throw new Fault("E_SIGNATURE", hex(signature), `a signature by ${hex(key)}`);
  }

  #begin({ ruleset, format = 1, extensions = [] }) {
    if (![1, 2].includes(format) || extensions.some((name) => !EXTENSIONS.includes(name)))
      throw new OtherFile("This page does not know the format of this log: reload it.");
    this.groups = [ruleset, ...extensions];
    this.format = this.seats.format = format;
  }

  async #read({ version, seat, body }) {
    if (body.kind === "session.Opened") this.table = body.draws === "table";
    else if (body.kind === "session.SeatTaken") await this.#taken(version, seat, body);
    else if (body.kind === "session.SeatLeft" || body.kind === "session.PresenceSet") await this.#moved(version, body);
    else if (body.kind === "session.ChainAnchored") {
      this.seats.anchored(body, seat);
      await this.#checkOwn(version, body);
    } else if (body.kind === "session.Declared" && body.draw) this.#declared(version, body);
    else if (body.kind === "session.Drawn") this.#drawn(version, body);
    else if (body.kind === "session.DrawVoided") this.#voided(version, body);
  }

  async #taken(version, by, body) {
    this.seats.taken(body, by);
    if (body.seat === HOUSE) this.nextBlind = body.next_blind;
    if (body.seat === this.seat) this.role = body.role;
    if (body.chain !== undefined) await this.#checkOwn(version, body);
  }

  /** What the seat has signed of itself was sent from here, unless another copy of its file can have sent it. */
  async #moved(version, body) {
    this.seats.moved(body);
    const { kind, seat, signature } = body;
    if (seat !== this.seat || signature === undefined || this.keeping.forget(signature)) return;
    if (this.format === 1 || this.keeping.record.copied || !this.#isNew(version)) return;
    await this.keeping.save(); // Stale if another tab has sent it
    throw new Fault("E_SIGNATURE", `${kind} at version ${version}: ${signature}`, "one that was just sent from here");
  }

  /** A chain in the seat's own name is one that is kept here. */
  async #checkOwn(version, { seat, chain, anchor }) {
    if (seat !== this.seat) return;
    const [key, own] = [hex(this.mine.key), this.keeping.keys.key];
    if (key === own && !(await this.keeping.anchored(chain, hex(this.mine.link))))
      throw new OtherFile(`Another copy of this seat has made its chain ${chain}: go on with that one.`);
    if (key !== own && this.#isNew(version))
      throw new Fault("E_ANCHOR", `chain ${chain} at version ${version}: ${anchor}`, `a chain by its own key ${own}`);
    if (key !== own) throw new OtherFile("The key of this seat is in another browser or in a file.");
  }

  /** Whether it came while this browser had the seat, and is read for the first time. */
  #isNew(version) {
    const { since, watched } = this.keeping.kept;
    return since !== null && version > Math.max(since, watched);
  }

  #declared(version, { draw }) {
    const expected = this.seats.contributors(this.table);
    const named = draw.contributors.map(([seat]) => seat).sort();
    if (!same(named, [...expected].sort())) throw new Fault("E_CONTRIBUTORS", `draw ${draw.k} of ${named}`, expected);
    if (draw.k !== this.k) throw new Fault("E_DRAW_INDEX", draw.k, this.k);
    if (draw.blind !== undefined && this.nextBlind !== undefined && draw.blind !== this.nextBlind)
      throw new Fault("E_BLIND", draw.blind, this.nextBlind);
    this.k += 1;
    this.seats.take(draw.contributors);
    this.#checkLinksOfOthers(draw);
    this.waiting = { version, draw };
  }

  /** The newest link (hex) of each other contributor to the declared draw, by seat. */
  linksOfOthers({ contributors }) {
    const others = contributors.map(([seat]) => seat).filter((seat) => seat !== this.seat);
    return Object.fromEntries(others.map((seat) => [seat, hex(this.seats.get(seat).link)]));
  }

  /** Throws Fault if another contributor's link has changed since this seat contributed. Such a change is possible only
   * after a reload: the server can record several sealed anchors for a seat that works with it, and open the one that
   * suits it. */
  #checkLinksOfOthers(draw) {
    const { contributed } = this.keeping.kept;
    const links = this.linksOfOthers(draw);
    if (contributed?.k === draw.k && !same(contributed.links, links))
      throw new Fault("E_ANCHOR", `draw ${draw.k} with the links ${emit(links)}`,
        `the links ${emit(contributed.links)}, as when this seat contributed`);
  }

  #drawn(version, drawn) {
    const waiting = this.#ended(version, drawn);
    const named = waiting.draw.contributors.map(([seat]) => seat).sort();
    const came = drawn.contributions.map(({ seat }) => seat);
    if (!same([...came].sort(), named)) throw new Fault("E_CONTRIBUTORS", came, named);
    this.#gave(waiting, drawn.contributions);
    const { blind, entropy = "" } = waiting.draw;
    const { entropy: used = "" } = drawn;
    if (used !== entropy) throw new Fault("E_VALUES", `entropy ${used}`, `entropy ${entropy}`);
    if (blind !== undefined) return;
    const links = drawn.contributions.map((given) => ({ ...given, link: unhex(given.link) }));
    const brought = this.format === 1 ? undefined : unhex(entropy);
    checkValues(drawn.values, seed(unhex(this.keeping.kept.session), drawn.k, links, undefined, brought));
  }

  #voided(version, voided) {
    const waiting = this.#ended(version, voided);
    if (voided.missing.includes(this.seat)) {
      if (this.keeping.kept.receipts.some(({ contribution }) => contribution.draw === voided.k))
        throw new Fault("E_ORDER", `draw ${voided.k} given up for ${this.seat}`, "the house's receipt for it");
      if (this.#isNew(version) && this.#hasGiven(waiting)) this.missed = voided.k;
    }
    this.#gave(waiting, voided.contributions);
    this.seats.missed(voided.missing);
  }

  /** Whether the link that the draw asks for has been given to it, as far as is kept here. */
  #hasGiven({ draw }) {
    const [, number, position] = draw.contributors.find(([seat]) => seat === this.seat);
    const chain = this.keeping.kept.chains.find((each) => each.number === number);
    return chain?.position === position;
  }

  #ended(version, { k, next_blind: next }) {
    if (this.waiting?.draw.k !== k)
      throw new Fault("E_ORDER", `the end of draw ${k} at version ${version}`, "that of the draw that waits");
    if ((next === undefined) !== (this.nextBlind === undefined))
      throw new Fault("E_FORMAT", next ?? "no next_blind", "next_blind as the server's SeatTaken has it");
    const { waiting } = this;
    Object.assign(this, { waiting: undefined, nextBlind: next });
    return waiting;
  }

  /** Each link is its seat's and signed, as far as the declaration was checked, and all saw the same log. */
  #gave(waiting, contributions) {
    const request = this.#requests.get(waiting.version);
    this.#requests.delete(waiting.version);
    const mine = contributions.find(({ seat }) => seat === this.seat);
    this.#heeds = request !== undefined; // else it was not asked, or this is read again
    for (const given of contributions) {
      const place = waiting.draw.contributors.find(([seat]) => seat === given.seat);
      if (!place) throw new Fault("E_CONTRIBUTORS", given.seat, waiting.draw.contributors);
      this.seats.gave(waiting.draw.k, request ?? "", place, given);
      if (mine && given.seen_size === mine.seen_size && given.seen_root !== mine.seen_root)
        throw new Fault("E_FORK", `${given.seat} saw ${given.seen_root}`, `${mine.seen_root} of ${mine.seen_size}`);
    }
    this.#heeds = true;
  }
}

const same = (one, other) => emit(one) === emit(other);
