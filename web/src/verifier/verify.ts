/**
 * The check of a .fairlog file in any JavaScript: levels 1 to 3 (bytes, tree, draws) of
 * docs/log-format.md. Rules and views are not checked.
 *
 *   const report = await verify(bytesOrText, { key: "name+id+base64", checkpoints: [note] });
 *   report.failure === null // what the three levels prove holds
 */

import { type Bytes, hex } from "./bytes.ts";
import { type Lines, linesOf, Unusable } from "./bundle.ts";
import { type Claim, type Draw, Draws, sizesSeen } from "./draws.ts";
import type { IndexProof, LogEvent, Opened, Receipt } from "./events.ts";
import { Fault } from "./fault.ts";
import { extensionsOf, nothing, readLog } from "./leaves.ts";
import { COSIGNATURE, isFollowed, parseCheckpoint, parseNote, parseVkey, type Vkey, vkeyText } from "./note.ts";
import { checkReceipts } from "./receipts.ts";
import { checkOrigin, checkRoots, type Cosigned, cosigned, sizesOf } from "./roots.ts";
import { checkIndex } from "./session-index.ts";
import { INDEX_PROOF, RECEIPT } from "./shapes.ts";
import { verifier, type Verify } from "./signatures.ts";
import { rootsAt } from "./tree.ts";

export type { Draw, Drawn, Grade, Voided, Waiting } from "./draws.ts";
export type { Receipt } from "./events.ts";
export { Unusable };

export type Level = "bytes" | "tree" | "draws";

/** What you know of the log from elsewhere. */
export interface VerifyOptions {
  /** The log's public key, as a verifier key (vkey). */
  key?: string | undefined;
  /** Checkpoints that you kept, as signed notes. */
  checkpoints?: string[];
  /** Receipts that a seat's client kept. */
  receipts?: Receipt[];
  /** The verifier keys of the witnesses whose cosignatures count. */
  witnesses?: string[];
  /** The proof that the session is in the server's index: the response of `GET /v1/sessions/{session}/proofs/index`. */
  index?: unknown;
  /** The log of a fork's parent: text, or bytes that may be gzipped. */
  parent?: string | Uint8Array | undefined;
  /** False: check signatures without WebCrypto. Default: true. */
  native?: boolean;
  /** A function to call with the progress: the level, and how many of its `total` steps are done. */
  progress?: Progress;
}

export type Progress = (level: Level, done: number, total: number) => void;

/** The first thing that does not hold. */
export interface Failure {
  /** The version of the event, or 0 if it is the whole file. */
  version: number;
  rung: Level;
  /** What it is, such as `E_ROOT`. docs/log-format.md lists the codes. */
  code: string;
  expected: string;
  found: string;
  /** True if it is in the parent's log. */
  parent: boolean;
}

export interface Report {
  /** The session's id, or null if the file has none. */
  session: string | null;
  /** The log's key, as a verifier key. */
  logKey: string | null;
  /** The last level that holds, or null. */
  reached: Level | null;
  failure: Failure | null;
  /** The draws before the failure, by number. */
  draws: Draw[];
  counts: { events: number; turns: number; draws: number; voids: number };
  /** The version of a declaration with which the log ends, or null. */
  openEnd: number | null;
  /** The versions of redacted events. */
  redacted: number[];
  witnesses: Cosigned[];
  /** Extensions of the log that this version does not know. Then the check ends after the tree. */
  extensions: string[];
}

/** What comes from outside the file, after its form was checked. */
interface Known {
  trusted: Vkey | undefined;
  kept: string[];
  index: IndexProof | undefined;
  receipts: Receipt[];
  witnesses: Vkey[];
}

interface Context extends Known {
  check: Verify;
  progress: Progress;
  /** The parent's check, which has ended. */
  above?: Climb | undefined;
}

const LEVELS: Level[] = ["bytes", "tree", "draws"];
const SIGNATURES_AT_ONCE = 64;
/** Milliseconds before other tasks may run. */
const PATIENCE_MS = 50;

/** Verify a log: text, or bytes that may be gzipped. Throws Unusable. */
export async function verify(
  input: string | Uint8Array | ArrayBuffer,
  options: VerifyOptions = {},
): Promise<Report> {
  const { native = true, parent, progress = () => {} } = options;
  const known = knownOf(options);
  const check = await verifier({ native });
  const above =
    parent === undefined ? undefined : new Climb(await linesOf(parent), { check, progress, ...knownOf({}) });
  const failed = (await above?.failure()) ?? null;
  const climb = new Climb(await linesOf(input), { check, progress, above, ...known });
  return climb.report(failed ? { ...failed, parent: true } : await climb.failure());
}

function knownOf({ key, checkpoints = [], receipts = [], witnesses = [], index }: VerifyOptions): Known {
  for (const note of checkpoints) usable(() => parseCheckpoint(parseNote(note).text), "checkpoint");
  if (!receipts.every(RECEIPT)) throw new Unusable("not a receipt");
  if (index !== undefined && !(INDEX_PROOF(index) && index.entries.length && index.checkpoints.length))
    throw new Unusable("not an index proof");
  return {
    trusted: key === undefined ? undefined : usable(() => parseVkey(key.trim()), "key"),
    kept: [...checkpoints, ...(index?.entries.map(({ note }) => note) ?? [])],
    index,
    receipts,
    witnesses: witnesses.map((each) => usable(() => witnessOf(each), "witness's key")),
  };
}

