/**
 * What session-level events may hold (docs/log-format.md, Events of the frame). Of a ruleset's
 * events, only the beginning of the name is known.
 */

import type { Body, IndexProof, Leaf, Manifest, Receipt, RollContent } from "./events.ts";

type Shape = (value: unknown) => boolean;
type Shapes = Record<string, Shape>;

const text = (value: unknown): value is string => typeof value === "string";
const number = (value: unknown): value is number => Number.isSafeInteger(value);
const flag = (value: unknown): boolean => typeof value === "boolean";
const index = (value: unknown): boolean => number(value) && value >= 0 && value < 2 ** 32;
const oneOf =
  (...known: unknown[]): Shape =>
  (value) =>
    known.includes(value);
const either =
  (...shapes: Shape[]): Shape =>
  (value) =>
    shapes.some((shape) => shape(value));
export const hexOf =
  (bytes: number): Shape =>
  (value) =>
    text(value) && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value);
const diceName: Shape = (value) => text(value) && /^[^\x00-\x1f\x7f]{1,40}$/u.test(value);
export const seatId: Shape = (value) => text(value) && /^[a-z][a-z0-9-]{0,31}$/.test(value);
const list =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every((each) => shape(each));
const tuple =
  (...shapes: Shape[]): Shape =>
  (value) =>
    Array.isArray(value) && value.length === shapes.length && shapes.every((shape, i) => shape(value[i]));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const map =
  (shape: Shape): Shape =>
  (value) =>
    isObject(value) && Object.values(value).every((each) => shape(each));

/** Return the shape of an object with all of the needed fields, some of the allowed ones, and no others. */
function fields<T>(needed: Shapes, allowed: Shapes = {}): (value: unknown) => value is T {
  const shapes: Shapes = { ...needed, ...allowed };
  const must = Object.keys(needed);
  return (value): value is T =>
    isObject(value) &&
    must.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => Object.hasOwn(shapes, name) && shapes[name]!(value[name]));
}

const audience = oneOf("gm", "blind", "self");
const option = either(flag, number, text);
const values = list(tuple(number, number));
/** Extensions are named like seats. */
const extensions: Shape = (value) => list(seatId)(value) && (value as unknown[]).length > 0;
const link = hexOf(32);
const signature = hexOf(64);
const chain: Shapes = { anchor: link, chain: index, length: index };
const contribution = fields({
  chain: index,
  link,
  position: index,
  seat: text,
  seen_root: hexOf(32),
  seen_size: number,
  signature,
});
const contributors = list(tuple(text, index, index));
const parent = fields({
  root: hexOf(32),
  session: hexOf(16),
  version: (value) => number(value) && value >= 1,
});

const kind = text;

/** The session-level events of a format. */
function sessionEvents(format: 1 | 2): Shapes {
  const since2 = (allowed: Shapes): Shapes => (format === 2 ? allowed : {});
  const entropy = since2({ entropy: hexOf(32) });
  const nextBlind = since2({ next_blind: hexOf(32) });
  const draw = fields({ contributors, k: number }, { blind: hexOf(32), ...entropy });
  const seen = since2({ seen_root: hexOf(32), seen_size: number });
  return {
    "session.Opened": fields(
      {
        kind,
        draws: oneOf("house", "table"),
        edition: text,
        log_key: text,
        options: map(option),
        ruleset: text,
        title: text,
      },
      { parent, ...since2({ extensions, format: oneOf(2) }) },
    ),
    "session.Inherited": fields({ kind, table: () => true }, { audience }),
    "session.Forked": fields({ kind, child: hexOf(16), version: number }),
    "session.SeatTaken": fields(
      { kind, role: oneOf("house", "gm", "player", "spectator", "auditor"), seat: text },
      { ...chain, public_key: hexOf(32), signature, ...since2({ previous_link: link }), ...nextBlind },
    ),
    "session.SeatNamed": fields({ kind, name: text, seat: text }),
    "session.SeatLeft": fields({ kind, nth: number, seat: text }, { signature, ...seen }),
    "session.PresenceSet": fields({ kind, nth: number, present: flag, seat: text }, { signature, ...seen }),
    "session.ChainAnchored": fields({ kind, ...chain, seat: text, signature }, { previous_link: link }),
    "session.Declared": fields(
      { kind },
      {
        audience,
        command: isObject,
        command_commitment: hexOf(32),
        dice: oneOf("declared"),
        draw,
        target: number,
        values,
        ...since2({ dice_name: diceName }),
      },
    ),
    "session.Drawn": fields({ kind, contributions: list(contribution), k: number, values }, { ...entropy, ...nextBlind }),
    "session.DrawVoided": fields({ kind, contributions: list(contribution), k: number, missing: list(text) }, nextBlind),
    "session.Rewound": fields({ kind, reason: text, to: number }),
    "session.Narrated": fields({ kind, text }, { about: number, audience }),
    "session.Redacted": fields({ kind, of: number, reason: text }),
    "session.SealOpened": fields(
      { kind },
      { blind: hexOf(32), command: isObject, k: number, salt: hexOf(32), turn: number, values },
    ),
    "session.Closed": fields({ kind, carry: map(option), unopened: map(number) }),
  };
}

