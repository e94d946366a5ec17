/**
 * The draws, chains and presences in a log, compared with what the seat itself has anchored,
 * contributed and signed. LogTree checks that the events are those of the log.
 */

import type {
  ApiEvent,
  ChainBody,
  Contribution,
  Contributor,
  DrawEvent,
  DrawRequest,
  DrawVoided,
  Drawn,
  Opened,
  SeatMoved,
  SeatTaken,
} from "./log-events.ts";
import { type StoredSeat, WrongSeatFileError } from "./stored-seat.ts";
import { type Bytes, hex, unhex } from "../verifier/bytes.ts";
import { emit } from "../verifier/canonical.ts";
import { seed } from "../verifier/chain.ts";
import { Fault } from "../verifier/fault.ts";
import { checkValues } from "../verifier/openings.ts";
import { checkSealed, HOUSE, Seats, type Seat } from "../verifier/seats.ts";
import { EXTENSIONS, isEvent } from "../verifier/shapes.ts";
import type { Verify } from "../verifier/signatures.ts";

type Claim = Parameters<Verify>;

/** The draw that waits for contributions, and the version of its declaration. */
export interface WaitingDraw {
  version: number;
  draw: DrawRequest;
}

export class LogWatcher {
  version = 0;
  /** The number of the next draw. */
  k = 0;
  waiting: WaitingDraw | undefined;
  /** The number of a new draw that was voided because of the seat, although it contributed. */
  missed: number | undefined;
  role = "";
  format: 1 | 2 = 1;
  readonly seat: string;
  private ruleset = "";
  private extensions: readonly string[] = [];
  private isSharedDraws = false;
  private nextBlind: string | undefined;
  private readonly stored: StoredSeat;
  private readonly verify: Verify;
  private readonly seats: Seats;
  /** The leaf hashes of the declarations that were checked, by version. */
  private readonly requests = new Map<number, string>();
  /** Signatures that are yet to be verified. */
  private claims: Claim[] = [];
  private isVerifying = true;

  constructor(stored: StoredSeat, verify: Verify) {
    this.stored = stored;
    this.verify = verify;
    this.seat = stored.data.seat;
    this.seats = new Seats(stored.data.session, (...claim) => {
      if (this.isVerifying) this.claims.push(claim);
    });
  }

  /** The seat's own state, or undefined before the seat was taken. */
  get mine(): Seat | undefined {
    return this.seats.get(this.seat);
  }

  get houseKey(): Bytes {
    return this.seats.get(HOUSE)?.key ?? new Uint8Array();
  }

  /** The seat's place in the waiting draw, or undefined if it does not contribute. */
  get place(): Contributor | undefined {
    return this.waiting?.draw.contributors.find(([seat]) => seat === this.seat);
  }

  /** Return the seat's place in a draw that was checked. Contributions must be signed for this request. */
  placeFor(waiting: WaitingDraw, request: string): Contributor | undefined {
    this.requests.set(waiting.version, request);
    return this.place;
  }

  /** Read the next event. Throws Fault if it is not valid as far as this seat knows, or WrongSeatFileError. */
  async read(event: ApiEvent): Promise<void> {
    if (event.version !== this.version + 1) {
      throw new Fault("E_ORDER", `version ${event.version}`, `version ${this.version + 1}`);
    }
    this.version = event.version;
    if (event.sealed || event.body === undefined) {
      if (this.format > 1) checkSealed(event);
      return;
    }
    const body = event.body as DrawEvent;
    if (body.kind === "session.Opened") this.begin(body);
    if (!isEvent(body, this.ruleset, this.format, this.extensions)) throw new Fault("E_FORMAT", body, "an event");
    await this.apply(event, body);
    for (const [key, message, signature] of this.claims.splice(0)) {
      if (!(await this.verify(key, message, signature))) {
        throw new Fault("E_SIGNATURE", hex(signature), `a signature by ${hex(key)}`);
      }
    }
  }

  private begin(opened: Opened): void {
    const format: number = opened.format ?? 1;
    if ((format !== 1 && format !== 2) || opened.extensions?.some((name) => !EXTENSIONS.includes(name))) {
      throw new WrongSeatFileError("This page does not know the format of this log. Reload it.");
    }
    this.ruleset = opened.ruleset;
    this.extensions = opened.extensions ?? [];
    this.format = this.seats.format = format;
  }