function witnessOf(text: string): Vkey {
  const vkey = parseVkey(text.trim());
  if (vkey.kind !== COSIGNATURE) throw new Unusable(`type ${vkey.kind}`);
  return vkey;
}

function usable<T>(parse: () => T, what: string): T {
  try {
    return parse();
  } catch (error) {
    throw new Unusable(`not a ${what}: ${error instanceof Error ? error.message : error}`);
  }
}

class Climb {
  readonly held = nothing();
  #lines: Lines;
  #context: Context;
  #reached = 0;
  #draws: Draws | undefined;
  #openEnd: number | undefined;
  #witnesses: Cosigned[] = [];

  constructor(lines: Lines, context: Context) {
    this.#lines = lines;
    this.#context = context;
  }

  get #extensions(): string[] {
    return extensionsOf(this.held.events);
  }

  /** Return the first thing that does not hold, or null. */
  async failure(): Promise<Failure | null> {
    try {
      readLog(this.#lines, this.held);
      this.#hold();
      const roots = await this.#checkTree();
      this.#hold();
      if (this.#extensions.length) return null;
      await this.#checkDraws(roots);
      this.#hold();
      return null;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { version, code, expected, found } = error;
      return { version, rung: LEVELS[this.#reached]!, code, expected, found, parent: false };
    }
  }

  report(failure: Failure | null): Report {
    const { manifest, events } = this.held;
    const draws = this.#draws?.report(failure ? failure.version : undefined) ?? [];
    const turns = new Set(events.map((event) => event.turn)).size;
    const voids = draws.filter((draw) => draw.status === "void").length;
    const { trusted } = this.#context;
    return {
      session: manifest?.session ?? null,
      logKey: trusted ? vkeyText(trusted) : (manifest?.log_key ?? null),
      reached: LEVELS[this.#reached - 1] ?? null,
      failure,
      counts: { events: events.length, turns, draws: draws.length, voids },
      draws,
      openEnd: this.#openEnd ?? null,
      redacted: redacted(events),
      witnesses: this.#witnesses,
      extensions: this.#extensions,
    };
  }

  #hold(): void {
    this.#reached++;
    this.#context.progress(LEVELS[this.#reached - 1]!, 1, 1);
  }

  async #checkTree(): Promise<Map<number, Bytes>> {
    const { manifest, notes, hashes, events } = this.held;
    const { trusted, check, receipts, kept, witnesses, index, above } = this.#context;
    const key = this.held.key!;
    const newest = notes.at(-1);
    const isOwn = !trusted || vkeyText(trusted) === vkeyText(key);
    if (!isOwn && !(newest !== undefined && (await isFollowed(newest, key, trusted, check))))
      throw new Fault("E_UNTRUSTED_LOG", manifest!.log_key, vkeyText(trusted), 1);
    const seen = receipts.map(({ contribution }) => contribution.seen_size);
    const claimed = this.#extensions.length ? [] : sizesSeen(events);
    const sizes = new Set([...claimed, ...seen, ...sizesOf([...notes, ...kept])]);
    const roots = rootsAt(hashes, sizes);
    await checkRoots({ notes, kept, size: events.length, roots, key, verify: check });
    this.#witnesses = await cosigned(witnesses, [...notes, ...kept], check);
    if (index) {
      const byIndex = await checkIndex(index, key, witnesses, check);
      this.#witnesses = this.#witnesses.map((one, nth) => later(one, byIndex[nth]!));
    }
    if (above) checkOrigin((events[0]!.body as Opened).parent, above.held);
    return roots;
  }

  /** Check everything but the signatures first: an unsigned claim before a fault comes earlier than the fault. */
  async #checkDraws(roots: Map<number, Bytes>): Promise<void> {
    const { hashes, events } = this.held;
    const { session } = this.held.manifest!;
    const draws = (this.#draws = new Draws(session, hashes, roots));
    let found: unknown;
    try {
      for (const event of events) draws.read(event);
      this.#openEnd = draws.end();
    } catch (error) {
      found = error;
    }
    await this.#checkSignatures(draws.claims);
    if (found) throw found;
    const { receipts, check } = this.#context;
    await checkReceipts(receipts, { session, hashes, roots, draws, verify: check });
  }

  async #checkSignatures(claims: readonly Claim[]): Promise<void> {
    const { check, progress } = this.#context;
    let paused = performance.now();
    for (let done = 0; done < claims.length; done += SIGNATURES_AT_ONCE) {
      const some = claims.slice(done, done + SIGNATURES_AT_ONCE);
      const held = await Promise.all(some.map(({ key, message, signature }) => check(key, message, signature)));
      if (held.includes(false)) throw unsigned(some[held.indexOf(false)]!);
      if (performance.now() - paused < PATIENCE_MS) continue;
      progress("draws", done, claims.length);
      await new Promise((resume) => setTimeout(resume));
      paused = performance.now();
    }
  }
}

const later = (one: Cosigned, other: Cosigned): Cosigned =>
  other.size > one.size || (other.size === one.size && other.at > one.at) ? other : one;

const unsigned = ({ key, signature, version }: Claim): Fault =>
  new Fault("E_SIGNATURE", hex(signature), `a signature by ${hex(key)}`, version);

/** Return the versions of which an event says that they were redacted, and that have no opening. */
function redacted(events: readonly LogEvent[]): number[] {
  const named = new Set(
    events
      .filter(({ body }) => body?.kind === "session.Redacted")
      .map(({ body }) => (body as unknown as { of: number }).of),
  );
  return events.filter((event) => !event.body && named.has(event.version)).map((event) => event.version);
}
