/** What a seat stores: its keys, its chains and what it contributed, in the format of a seat file. */

import { readRecord, writeRecord } from "./database.ts";
import { type SeatKeys, newSeed, seatKeys } from "./keys.ts";
import { type Bytes, hex, unhex } from "../verifier/bytes.ts";
import { links } from "../verifier/chain.ts";
import type { Receipt } from "../verifier/events.ts";
import { Fault } from "../verifier/fault.ts";
import { parseVkey } from "../verifier/note.ts";
import { hexOf, RECEIPT } from "../verifier/shapes.ts";

const CHAIN_LENGTH = 4096;
const MAX_RECEIPTS = 256;
const MAX_STATEMENTS = 16;

/** The seat cannot be used with what this browser stores. This is no evidence against the server. */
export class WrongSeatFileError extends Error {}

/** A hash chain. `last` is its last link, and `position` that of the highest link that was revealed. */
export interface SeatChain {
  number: number;
  length: number;
  last: string;
  position: number;
  /** What the link at `position` was revealed for: the leaf hash of a declaration, or ROLLED_OVER. */
  request: string;
  /** Whether the log contains the chain's anchor. */
  anchored: boolean;
}

/** The fields of a seat file, which `fairlog sit` reads and writes, too. */
export interface SeatData {
  server: string;
  session: string;
  seat: string;
  token: string;
  log_key: string;
  origin: string;
  key: string;
  witness: string;
  chains: SeatChain[];
  note: string;
  size: number;
  root: string;
  watched: number;
  since: number | null;
  asked: unknown[];
  statements: string[];
  receipts: Receipt[];
  contributed: { k: number; links: Record<string, string> } | null;
}

/** What was wrong with the log. */
export interface StoredFault {
  code: string;
  found: unknown;
  expected: unknown;
  at: string;
  answer?: unknown;
}

/** A seat's record in this browser. Its `rev` increases each time it is stored. */
export interface SeatRecord {
  id: string;
  kept: SeatData;
  rev: number;
  /** The seat was told to stay out of draws. */
  away?: boolean;
  /** The seat file went to another device, which contributes now. */
  handed?: boolean;
  /** Another device has had the seat file. */
  copied?: boolean;
  /** The log was not valid, so the seat contributes to no draw any more. */
  fault?: StoredFault;
  /** The number of a draw that was voided because of this seat, although it contributed. */
  missed?: number;
}

export interface SeatStore {
  /** Store the record. It must resolve only after the record is durable. */
  write(record: SeatRecord): Promise<void>;
}

export const recordId = (session: string, seat: string): string => `${session}/${seat}`;

/** A seat's record with its keys. Nothing that depends on a change is sent before `save` has resolved. */
export class StoredSeat {
  readonly record: SeatRecord;
  readonly keys: SeatKeys;
  private readonly store: SeatStore;
  private readonly linksByChain = new Map<number, Bytes[]>();

  constructor(record: SeatRecord, keys: SeatKeys, store: SeatStore = { write: writeRecord }) {
    this.record = record;
    this.keys = keys;
    this.store = store;
    this.record.kept.statements ??= []; // older records have none
  }

  /** Return what this browser stores of a seat, or undefined if it stores nothing. */
  static async read(session: string, seat: string): Promise<StoredSeat | undefined> {
    const record = await readRecord(recordId(session, seat));
    return record && new StoredSeat(record, await seatKeys(record.kept.key));
  }

  /** Return a new seat's record, which is not stored yet. */
  static async create(
    { server, session, seat, logKey }: { server: string; session: string; seat: string; logKey: string },
    store?: SeatStore,
  ): Promise<StoredSeat> {
    const kept: SeatData = {
      server,
      session,
      seat,
      token: "",
      log_key: logKey,
      origin: parseVkey(logKey).name,
      key: newSeed(),
      witness: newSeed(),
      chains: [],
      note: "",
      size: 0,
      root: "",
      watched: 0,
      since: null,
      asked: [],
      statements: [],
      receipts: [],
      contributed: null,
    };
    return new StoredSeat({ id: recordId(session, seat), kept, rev: 0 }, await seatKeys(kept.key), store);
  }

  get data(): SeatData {
    return this.record.kept;
  }

  /** Store the record. Throws StaleRecordError if another tab has stored it meanwhile. */
  save(): Promise<void> {
    return this.store.write(this.record);
  }

  findChain(number: number): SeatChain | undefined {
    return this.data.chains.find((chain) => chain.number === number);
  }

  /** Return the chain with this number. It is created if it is missing: save it before its anchor is sent. */
  chain(number: number): SeatChain {
    const found = this.findChain(number);
    if (found) return found;
    const chain = { number, length: CHAIN_LENGTH, last: newSeed(), position: 0, request: "", anchored: false };
    this.data.chains.push(chain);
    return chain;
  }

