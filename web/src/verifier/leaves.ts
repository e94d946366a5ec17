/** Level 1, bytes: every line re-emits to itself; versions, session and turns in order; openings match commitments. */

import { type Bytes, hex, isHexOf, unhex, utf8 } from "./bytes.ts";
import { type Entry, type Lines, parts } from "./bundle.ts";
import { read } from "./canonical.ts";
import { bodyCommitment } from "./chain.ts";
import type { Body, Declared, Leaf, LogEvent, Manifest, Opened } from "./events.ts";
import { Fault } from "./fault.ts";
import { parseVkey, type Vkey } from "./note.ts";
import { EXTENSIONS, hasKind, hexOf, isEvent, LEAF, seatId } from "./shapes.ts";
import { leafHash } from "./tree.ts";

/** What is read of a file, as far as it holds. */
export interface Log {
  manifest: Manifest | undefined;
  key: Vkey | undefined;
  events: LogEvent[];
  /** The hashes of the leaves. */
  hashes: Bytes[];
  /** The signed checkpoints at the end. */
  notes: string[];
}

const isCommitment = hexOf(32);
const MAX_DEADLINE_SECONDS = 600;

/** Read a file's lines into `held`, event by event. Throws Fault. */
export function readLog(lines: Lines, held: Log): void {
  const turns = new Turns();
  for (const part of parts(lines)) {
    if ("manifest" in part) begin(held, part.manifest);
    else if ("checkpoint" in part) held.notes.push(part.checkpoint);
    else readEvent(held, part, turns);
  }
  if (!held.events.length) throw new Fault("E_FORMAT", "no events", "session.Opened", 1);
}

export const nothing = (): Log => ({ manifest: undefined, key: undefined, events: [], hashes: [], notes: [] });

/** Return the names of the extensions that a log uses and that this verifier does not know. */
export const extensionsOf = (events: readonly LogEvent[]): string[] =>
  usedBy(events).filter((name) => !EXTENSIONS.includes(name));

/** Return the names of all extensions that a log uses. */
export const usedBy = (events: readonly LogEvent[]): string[] =>
  (events[0]?.body as Opened | undefined)?.extensions ?? [];

/** Read the manifest. Throws Fault. */
export function begin(held: Log, manifest: Manifest): void {
  held.manifest = manifest;
  const key = at(0, () => parseVkey(manifest.log_key));
  held.key = key;
  const host = manifest.origin.slice(0, Math.max(0, manifest.origin.lastIndexOf("/sessions/")));
  const origin = `${host}/sessions/${manifest.session}`;
  if (manifest.origin !== origin || key.name !== origin)
    throw new Fault("E_SESSION", `${manifest.origin}, key of ${key.name}`, origin, 0);
}

function readEvent(held: Log, part: Entry, turns: Turns): void {
  const version = held.events.length + 1;
  const isExtended = extensionsOf(held.events).length > 0;
  const used = usedBy(held.events);
  const leaf = at(version, () => readLeaf(part.leaf, version, held, isExtended ? undefined : turns));
  const body = at(version, () => readOpening(part, leaf, version, held.manifest!, isExtended, used));
  turns.after(leaf.turn, body);
  held.events.push({ version, turn: leaf.turn, seat: leaf.seat, at: leaf.at, body });
  held.hashes.push(leafHash(utf8(part.leaf)));
}

/** Return a leaf. Without `turns`, their order is not checked. Throws Fault. */
export function readLeaf(text: string, version: number, { manifest, events }: Log, turns: Turns | undefined): Leaf {
  const leaf = read(text, LEAF, "a leaf");
  if (!seatId(leaf.seat)) throw new Fault("E_FORMAT", leaf.seat, "a seat's id");
  if (leaf.version !== version) throw new Fault("E_VERSION", leaf.version, version);
  if (leaf.session !== manifest!.session) throw new Fault("E_SESSION", leaf.session, manifest!.session);
  const before = events.at(-1)?.at ?? 0;
  if (manifest!.v === 2 && leaf.at < before) throw new Fault("E_TIME", leaf.at, `${before} or later`);
  turns?.check(leaf.turn);
  return leaf;
}

/**
 * Return the body of an event, or undefined if it has no opening. If the log is extended, any kind is accepted. `used`
 * are the extensions that the log uses.
 */
export function readOpening(
  { raw, body, salt }: Entry,
  leaf: Leaf,
  version: number,
  manifest: Manifest,
  isExtended: boolean,
  used: readonly string[],
): Body | undefined {
  if (raw === undefined) {
    if (version === 1) throw new Fault("E_FORMAT", "no opening", "session.Opened");
    if (!isCommitment(leaf.body)) throw new Fault("E_FORMAT", leaf.body, "a commitment");
    return undefined;
  }
  const accepts = (value: unknown): value is Body =>
    isExtended ? hasKind(value) : isEvent(value, manifest.ruleset, manifest.v, used);
  const event = read(raw, accepts, "an event of the frame or the room", body);
  const committed = bodyCommitment(unhex(salt!), utf8(raw));
  if (!isHexOf(leaf.body, committed)) throw new Fault("E_BODY", hex(committed), leaf.body);
  if (isExtended) return event;
  if ((event.kind === "session.Opened") !== (version === 1))
    throw new Fault("E_FORMAT", raw, "session.Opened at version 1 and nowhere else");
  if (version === 1) agree(manifest, event as Opened);
  return event;
}

function agree(manifest: Manifest, opened: Opened): void {
  for (const name of ["ruleset", "edition", "log_key"] as const)
    if (manifest[name] !== opened[name])
      throw new Fault("E_FORMAT", `${name} ${manifest[name]} in the manifest`, `${name} ${opened[name]} of Opened`);
  const { format = 1, draws, extensions = [], options } = opened;
  if (manifest.v !== format) throw new Fault("E_FORMAT", `v ${manifest.v} in the manifest`, `${format} of Opened`);
  if (extensions.some((name, i) => i && name <= extensions[i - 1]!))
    throw new Fault("E_FORMAT", extensions, "extensions sorted, each once");
  const { deadline } = options;
  if (format === 2 && draws === "table" && !isDeadline(deadline))
    throw new Fault("E_FORMAT", `deadline ${deadline}`, `1 to ${MAX_DEADLINE_SECONDS} seconds`);
}

const isDeadline = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_DEADLINE_SECONDS;

/** The turns so far: a turn is that of the event before, the next one, or that of the draw that waits. */
class Turns {
  #last = 0;
  #highest = 0;
  #waiting: number | undefined;

  check(turn: number): void {
    const allowed = [this.#highest + 1];
    if (this.#last) allowed.push(this.#last);
    if (this.#waiting) allowed.push(this.#waiting);
    if (!allowed.includes(turn)) throw new Fault("E_TURN", turn, allowed.join(" or "));
  }

  after(turn: number, body: Body | undefined): void {
    this.#last = turn;
    this.#highest = Math.max(this.#highest, turn);
    if (body?.kind === "session.Declared" && (body as Declared).draw) this.#waiting = turn;
    if (body?.kind === "session.Drawn" || body?.kind === "session.DrawVoided") this.#waiting = undefined;
  }
}

/** Return the result of `act`. Its Fault is one of this version. */
function at<T>(version: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof Fault ? error.at(version) : error;
  }
}
