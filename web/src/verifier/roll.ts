/**
 * The check of a .roll file: the draw is in the signed log, it uses links of the seats' chains, and
 * its values follow from its seed (docs/log-format.md, `.roll`).
 */

import { type Bytes, equal, hex, unhex, utf8 } from "./bytes.ts";
import { Unusable } from "./bundle.ts";
import { emit, read } from "./canonical.ts";
import { contributionMessage, type Link, linkDown, seatMessage, seed } from "./chain.ts";
import type { Grade } from "./draws.ts";
import type {
  ChainBody,
  Contribution,
  Declared,
  DrawEnd,
  DrawRequest,
  LogEvent,
  Manifest,
  Opened,
  RollContent,
  SealOpened,
  SeatTaken,
  Value,
} from "./events.ts";
import { Fault } from "./fault.ts";
import { begin, extensionsOf, nothing, readLeaf, readOpening, usedBy } from "./leaves.ts";
import { type Checkpoint, isFollowed, openCheckpoint, parseVkey, type Vkey, vkeyText } from "./note.ts";
import { checkDeclared, checkValues, Openings } from "./openings.ts";
import { HOUSE, MIN_LENGTH } from "./seats.ts";
import { ROLL } from "./shapes.ts";
import { verifier, type Verify } from "./signatures.ts";
import { leafHash, verifyConsistency, verifyInclusion } from "./tree.ts";
import type { Failure, Level } from "./verify.ts";

const MAX_BYTES = 2 ** 20;
/** Links of a chain. Session commands have the same limit. */
const MAX_CHAIN_LENGTH = 65_536;
const PROVING = [
  "session.Opened",
  "session.SeatTaken",
  "session.ChainAnchored",
  "session.Declared",
  "session.Drawn",
  "session.DrawVoided",
];

/** The exact grade can depend on events that are not in the file. */
export type RollGrade = Grade | "C or better" | "B or better";

/** A contributor to the draw. */
export interface RollSeat {
  seat: string;
  chain: number;
  position: number;
  /** The link in hex; absent if the seat did not contribute. */
  link?: string;
  /** When the chain was fixed, in milliseconds since 1970. */
  anchoredAt: number;
}

export interface RollReport {
  session: string | null;
  logKey: string | null;
  failure: Failure | null;
  /** Absent if the file does not hold. */
  roll?: Roll;
}

export interface Roll {
  k: number;
  turn: number;
  /** The seat whose command needed the draw. */
  seat: string;
  status: "drawn" | "void";
  isSecret: boolean;
  seats: RollSeat[];
  missing: string[];
  /** Absent if the draw was voided, or is secret and was not opened. */
  values?: Value[];
  seed?: string;
  grade?: RollGrade;
  /** Milliseconds since 1970. */
  declaredAt: number;
  endedAt: number;
  /** The version of the event with the values. */
  version: number;
  /** The size and the root of the signed log. */
  size: number;
  root: string;
}

export interface RollOptions {
  /** The log's public key, as a verifier key (vkey). */
  key?: string | undefined;
  /** False: check signatures without WebCrypto. Default: true. */
  native?: boolean;
}

/** Return true if the bytes begin as a .roll file does. */
export function isRoll(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 14)) === '{"checkpoint":';
}

/** Verify a .roll file: text or bytes. Throws Unusable if the key is none, or the log uses an unknown extension. */
export async function verifyRoll(
  input: string | Uint8Array | ArrayBuffer,
  { key, native = true }: RollOptions = {},
): Promise<RollReport> {
  const trusted = key === undefined ? undefined : parseTrusted(key);
  const check = await verifier({ native });
  const report: RollReport = { session: null, logKey: null, failure: null };
  let level: Level = "bytes";
  try {
    const file = read(textOf(input), ROLL, "a roll file");
    const { manifest } = file;
    Object.assign(report, { session: manifest.session, logKey: manifest.log_key });
    const { events, own } = readEntries(file);
    level = "tree";
    const checkpoint = await checkInclusion(file, own, trusted, check);
    level = "draws";
    report.roll = await new RollCheck(file, events, checkpoint, check).check();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { version, code, expected, found } = error;
    report.failure = { version, rung: level, code, expected, found, parent: false };
  }
  return report;
}