  /** The number after the last chain that is in the log. */
  get nextNumber(): number {
    const anchored = this.data.chains.filter((chain) => chain.anchored !== false);
    return 1 + Math.max(-1, ...anchored.map(({ number }) => number));
  }

  /** Mark a chain as being in the log. Returns false if it is not one of the stored chains. */
  async markAnchored(number: number, anchor: string): Promise<boolean> {
    const own = this.findChain(number);
    if (!own || this.link(own, 0) !== anchor) return false;
    if (own.anchored === false) {
      own.anchored = true;
      await this.save();
    }
    return true;
  }

  /** Return the link at a position in hex. The link at position 0 is the anchor. */
  link({ number, last, length }: SeatChain, position: number): string {
    const { session, seat } = this.data;
    let found = this.linksByChain.get(number);
    if (!found) this.linksByChain.set(number, (found = links(unhex(session), seat, number, unhex(last), length)));
    return hex(found[position]!);
  }

  /**
   * Return the link at a position, which belongs to one request only, and store that first. Throws
   * Fault E_POSITION if the link was revealed for another request.
   */
  async reveal(chain: SeatChain, position: number, request: string): Promise<string> {
    if (position < chain.position || (position === chain.position && request !== chain.request)) {
      throw new Fault("E_POSITION", `${position} for ${request}`, `${chain.position} went to ${chain.request}`);
    }
    if (!(position >= 1 && position <= chain.length)) {
      throw new Fault("E_POSITION", `position ${position}`, `1 to ${chain.length}`);
    }
    Object.assign(chain, { position, request });
    await this.save();
    return this.link(chain, position);
  }

  /** Store a signature by which the seat leaves or changes its presence, before it is sent. */
  async addStatement(signature: string): Promise<void> {
    this.data.statements = [...this.data.statements, signature].slice(-MAX_STATEMENTS);
    await this.save();
  }

  /** Remove a signature that is in the log or was refused. Returns false if it was not stored. */
  removeStatement(signature: string): boolean {
    const nth = this.data.statements.indexOf(signature);
    if (nth >= 0) this.data.statements.splice(nth, 1);
    return nth >= 0;
  }

  async addReceipt(receipt: Receipt): Promise<void> {
    const text = JSON.stringify(receipt);
    if (this.data.receipts.some((each) => JSON.stringify(each) === text)) return;
    this.data.receipts = [...this.data.receipts, receipt].slice(-MAX_RECEIPTS);
    await this.save();
  }
}

const isSeed = hexOf(32);
const isSession = hexOf(16);

const isChain = ({ number, length, last, position, request }: SeatChain): boolean =>
  [number, length, position].every((each) => Number.isSafeInteger(each) && each >= 0) &&
  isSeed(last) &&
  typeof request === "string";

const isContributed = ({ k, links: shown }: { k: number; links: Record<string, string> }): boolean =>
  Number.isSafeInteger(k) && Object.values(shown).every((link) => typeof link === "string");

/** Return the data of a seat file. Throws WrongSeatFileError if the text is not one. */
export function parseSeatFile(text: string): SeatData {
  try {
    const given = JSON.parse(text) as SeatData;
    const data: SeatData = {
      ...{ chains: [], note: "", size: 0, root: "", watched: 0, since: 0, asked: [] },
      ...{ statements: [], receipts: [], contributed: null },
      ...given,
    };
    data.chains = data.chains.map((chain) => ({ ...{ position: 0, request: "", anchored: true }, ...chain }));
    parseVkey(data.log_key);
    const texts = [data.server, data.seat, data.token, data.origin, data.note, data.root];
    const isValid =
      texts.every((each) => typeof each === "string") &&
      isSession(data.session) &&
      isSeed(data.key) &&
      isSeed(data.witness) &&
      data.chains.every(isChain) &&
      data.receipts.every((each) => RECEIPT(each)) &&
      (data.contributed === null || isContributed(data.contributed));
    if (isValid) return data;
  } catch {
    // reported below
  }
  throw new WrongSeatFileError("This is not a seat file.");
}

/**
 * Store a seat file in this browser, which then continues from it. Throws WrongSeatFileError if this
 * browser has revealed links that the file does not know.
 */
export async function storeSeatFile(data: SeatData): Promise<void> {
  const id = recordId(data.session, data.seat);
  const old = await readRecord(id);
  const isNewer = ({ number, position }: SeatChain): boolean =>
    position > (data.chains.find((chain) => chain.number === number)?.position ?? -1);
  if (old && !old.fault && old.kept.key === data.key && old.kept.chains.some(isNewer)) {
    throw new WrongSeatFileError("This browser has contributed more than this file knows. Continue here instead.");
  }
  await writeRecord({ id, kept: data, rev: old?.rev ?? 0, copied: true });
}
