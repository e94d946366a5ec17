// What a seat keeps, in the shape of `fairlog sit`'s file (service/client/seat_file.py): keys, chains, what it gave.

import { hex, unhex } from "../verifier/bytes.js";
import { links } from "../verifier/chain.js";
import { Fault } from "../verifier/fault.js";
import { parseVkey } from "../verifier/note.js";
import { hexOf, RECEIPT } from "../verifier/shapes.js";
import { read, write } from "./drawer.js";
import { fresh, signer } from "./keys.js";

const LENGTH = 4096;
const MOST_RECEIPTS = 256;
const MOST_STATEMENTS = 16;

/** The seat cannot be sat on with what this browser keeps; nobody has lied. */
export class OtherFile extends Error {}

export const idOf = (session, seat) => `${session}/${seat}`;

/** `record`: {id, kept, rev} and what this browser alone needs: `away` (it was told to stay away), `handed` (its file
 * went to another device), `copied` (another device has had its file), `fault` (the log lied: nothing is given any
 * more). Nothing leaves before `save` is over. */
export class Keeping {
  #links = new Map();

  /** `store.write(record)` saves it; by default, in this browser. */
  constructor(record, keys, store = { write }) {
    this.record = record;
    this.store = store;
    this.record.kept.statements ??= []; // older records have none
    this.keys = keys;
  }

  /** What this browser keeps of a seat, undefined where that is nothing. */
  static async read(session, seat) {
    const record = await read(idOf(session, seat));
    return record && new Keeping(record, await signer(record.kept.key));
  }

  /** A new seat's; not saved yet. */
  static async make({ server, session, seat, logKey }, store = undefined) {
    const kept = {
      server, session, seat, token: "", log_key: logKey, origin: parseVkey(logKey).name, key: fresh(), witness: fresh(),
      chains: [], note: "", size: 0, root: "", watched: 0, since: null, asked: [],
      statements: [], receipts: [], contributed: null,
    };
    return new Keeping({ id: idOf(session, seat), kept, rev: 0 }, await signer(kept.key), store);
  }

  get kept() {
    return this.record.kept;
  }

  /** On the disk when it is over. Throws Stale where another tab has saved since. */
  save() {
    return this.store.write(this.record);
  }

  /** The chain of a number, made now where there is none yet: `save` before its anchor is shown. */
  chain(number) {
    const found = this.kept.chains.find((chain) => chain.number === number);
    if (found) return found;
    const chain = { number, length: LENGTH, last: fresh(), position: 0, request: "", anchored: false };
    this.kept.chains.push(chain);
    return chain;
  }

  /** The number behind the last chain that is in the log. */
  get nextNumber() {
    const there = this.kept.chains.filter(({ anchored }) => anchored !== false);
    return 1 + Math.max(-1, ...there.map(({ number }) => number));
  }

  /** Marks a chain as being in the log; false where it is not one that is kept here. */
  async anchored(number, anchor) {
    const own = this.kept.chains.find((chain) => chain.number === number);
    if (!own || this.link(own, 0) !== anchor) return false;
    if (own.anchored === false) {
      own.anchored = true;
      await this.save();
    }
    return true;
  }

  /** The link of a position in hex; of 0 the anchor. */
  link({ number, last, length }, position) {
    const { session, seat } = this.kept;
    if (!this.#links.has(number)) this.#links.set(number, links(unhex(session), seat, number, unhex(last), length));
    return hex(this.#links.get(number)[position]);
  }

  /** The link of a position for one request: Fault E_POSITION for any other than the first that it was given to. */
  async give(chain, position, request) {
    if (position < chain.position || (position === chain.position && request !== chain.request))
      throw new Fault("E_POSITION", `${position} for ${request}`, `${chain.position} went to ${chain.request}`);
    if (!(position >= 1 && position <= chain.length))
      throw new Fault("E_POSITION", `position ${position}`, `1 to ${chain.length}`);
    Object.assign(chain, { position, request });
    await this.save();
    return this.link(chain, position);
  }

  /** Notes a signature by which the seat comes or goes, before it is sent. */
  async states(signature) {
    this.kept.statements = [...this.kept.statements, signature].slice(-MOST_STATEMENTS);
    await this.save();
  }

  /** Forgets a signature that is in the log or was refused; false if it was not noted. */
  forget(signature) {
    const nth = this.kept.statements.indexOf(signature);
    if (nth >= 0) this.kept.statements.splice(nth, 1);
    return nth >= 0;
  }

  async hold(receipt) {
    const isIt = (each) => JSON.stringify(each) === JSON.stringify(receipt);
    if (this.kept.receipts.some(isIt)) return;
    this.kept.receipts = [...this.kept.receipts, receipt].slice(-MOST_RECEIPTS);
    await this.save();
  }
}

const isSeed = hexOf(32);
const isSession = hexOf(16);
const isChain = ({ number, length, last, position, request }) =>
  [number, length, position].every((each) => Number.isSafeInteger(each) && each >= 0) &&
  isSeed(last) && typeof request === "string";

const isContributed = ({ k, links }) =>
  Number.isSafeInteger(k) && Object.values(links).every((link) => typeof link === "string");

/** The seat's file of a text. Throws TypeError where it is none. */
export function readFile(text) {
  try {
    const told = JSON.parse(text);
    const kept = {
      chains: [], note: "", size: 0, root: "", watched: 0, since: 0, asked: [], statements: [], receipts: [],
      contributed: null, ...told,
    };
    kept.chains = kept.chains.map((chain) => ({ position: 0, request: "", anchored: true, ...chain }));
    parseVkey(kept.log_key);
    const texts = [kept.server, kept.seat, kept.token, kept.origin, kept.note, kept.root];
    const isOne = texts.every((each) => typeof each === "string") && isSession(kept.session) &&
      isSeed(kept.key) && isSeed(kept.witness) && kept.chains.every(isChain) && kept.receipts.every(RECEIPT) &&
      (kept.contributed === null || isContributed(kept.contributed));
    if (isOne) return kept;
  } catch {
    // whatever it is, it is no such file
  }
  throw new TypeError("This is no file of a seat.");
}

/** Goes on from a file here. Throws OtherFile where what this browser keeps of the seat has come further. */
export async function take(kept) {
  const id = idOf(kept.session, kept.seat);
  const old = await read(id);
  const isBehind = ({ number, position }) =>
    position > (kept.chains.find((chain) => chain.number === number)?.position ?? -1);
  if (old && !old.fault && old.kept.key === kept.key && old.kept.chains.some(isBehind))
    throw new OtherFile("This browser has given more than this file knows of: go on with what is here.");
  await write({ id, kept, rev: old?.rev ?? 0, copied: true });
}