function parseTrusted(key: string): Vkey {
  try {
    return parseVkey(key.trim());
  } catch (error) {
    throw new Unusable(`not a key: ${error instanceof Error ? error.message : error}`);
  }
}

function textOf(input: string | Uint8Array | ArrayBuffer): string {
  const bytes = typeof input === "string" ? utf8(input) : new Uint8Array(input);
  if (bytes.length > MAX_BYTES) throw new Fault("E_FORMAT", `${bytes.length} bytes`, `at most ${MAX_BYTES}`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  } catch {
    throw new Fault("E_FORMAT", "no UTF-8", "a roll file");
  }
}

function readEntries({ manifest, entries }: RollContent): { events: LogEvent[]; own: Vkey } {
  const held = nothing();
  begin(held, manifest);
  const events: LogEvent[] = [];
  for (const { version, leaf: text, opening } of entries) {
    const before = events.at(-1)?.version ?? 0;
    if (events.length && version <= before)
      throw new Fault("E_VERSION", version, `a version greater than ${before}`, version);
    try {
      const leaf = readLeaf(text, version, held, undefined);
      const part = opening
        ? { leaf: text, raw: emit(opening.body), body: opening.body, salt: opening.salt }
        : { leaf: text };
      const body = readOpening(part, leaf, version, manifest, false, usedBy(events));
      events.push({ version, turn: leaf.turn, seat: leaf.seat, at: leaf.at, body });
      if (extensionsOf(events).length) throw new Unusable(`not a roll that can be checked: it uses ${extensionsOf(events)}`);
    } catch (error) {
      throw error instanceof Fault ? error.at(version) : error;
    }
  }
  if (events[0]?.version !== 1) throw new Fault("E_FORMAT", "no event at version 1", "session.Opened at version 1", 1);
  return { events, own: held.key! };
}

/** Check the checkpoint's signature and all inclusion proofs. Returns the checkpoint. Throws Fault. */
async function checkInclusion(
  { manifest, checkpoint: note, entries }: RollContent,
  own: Vkey,
  trusted: Vkey | undefined,
  check: Verify,
): Promise<Checkpoint> {
  const isOwn = !trusted || vkeyText(trusted) === vkeyText(own);
  if (!isOwn && !(await isFollowed(note, own, trusted, check)))
    throw new Fault("E_UNTRUSTED_LOG", manifest.log_key, vkeyText(trusted), 1);
  const checkpoint = await openCheckpoint(note, own, check);
  for (const { version, leaf, inclusion } of entries) {
    const hash = leafHash(utf8(leaf));
    if (!verifyInclusion(hash, version - 1, checkpoint.size, inclusion.map(unhex), checkpoint.root))
      throw new Fault("E_INCLUSION", hex(hash), `event ${version} of ${checkpoint.size}`, version);
  }
  return checkpoint;
}

/** A chain's anchor: its link 0, the number of links that follow, and when it was fixed. */
interface Anchor {
  link: Bytes;
  length: number;
  at: number;
}

/** The keys and chains of the seats in a .roll file. Methods throw Fault. */
class SeatKeys {
  #session: string;
  #format: number;
  #check: Verify;
  #keys = new Map<string, Bytes>();
  #chains = new Map<string, Anchor>();

  constructor({ session, v }: Manifest, check: Verify) {
    this.#session = session;
    this.#format = v;
    this.#check = check;
  }

  anchorOf(seat: string, chain: number): Anchor | undefined {
    return this.#chains.get(`${seat} ${chain}`);
  }

