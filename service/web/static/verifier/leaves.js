// Rung 1, bytes: every line re-emits to itself; versions, session and turns in order; openings match commitments.

import { hex, isHexOf, unhex, utf8 } from "./bytes.js";
import { parts } from "./bundle.js";
import { read } from "./canonical.js";
import { bodyCommitment } from "./chain.js";
import { Fault } from "./fault.js";
import { parseVkey } from "./note.js";
import { EXTENSIONS, hasKind, hexOf, isEvent, LEAF, seatId } from "./shapes.js";
import { leafHash } from "./tree.js";

const isCommitment = hexOf(32);
const LONGEST_DEADLINE = 600; // seconds

/** {manifest, key, events, hashes, notes} of a file's lines. An event is {version, turn, seat, at, body}, `body` absent
 * where it has no opening. What is read is put into `held`, event by event. Throws Fault. */
export function readLog(lines, held) {
  const turns = new Turns();
  for (const part of parts(lines)) {
    if (part.manifest) begin(held, part.manifest);
    else if (part.checkpoint !== undefined) held.notes.push(part.checkpoint);
    else readEvent(held, part, turns);
  }
  if (!held.events.length) throw new Fault("E_FORMAT", "no events", "session.Opened", 1);
  return held;
}

export const nothing = () => ({ manifest: undefined, key: undefined, events: [], hashes: [], notes: [] });

/** The names of the extensions that a log uses and that this verifier does not know. */
export const extensionsOf = (events) => usedBy(events).filter((name) => !EXTENSIONS.includes(name));

const usedBy = (events) => events[0]?.body.extensions ?? [];

function begin(held, manifest) {
  held.manifest = manifest;
  held.key = at(0, () => parseVkey(manifest.log_key));
  const host = manifest.origin.slice(0, Math.max(0, manifest.origin.lastIndexOf("/sessions/")));
  const origin = `${host}/sessions/${manifest.session}`;
  if (manifest.origin !== origin || held.key.name !== origin)
    throw new Fault("E_SESSION", `${manifest.origin}, key of ${held.key.name}`, origin, 0);
}

function readEvent(held, part, turns) {
  const version = held.events.length + 1;
  const isExtended = extensionsOf(held.events).length > 0;
  const told = at(version, () => readLeaf(part.leaf, version, held, isExtended ? undefined : turns));
  const groups = [held.manifest.ruleset, ...usedBy(held.events)];
  const body = at(version, () => readOpening(part, told, version, held.manifest, isExtended, groups));
  turns.after(told.turn, body);
  held.events.push({ version, turn: told.turn, seat: told.seat, at: told.at, body });
  held.hashes.push(leafHash(utf8(part.leaf)));
}

/** A leaf. Without `turns`, their order is not checked. */
function readLeaf(text, version, { manifest, events }, turns) {
  const told = read(text, LEAF, "a leaf");
  if (!seatId(told.seat)) throw new Fault("E_FORMAT", told.seat, "a seat's id");
  if (told.version !== version) throw new Fault("E_VERSION", told.version, version);
  if (told.session !== manifest.session) throw new Fault("E_SESSION", told.session, manifest.session);
  const before = events.at(-1)?.at ?? 0;
  if (manifest.v === 2 && told.at < before) throw new Fault("E_TIME", told.at, `${before} or later`);
  turns?.check(told.turn);
  return told;
}

/** The body of an event, undefined where it has no opening. If the log is extended, any kind is accepted.
 * `groups` are the names with which the kinds of the ruleset and of known extensions begin. */
function readOpening({ raw, body, salt }, told, version, manifest, isExtended, groups) {
  if (raw === undefined) {
    if (version === 1) throw new Fault("E_FORMAT", "no opening", "session.Opened");
    if (!isCommitment(told.body)) throw new Fault("E_FORMAT", told.body, "a commitment");
    return undefined;
  }
  const accepts = (value) => (isExtended ? hasKind(value) : isEvent(value, groups, manifest.v));
  const event = read(raw, accepts, "an event of the frame or the room", body);
  const committed = bodyCommitment(unhex(salt), utf8(raw));
  if (!isHexOf(told.body, committed)) throw new Fault("E_BODY", hex(committed), told.body);
  if (isExtended) return event;
  if ((event.kind === "session.Opened") !== (version === 1))
    throw new Fault("E_FORMAT", raw, "session.Opened at version 1 and nowhere else");
  if (version === 1) agree(manifest, event);
  return event;
}

function agree(manifest, opened) {
  for (const name of ["ruleset", "edition", "log_key"])
    if (manifest[name] !== opened[name])
      throw new Fault("E_FORMAT", `${name} ${manifest[name]} in the manifest`, `${name} ${opened[name]} of Opened`);
  const { format = 1, draws, extensions = [], options } = opened;
  if (manifest.v !== format) throw new Fault("E_FORMAT", `v ${manifest.v} in the manifest`, `${format} of Opened`);
  if (extensions.some((name, i) => i && name <= extensions[i - 1]))
    throw new Fault("E_FORMAT", extensions, "extensions sorted, each once");
  if (format === 2 && draws === "table" && !isDeadline(options.deadline))
    throw new Fault("E_FORMAT", `deadline ${options.deadline}`, `1 to ${LONGEST_DEADLINE} seconds`);
}

const isDeadline = (told) => Number.isInteger(told) && told >= 1 && told <= LONGEST_DEADLINE;

/** A turn is that of the event before, the next one, or that of the draw that waits. */
class Turns {
  #last = 0;
  #highest = 0;
  #waiting;

  check(turn) {
    const allowed = [this.#highest + 1];
    if (this.#last) allowed.push(this.#last);
    if (this.#waiting) allowed.push(this.#waiting);
    if (!allowed.includes(turn)) throw new Fault("E_TURN", turn, allowed.join(" or "));
  }

  after(turn, body) {
    this.#last = turn;
    this.#highest = Math.max(this.#highest, turn);
    if (body?.kind === "session.Declared" && body.draw) this.#waiting = turn;
    if (body?.kind === "session.Drawn" || body?.kind === "session.DrawVoided") this.#waiting = undefined;
  }
}

/** What `act` gives; a Fault of it is one of this version. */
function at(version, act) {
  try {
    return act();
  } catch (fault) {
    throw fault instanceof Fault ? fault.at(version) : fault;
  }
}