const SESSION_EVENTS = { 1: sessionEvents(1), 2: sessionEvents(2) };

export const MANIFEST = fields<Manifest>({
  edition: text,
  log_key: text,
  origin: text,
  ruleset: text,
  session: hexOf(16),
  v: oneOf(1, 2),
});
export const ENTRY = fields<{ leaf: string; opening?: { body: unknown; salt: string } }>(
  { leaf: text },
  { opening: fields({ body: () => true, salt: hexOf(32) }) },
);
export const SIGNED = fields<{ checkpoint: string }>({ checkpoint: text });
/** A contribution as it is signed, and the server's signature. */
export const RECEIPT = fields<Receipt>({
  contribution: fields({
    chain: index,
    draw: index,
    link,
    position: index,
    request: hexOf(32),
    seat: seatId,
    seen_root: hexOf(32),
    seen_size: index,
    session: hexOf(16),
  }),
  receipt: signature,
});
const counted: Shape = (value) => index(value) && value !== 0;
/** The proof that a session is in the index. */
export const INDEX_PROOF = fields<IndexProof>(
  {
    checkpoints: list(fields({ note: text, proofs: list(list(hexOf(32))) })),
    entries: list(fields({ note: text, number: counted })),
  },
  { v: oneOf(1) },
);
export const LEAF = fields<Leaf>({
  at: (value) => number(value) && value >= 0,
  body: text,
  seat: text,
  session: text,
  turn: number,
  v: oneOf(1),
  version: number,
});

const size: Shape = (value) => number(value) && value >= 0;
/** A .roll file. */
export const ROLL = fields<RollContent>({
  checkpoint: text,
  entries: list(
    fields(
      { inclusion: list(hexOf(32)), leaf: text, version: (value) => number(value) && value >= 1 },
      { opening: fields({ body: () => true, salt: hexOf(32) }) },
    ),
  ),
  k: size,
  manifest: MANIFEST,
  seen: list(fields({ proof: list(hexOf(32)), size })),
  v: oneOf(1),
});

/** Return true if a body is an event of some kind. */
export const hasKind = (body: unknown): body is Body => isObject(body) && text(body["kind"]);

/** The extensions that this verifier knows. Of their events, as of a ruleset's, only the name is checked. */
export const EXTENSIONS: readonly string[] = ["rolls"];

/**
 * Return true if a body is a session-level event of this format, or by its name one of the ruleset's or of one of
 * these extensions.
 */
export function isEvent(
  body: unknown,
  ruleset: string,
  format: 1 | 2 = 1,
  extensions: readonly string[] = [],
): body is Body {
  if (!hasKind(body)) return false;
  const groups = [ruleset, ...extensions];
  if (!body.kind.startsWith("session.")) return isNamed(body, groups);
  const known = SESSION_EVENTS[format];
  if (!Object.hasOwn(known, body.kind) || !known[body.kind]!(body)) return false;
  return body.command === undefined || isNamed(body.command, groups);
}

const isNamed = ({ kind }: { kind?: unknown }, groups: readonly string[]): boolean =>
  text(kind) && groups.some((group) => kind.startsWith(`${group}.`) && kind.length > group.length + 1);