  /** Check the signature on a SeatTaken or ChainAnchored, and store the event's key and chain. */
  async read({ version, at }: LogEvent, body: SeatTaken | ChainBody): Promise<void> {
    if (body.kind === "session.SeatTaken") this.#takeKey(version, body as SeatTaken);
    const { seat, anchor, chain, length, signature } = body;
    const key = this.#keys.get(seat);
    if (anchor === undefined || chain === undefined || length === undefined || signature === undefined || !key)
      throw new Fault("E_ANCHOR", body, "a complete chain for a seat whose key is in the file", version);
    const link = unhex(anchor);
    if ([...this.#chains.values()].some((other) => equal(other.link, link)))
      throw new Fault("E_ANCHOR", `${anchor}, which was used before`, "a new anchor", version);
    if (this.#format > 1 && seat === HOUSE && length < MIN_LENGTH)
      throw new Fault("E_ANCHOR", `a chain of ${length}`, `${MIN_LENGTH} at least`, version);
    const signed: Record<string, unknown> = { ...body, session: this.#session };
    delete signed["signature"];
    await this.#checkSignature(version, key, seatMessage(emit(signed)), signature);
    this.#chains.set(`${seat} ${chain}`, { link, length, at });
  }

  #takeKey(version: number, { seat, public_key }: SeatTaken): void {
    if (public_key === undefined) return;
    const key = unhex(public_key);
    const isOthers = [...this.#keys].some(([other, its]) => other !== seat && equal(its, key));
    const own = this.#keys.get(seat);
    if (isOthers || (own && !equal(own, key)))
      throw new Fault("E_ANCHOR", public_key, "the seat's own key, which must never change", version);
    this.#keys.set(seat, key);
  }

  /** Check a contribution's position and signature, and that its link hashes to its chain's anchor. */
  async checkContribution(version: number, draw: DrawRequest, request: string, given: Contribution): Promise<void> {
    const [, chain, position] = draw.contributors.find(([seat]) => seat === given.seat)!;
    if (given.chain !== chain || given.position !== position)
      throw new Fault(
        "E_POSITION",
        `position ${given.position} in chain ${given.chain}`,
        `position ${position} in chain ${chain}`,
        version,
      );
    const anchor = this.anchorOf(given.seat, chain);
    if (!anchor)
      throw new Fault("E_ANCHOR", `chain ${chain} for ${given.seat} without an anchor`, "an anchor before", version);
    const last = Math.min(anchor.length, MAX_CHAIN_LENGTH);
    if (!(position >= 1 && position <= last))
      throw new Fault("E_POSITION", `position ${position}`, `a position from 1 to ${last}`, version);
    const below = linkDown(unhex(this.#session), given.seat, chain, position, 0, unhex(given.link));
    if (!equal(below, anchor.link)) throw new Fault("E_CHAIN", hex(below), hex(anchor.link), version);
    const { signature, ...said } = given;
    const message = contributionMessage(emit({ ...said, draw: draw.k, request, session: this.#session }));
    await this.#checkSignature(version, this.#keys.get(given.seat)!, message, signature);
  }

  async #checkSignature(version: number, key: Bytes, message: Bytes, signature: string): Promise<void> {
    if (!(await this.#check(key, message, unhex(signature))))
      throw new Fault("E_SIGNATURE", signature, `a signature made with key ${hex(key)}`, version);
  }
}

/** Checks the draw in a .roll file: its declaration, contributions and result. */
class RollCheck {
  #file: RollContent;
  #events: readonly LogEvent[];
  #checkpoint: Checkpoint;
  #session: Bytes;
  #seats: SeatKeys;
  #openings: Openings;

  constructor(file: RollContent, events: readonly LogEvent[], checkpoint: Checkpoint, check: Verify) {
    this.#file = file;
    this.#events = events;
    this.#checkpoint = checkpoint;
    this.#session = unhex(file.manifest.session);
    this.#seats = new SeatKeys(file.manifest, check);
    this.#openings = new Openings(this.#session);
  }

  /** Check the draw and return the result. Throws Fault. */
  async check(): Promise<Roll> {
    const { declared, body, draw } = this.#findDeclared();
    const { end, result } = this.#findEnd(declared);
    this.#checkRest(declared, end, result);
    let nextBlind: string | undefined;
    for (const event of this.#events) {
      if (event.version >= declared.version || !isChain(event.body)) continue;
      await this.#seats.read(event, event.body);
      const { kind, seat, next_blind } = event.body as SeatTaken;
      if (kind !== "session.SeatTaken") continue;
      if (seat === HOUSE) nextBlind = next_blind;
      else if (next_blind !== undefined)
        throw new Fault("E_FORMAT", next_blind, "next_blind only from the server", event.version);
    }
    if ((result.next_blind === undefined) !== (nextBlind === undefined))
      throw new Fault("E_FORMAT", result.next_blind ?? "no next_blind", "next_blind as in SeatTaken", end.version);
    await this.#checkContributions(declared, draw, end, result);
    this.#openings.read(declared);
    return {
      k: draw.k,
      turn: declared.turn,
      seat: declared.seat,
      isSecret: draw.blind !== undefined,
      seats: this.#seatsOf(draw, result),
      missing: isVoid(result) ? result.missing : [],
      declaredAt: declared.at,
      endedAt: end.at,
      version: end.version,
      size: this.#checkpoint.size,
      root: hex(this.#checkpoint.root),
      ...this.#result(declared, body, draw, end, result),
    };
  }

  #findDeclared(): { declared: LogEvent; body: Declared; draw: DrawRequest } {
    const found = this.#events.filter(({ body }) => body?.kind === "session.Declared");
    const declared = found[0];
    const body = declared?.body as Declared | undefined;
    const draw = body?.draw;
    if (found.length !== 1 || !declared || !body || !draw)
      throw new Fault("E_ORDER", `${found.length} declarations`, `one declaration, for draw ${this.#file.k}`);
    if (draw.k !== this.#file.k) throw new Fault("E_DRAW_INDEX", draw.k, this.#file.k, declared.version);
    atVersion(declared.version, () => checkDeclared(body));
    const named = draw.contributors.map(([seat]) => seat);
    const isAlone = (this.#events[0]!.body as Opened).draws === "house";
    if (!named.includes(HOUSE) || new Set(named).size < named.length || (isAlone && named.length > 1))
      throw new Fault(
        "E_CONTRIBUTORS",
        named,
        isAlone ? "only the server" : "the server and other seats, each listed once",
        declared.version,
      );
    return { declared, body, draw };
  }

  #findEnd(declared: LogEvent): { end: LogEvent; result: DrawEnd } {
    const found = this.#events.filter(
      ({ body }) => body?.kind === "session.Drawn" || body?.kind === "session.DrawVoided",
    );
    const end = found[0];
    if (found.length !== 1 || !end || end.version < declared.version)
      throw new Fault("E_ORDER", `${found.length} results`, "one result, after its declaration", declared.version);
    const result = end.body as DrawEnd;
    if (result.k !== this.#file.k) throw new Fault("E_DRAW_INDEX", result.k, this.#file.k, end.version);
    if (end.turn !== declared.turn) throw new Fault("E_TURN", end.turn, declared.turn, end.version);
    return { end, result };
  }

  /**
   * Check that the file has no superfluous events. The ruleset's events directly follow the result
   * of the draw. After a voided draw, there are none.
   */
  #checkRest(declared: LogEvent, end: LogEvent, result: DrawEnd): void {
    let last = end.version;
    for (const { version, turn, body } of this.#events) {
      if (body && PROVING.includes(body.kind)) continue;
      if (body?.kind === "session.SealOpened" && (body as SealOpened).k === this.#file.k) continue;
      const isOfRuleset = !body?.kind.startsWith("session.");
      if (!isOfRuleset || turn !== declared.turn)
        throw new Fault("E_FORMAT", "an event that the proof does not need", `events of draw ${this.#file.k}`, version);
      if (isVoid(result))
        throw new Fault("E_OUTCOME", "an event after the voided draw", "the end of the turn", version);
      if (version !== last + 1) throw new Fault("E_VERSION", version, last + 1, version);
      last = version;
    }
  }

  async #checkContributions(declared: LogEvent, draw: DrawRequest, end: LogEvent, result: DrawEnd): Promise<void> {
    const named = draw.contributors.map(([seat]) => seat).sort();
    const present = result.contributions.map((given) => given.seat);
    const missing = isVoid(result) ? result.missing : [];
    const isComplete =
      same([...present, ...missing].sort(), named) &&
      same(present, [...present].sort()) &&
      missing.length > 0 === isVoid(result) &&
      !missing.includes(HOUSE);
    if (!isComplete)
      throw new Fault("E_CONTRIBUTORS", `${present} contributed, ${missing} missing`, named, end.version);
    const leaf = this.#file.entries.find(({ version }) => version === declared.version)!.leaf;
    const request = hex(leafHash(utf8(leaf)));
    for (const given of result.contributions) {
      await this.#seats.checkContribution(end.version, draw, request, given);
      this.#checkSeen(declared.version, end.version, given.seen_size, given.seen_root);
    }
  }

  /** Check that what a seat saw is the signed log, at a size from `first` to below `end`. */
  #checkSeen(first: number, end: number, size: number, root: string): void {
    const proof = this.#file.seen.find((each) => each.size === size)?.proof ?? [];
    if (!(first <= size && size < end))
      throw new Fault("E_FORK", `seen at size ${size}`, `seen at size ${first} to ${end - 1}`, end);
    const signed = this.#checkpoint;
    if (!verifyConsistency(size, signed.size, unhex(root), signed.root, proof.map(unhex)))
      throw new Fault("E_FORK", `root ${root} at size ${size}`, "a root that the consistency proof confirms", end);
  }

  /** Check and return what came of the draw. */
  #result(
    declared: LogEvent,
    body: Declared,
    draw: DrawRequest,
    end: LogEvent,
    result: DrawEnd,
  ): Pick<Roll, "status" | "values" | "seed" | "grade"> {
    const isBlind = draw.blind !== undefined;
    if (isVoid(result)) {
      if (isBlind) this.#openings.keep(draw.k, body, undefined);
      this.#checkOpenings();
      return { status: "void" };
    }
    if (result.entropy !== draw.entropy)
      throw new Fault("E_VALUES", result.entropy ?? "no entropy", draw.entropy ?? "no entropy", end.version);
    const links: Link[] = result.contributions.map(({ seat, chain, position, link }) => {
      return { seat, chain, position, link: unhex(link) };
    });
    const entropy = this.#file.manifest.v === 2 ? unhex(draw.entropy ?? "") : undefined;
    const grade = gradeOf(declared.seat, draw, result);
    if (!isBlind) {
      const seeded = seed(this.#session, draw.k, links, undefined, entropy);
      atVersion(end.version, () => checkValues(result.values, seeded));
      return { status: "drawn", grade, values: result.values, seed: hex(seeded) };
    }
    if (result.values.length)
      throw new Fault("E_VALUES", result.values, "no values, for the draw is secret", end.version);
    this.#openings.keep(draw.k, body, links, entropy);
    return { status: "drawn", grade, ...this.#checkOpenings() };
  }

  /** Check the openings of the draw, and return the values and the seed that the last one shows. */
  #checkOpenings(): Pick<Roll, "values" | "seed"> {
    let shown: Pick<Roll, "values" | "seed"> = {};
    for (const event of this.#events) {
      if (event.body?.kind !== "session.SealOpened") continue;
      const opened = event.body as SealOpened;
      const seeded = atVersion(event.version, () => this.#openings.check(opened, this.#file.k + 1));
      this.#openings.read(event);
      shown = { ...(opened.values && { values: opened.values }), ...(seeded && { seed: hex(seeded) }) };
    }
    return shown;
  }

  #seatsOf(draw: DrawRequest, { contributions }: DrawEnd): RollSeat[] {
    return draw.contributors.map(([seat, chain, position]) => {
      const link = contributions.find((given) => given.seat === seat)?.link;
      const anchoredAt = this.#seats.anchorOf(seat, chain)?.at ?? 0;
      return { seat, chain, position, ...(link !== undefined && { link }), anchoredAt };
    });
  }
}

const isVoid = (result: DrawEnd): boolean => result.kind === "session.DrawVoided";

const isChain = (body: LogEvent["body"]): body is SeatTaken | ChainBody =>
  body?.kind === "session.SeatTaken" || body?.kind === "session.ChainAnchored";

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each, i) => each === other[i]);

function gradeOf(asker: string, draw: DrawRequest, drawn: DrawEnd): RollGrade {
  const others = draw.contributors.map(([seat]) => seat).filter((seat) => seat !== HOUSE);
  if (!others.length) {
    if (draw.entropy === undefined || (draw.blind !== undefined && drawn.next_blind === undefined)) return "C";
    return draw.blind === undefined ? "B" : "C or better";
  }
  return others.every((seat) => seat === asker) ? "B" : "B or better";
}

/** Return the result of `act`. Its Fault is one of this version. */
function atVersion<T>(version: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof Fault ? error.at(version) : error;
  }
}