  private async apply({ version, seat }: ApiEvent, body: DrawEvent): Promise<void> {
    switch (body.kind) {
      case "session.Opened":
        this.isSharedDraws = body.draws === "table";
        break;
      case "session.SeatTaken":
        await this.taken(version, seat, body);
        break;
      case "session.SeatLeft":
      case "session.PresenceSet":
        await this.moved(version, body);
        break;
      case "session.ChainAnchored":
        this.seats.anchored(body, seat);
        await this.checkOwnChain(version, body);
        break;
      case "session.Declared":
        if (body.draw) this.declared(version, body.draw);
        break;
      case "session.Drawn":
        this.drawn(version, body);
        break;
      case "session.DrawVoided":
        this.voided(version, body);
        break;
    }
  }

  private async taken(version: number, by: string, body: SeatTaken): Promise<void> {
    this.seats.taken(body, by);
    if (body.seat === HOUSE) this.nextBlind = body.next_blind;
    if (body.seat === this.seat) this.role = body.role;
    if (body.chain !== undefined && body.anchor !== undefined) {
      await this.checkOwnChain(version, { ...body, chain: body.chain, anchor: body.anchor });
    }
  }

  /** Check that a statement signed by this seat was sent from here, unless another device has the seat file. */
  private async moved(version: number, body: SeatMoved): Promise<void> {
    this.seats.moved(body);
    const { kind, seat, signature } = body;
    if (seat !== this.seat || signature === undefined || this.stored.removeStatement(signature)) return;
    if (this.format === 1 || this.stored.record.copied || !this.isNew(version)) return;
    await this.stored.save(); // throws StaleRecordError if another tab has sent the statement
    throw new Fault("E_SIGNATURE", `${kind} at version ${version}: ${signature}`, "one that was just sent from here");
  }

  /** Check that a chain of this seat is one that is stored here. */
  private async checkOwnChain(version: number, body: SeatTaken | ChainBody): Promise<void> {
    const { seat, chain, anchor } = body;
    if (seat !== this.seat || !this.mine?.key || chain === undefined) return;
    const [key, own] = [hex(this.mine.key), this.stored.keys.publicKey];
    if (key === own && !(await this.stored.markAnchored(chain, hex(this.mine.link)))) {
      throw new WrongSeatFileError(`Another copy of this seat has made its chain ${chain}. Continue with that copy.`);
    }
    if (key === own) return;
    if (this.isNew(version)) {
      throw new Fault("E_ANCHOR", `chain ${chain} at version ${version}: ${anchor}`, `a chain by its own key ${own}`);
    }
    throw new WrongSeatFileError("The key of this seat is in another browser or in a file.");
  }

  /** Return true if the event was recorded while this browser had the seat, and is read for the first time. */
  private isNew(version: number): boolean {
    const { since, watched } = this.stored.data;
    return since !== null && version > Math.max(since, watched);
  }

  private declared(version: number, draw: DrawRequest): void {
    const expected = this.seats.contributors(this.isSharedDraws);
    const named = draw.contributors.map(([seat]) => seat).sort();
    if (!same(named, [...expected].sort())) throw new Fault("E_CONTRIBUTORS", `draw ${draw.k} of ${named}`, expected);
    if (draw.k !== this.k) throw new Fault("E_DRAW_INDEX", draw.k, this.k);
    if (draw.blind !== undefined && this.nextBlind !== undefined && draw.blind !== this.nextBlind) {
      throw new Fault("E_BLIND", draw.blind, this.nextBlind);
    }
    this.k += 1;
    this.seats.take(draw.contributors);
    this.checkLinksOfOthers(draw);
    this.waiting = { version, draw };
  }

  /** Return the newest link (hex) of each other contributor to the declared draw, by seat. */
  linksOfOthers({ contributors }: DrawRequest): Record<string, string> {
    const others = contributors.map(([seat]) => seat).filter((seat) => seat !== this.seat);
    return Object.fromEntries(others.map((seat) => [seat, hex(this.seats.get(seat)?.link ?? new Uint8Array())]));
  }

