// Rung 1, bytes: every line re-emits to itself; versions, session and turns in order; openings match commitments.

import { hex, isHexOf, unhex, utf8 } from "./bytes.js";
import { parts } from "./bundle.js";
import { read } from "./canonical.js";
import { bodyCommitment } from "./chain.js";
import { Fault } from "./fault.js";
import { parseVkey } from "./note.js";
import { hexOf, isEvent, LEAF, seatId } from "./shapes.js";
import { leafHash } from "./tree.js";

const isCommitment = hexOf(32);

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
  const told = at(version, () => readLeaf(part.leaf, version, held.manifest.session, turns));
  const body = at(version, () => readOpening(part, told, version, held.manifest));
  turns.after(told.turn, body);
  held.events.push({ version, turn: told.turn, seat: told.seat, at: told.at, body });
  held.hashes.push(leafHash(utf8(part.leaf)));
}

function readLeaf(text, version, session, turns) {
  const told = read(text, LEAF, "a leaf");
  if (!seatId(told.seat)) throw new Fault("E_FORMAT", told.seat, "a seat's id");
  if (told.version !== version) throw new Fault("E_VERSION", told.version, version);
  if (told.session !== session) throw new Fault("E_SESSION", told.session, session);
  turns.check(told.turn);
  return told;
}

/** The body of an event, undefined where it has no opening. */
function readOpening({ raw, body, salt }, told, version, manifest) {
  if (raw === undefined) {
    if (version === 1) throw new Fault("E_FORMAT", "no opening", "session.Opened");
    if (!isCommitment(told.body)) throw new Fault("E_FORMAT", told.body, "a commitment");
    return undefined;
  }
  const event = read(raw, (value) => isEvent(value, manifest.ruleset), "an event of the frame or the room", body);
  const committed = bodyCommitment(unhex(salt), utf8(raw));
  if (!isHexOf(told.body, committed)) throw new Fault("E_BODY", hex(committed), told.body);
  if ((event.kind === "session.Opened") !== (version === 1))
    throw new Fault("E_FORMAT", raw, "session.Opened at version 1 and nowhere else");
  if (version === 1) agree(manifest, event);
  return event;
}

function agree(manifest, opened) {
  for (const name of ["ruleset", "edition", "log_key"])
    if (manifest[name] !== opened[name])
      throw new Fault("E_FORMAT", `${name} ${manifest[name]} in the manifest`, `${name} ${opened[name]} of Opened`);
}

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
