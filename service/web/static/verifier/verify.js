// The check of a .fairlog file in any JavaScript: rungs 1 to 3 (bytes, tree, draws) of docs/log-format.md.
//
//   const report = await verify(bytesOrText, { key: "name+id+base64", checkpoints: [note] });
//   report.failure === null // what the three rungs prove holds; rules and views are not climbed

import { hex } from "./bytes.js";
import { linesOf, Unusable } from "./bundle.js";
import { Draws, sizesSeen } from "./draws.js";
import { Fault } from "./fault.js";
import { extensionsOf, nothing, readLog } from "./leaves.js";
import { COSIGNATURE, isFollowed, parseCheckpoint, parseNote, parseVkey, vkeyText } from "./note.js";
import { checkReceipts } from "./receipts.js";
import { checkOrigin, checkRoots, cosigned, sizesOf } from "./roots.js";
import { checkIndex } from "./sessionindex.js";
import { INDEX_PROOF, RECEIPT } from "./shapes.js";
import { verifier } from "./signatures.js";
import { rootsAt } from "./tree.js";

export { Unusable };

const RUNGS = ["bytes", "tree", "draws"];
const AT_ONCE = 64; // signatures
const PATIENCE = 50; // milliseconds before others may run

/** Checks a file: text, or bytes that may be gzipped. What the reader brings from outside: `key`, the log's vkey;
 * `checkpoints`, notes that were kept; `receipts`, {contribution, receipt} each, that a seat's client kept;
 * `witnesses`, vkeys of those whose cosignatures count; `index`, the proof that the session is in the server's index;
 * `parent`, the file of a fork's parent. `native: false` does without WebCrypto; `progress` is told a rung, how much of
 * it is done and of how much.
 *
 * The report: {session, logKey, reached, failure, draws, counts, openEnd, witnesses, extensions}. `reached` is the last
 * rung that held; `failure` the first thing that did not, {version, rung, code, expected, found, parent}, `parent`
 * where that is in the parent's file; both null where there is none. `draws` are those before the failure, by k: {k,
 * version, turn, seat, status, isSecret, contributors, entropy}, with `status` drawn {ended, grade, seed, values}, void
 * {ended, came, missing, shadow} or waiting; `opened` is the version of its opening, `shadow` the seed that the void
 * would have had. `openEnd` is the version of a declaration that the log ends on, `witnesses` say {key, size, at} of
 * each.
 * `extensions` are the log's extensions that are not known here: if there are any, the check ends after the tree.
 * Throws Unusable where what was brought is none, or a file too large. */
export async function verify(input, options = {}) {
  const { native = true, parent, progress = () => {} } = options;
  const known = knownOf(options);
  const check = await verifier({ native });
  const alone = { check, progress, ...knownOf({}) };
  const above = parent === undefined ? undefined : new Climb(await linesOf(parent), alone);
  const failed = (await above?.failure()) ?? null;
  const climb = new Climb(await linesOf(input), { check, progress, above, ...known });
  return climb.report(failed ? { ...failed, parent: true } : await climb.failure());
}