  /**
   * Throw Fault if another contributor's link has changed since this seat contributed. Such a change
   * is possible only after a reload: the server can record several sealed anchors for a seat that
   * works with it, and open the one that suits it.
   */
  private checkLinksOfOthers(draw: DrawRequest): void {
    const { contributed } = this.stored.data;
    const found = this.linksOfOthers(draw);
    if (contributed?.k === draw.k && !same(contributed.links, found)) {
      throw new Fault(
        "E_ANCHOR",
        `draw ${draw.k} with the links ${emit(found)}`,
        `the links ${emit(contributed.links)}, as when this seat contributed`,
      );
    }
  }

  private drawn(version: number, drawn: Drawn): void {
    const waiting = this.ended(version, drawn);
    const named = waiting.draw.contributors.map(([seat]) => seat).sort();
    const received = drawn.contributions.map(({ seat }) => seat);
    if (!same([...received].sort(), named)) throw new Fault("E_CONTRIBUTORS", received, named);
    this.contributed(waiting, drawn.contributions);
    const { blind, entropy = "" } = waiting.draw;
    const { entropy: used = "" } = drawn;
    if (used !== entropy) throw new Fault("E_VALUES", `entropy ${used}`, `entropy ${entropy}`);
    if (blind !== undefined) return;
    const given = drawn.contributions.map((each) => ({ ...each, link: unhex(each.link) }));
    const brought = this.format === 1 ? undefined : unhex(entropy);
    checkValues(drawn.values, seed(unhex(this.stored.data.session), drawn.k, given, undefined, brought));
  }

  private voided(version: number, voided: DrawVoided): void {
    const waiting = this.ended(version, voided);
    if (voided.missing.includes(this.seat)) {
      if (this.stored.data.receipts.some(({ contribution }) => contribution.draw === voided.k)) {
        throw new Fault("E_ORDER", `draw ${voided.k} given up for ${this.seat}`, "the house's receipt for it");
      }
      if (this.isNew(version) && this.hasRevealedFor(waiting)) this.missed = voided.k;
    }
    this.contributed(waiting, voided.contributions);
    this.seats.missed(voided.missing);
  }

  /** Return true if the link that the draw asks for was revealed. */
  private hasRevealedFor({ draw }: WaitingDraw): boolean {
    const place = draw.contributors.find(([seat]) => seat === this.seat);
    return place !== undefined && this.stored.findChain(place[1])?.position === place[2];
  }

  private ended(version: number, { k, next_blind: next }: Drawn | DrawVoided): WaitingDraw {
    const { waiting } = this;
    if (waiting?.draw.k !== k) {
      throw new Fault("E_ORDER", `the end of draw ${k} at version ${version}`, "that of the draw that waits");
    }
    if ((next === undefined) !== (this.nextBlind === undefined)) {
      throw new Fault("E_FORMAT", next ?? "no next_blind", "next_blind as the server's SeatTaken has it");
    }
    this.waiting = undefined;
    this.nextBlind = next;
    return waiting;
  }

  /** Check that each link is its seat's and signed, as far as the declaration was checked, and that all saw one log. */
  private contributed(waiting: WaitingDraw, contributions: Contribution[]): void {
    const request = this.requests.get(waiting.version);
    this.requests.delete(waiting.version);
    const mine = contributions.find(({ seat }) => seat === this.seat);
    // Without a request, the seat was not asked, or the event is read again.
    this.isVerifying = request !== undefined;
    for (const given of contributions) {
      const place = waiting.draw.contributors.find(([seat]) => seat === given.seat);
      if (!place) throw new Fault("E_CONTRIBUTORS", given.seat, waiting.draw.contributors);
      this.seats.gave(waiting.draw.k, request ?? "", place, given);
      if (mine && given.seen_size === mine.seen_size && given.seen_root !== mine.seen_root) {
        throw new Fault("E_FORK", `${given.seat} saw ${given.seen_root}`, `${mine.seen_root} of ${mine.seen_size}`);
      }
    }
    this.isVerifying = true;
  }
}

const same = (one: unknown, other: unknown): boolean => emit(one) === emit(other);