function knownOf({ key, checkpoints = [], receipts = [], witnesses = [], index }) {
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

function witnessOf(text) {
  const vkey = parseVkey(text.trim());
  if (vkey.kind !== COSIGNATURE) throw new Unusable(`type ${vkey.kind}`);
  return vkey;
}

function usable(parse, what) {
  try {
    return parse();
  } catch (fault) {
    throw new Unusable(`not a ${what}: ${fault.message}`);
  }
}

class Climb {
  #reached = 0;
  #held = nothing();
  #draws;
  #openEnd;
  #witnesses = [];

  constructor(lines, known) {
    Object.assign(this, known, { lines });
  }

  get held() {
    return this.#held;
  }

  get #extensions() {
    return extensionsOf(this.#held.events);
  }

  /** The first thing that does not hold, or null. */
  async failure() {
    try {
      readLog(this.lines, this.#held);
      this.#hold();
      const roots = await this.#tree();
      this.#hold();
      if (this.#extensions.length) return null;
      await this.#drawsRung(roots);
      this.#hold();
      return null;
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      const { version, code, expected, found } = fault;
      return { version, rung: RUNGS[this.#reached], code, expected, found, parent: false };
    }
  }

  report(failure) {
    const { manifest, events } = this.#held;
    const draws = this.#draws?.report(failure ? failure.version : undefined) ?? [];
    const turns = new Set(events.map((event) => event.turn)).size;
    const voids = draws.filter((draw) => draw.status === "void").length;
    return {
      session: manifest?.session ?? null,
      logKey: this.trusted ? vkeyText(this.trusted) : (manifest?.log_key ?? null),
      reached: RUNGS[this.#reached - 1] ?? null,
      failure,
      counts: { events: events.length, turns, draws: draws.length, voids },
      draws,
      openEnd: this.#openEnd ?? null,
      redacted: redacted(events),
      witnesses: this.#witnesses,
      extensions: this.#extensions,
    };
  }

  #hold() {
    this.#reached++;
    this.progress(RUNGS[this.#reached - 1], 1, 1);
  }

  async #tree() {
    const { manifest, key, notes, hashes, events } = this.#held;
    const own = !this.trusted || vkeyText(this.trusted) === vkeyText(key);
    if (!own && !(notes.length && (await isFollowed(notes.at(-1), key, this.trusted, this.check))))
      throw new Fault("E_UNTRUSTED_LOG", manifest.log_key, vkeyText(this.trusted), 1);
    const seen = this.receipts.map(({ contribution }) => contribution.seen_size);
    const told = this.#extensions.length ? [] : sizesSeen(events);
    const sizes = new Set([...told, ...seen, ...sizesOf([...notes, ...this.kept])]);
    const roots = rootsAt(hashes, sizes);
    await checkRoots({ notes, kept: this.kept, size: events.length, roots, key, verify: this.check });
    this.#witnesses = await cosigned(this.witnesses, [...notes, ...this.kept], this.check);
    if (this.index) {
      const byIndex = await checkIndex(this.index, key, this.witnesses, this.check);
      this.#witnesses = this.#witnesses.map((one, nth) => later(one, byIndex[nth]));
    }
    if (this.above) checkOrigin(events[0].body.parent, this.above.held);
    return roots;
  }

  /** Everything but the signatures first: of what was claimed before a fault, what is not signed comes earlier. */
  async #drawsRung(roots) {
    const { hashes, manifest } = this.#held;
    const draws = (this.#draws = new Draws(manifest.session, hashes, roots));
    let found;
    try {
      for (const event of this.#held.events) draws.read(event);
      this.#openEnd = draws.end();
    } catch (fault) {
      found = fault;
    }
    await this.#settle(draws.claims);
    if (found) throw found;
    const known = { session: manifest.session, hashes, roots, draws, verify: this.check };
    await checkReceipts(this.receipts, known);
  }

  async #settle(claims) {
    let paused = performance.now();
    for (let done = 0; done < claims.length; done += AT_ONCE) {
      const some = claims.slice(done, done + AT_ONCE);
      const held = await Promise.all(some.map(({ key, message, signature }) => this.check(key, message, signature)));
      if (held.includes(false)) throw unsigned(some[held.indexOf(false)]);
      if (performance.now() - paused < PATIENCE) continue;
      this.progress("draws", done, claims.length);
      await new Promise((resume) => setTimeout(resume));
      paused = performance.now();
    }
  }
}

const later = (one, other) =>
  other.size > one.size || (other.size === one.size && other.at > one.at) ? other : one;

const unsigned = ({ key, signature, version }) =>
  new Fault("E_SIGNATURE", hex(signature), `a signature by ${hex(key)}`, version);

/** The versions of which an event says that they were redacted, and that have no opening. */
function redacted(events) {
  const named = new Set(events.filter(({ body }) => body?.kind === "session.Redacted").map(({ body }) => body.of));
  return events.filter((event) => !event.body && named.has(event.version)).map((event) => event.version);
}
