// What the frame's events may hold (docs/log-format.md, Events of the frame). Of a room's only the name is known.

const text = (told) => typeof told === "string";
const number = (told) => Number.isSafeInteger(told);
const flag = (told) => typeof told === "boolean";
const index = (told) => number(told) && told >= 0 && told < 2 ** 32;
const oneOf = (...known) => (told) => known.includes(told);
const either = (...shapes) => (told) => shapes.some((shape) => shape(told));
export const hexOf = (bytes) => (told) => text(told) && told.length === 2 * bytes && /^[0-9a-f]*$/.test(told);
const diceName = (told) => text(told) && /^[^\x00-\x1f\x7f]{1,40}$/u.test(told);
export const seatId = (told) => text(told) && /^[a-z][a-z0-9-]{0,31}$/.test(told);
const list = (shape) => (told) => Array.isArray(told) && told.every(shape);
const tuple = (...shapes) => (told) =>
  Array.isArray(told) && told.length === shapes.length && shapes.every((shape, i) => shape(told[i]));
const isObject = (told) => typeof told === "object" && told !== null && !Array.isArray(told);
const map = (shape) => (told) => isObject(told) && Object.values(told).every(shape);

/** An object with all of these fields, perhaps some of the others, and no more. */
function fields(needed, allowed = {}) {
  const shapes = { ...needed, ...allowed };
  const must = Object.keys(needed);
  return (told) =>
    isObject(told) &&
    must.every((name) => Object.hasOwn(told, name)) &&
    Object.keys(told).every((name) => Object.hasOwn(shapes, name) && shapes[name](told[name]));
}

const audience = oneOf("gm", "blind", "self");
const option = either(flag, number, text);
const values = list(tuple(number, number));
const extensions = (told) => list(seatId)(told) && told.length > 0; // named like seats
const link = hexOf(32);
const signature = hexOf(64);
const chain = { anchor: link, chain: index, length: index };
const contribution = fields({
  chain: index, link, position: index, seat: text, seen_root: hexOf(32), seen_size: number, signature,
});
const contributors = list(tuple(text, index, index));
const parent = fields({
  root: hexOf(32), session: hexOf(16), version: (told) => number(told) && told >= 1,
});

const kind = text;

/** The events of the frame in a format. */
function frame(format) {
  const since2 = (allowed) => (format === 2 ? allowed : {});
  const entropy = since2({ entropy: hexOf(32) });
  const nextBlind = since2({ next_blind: hexOf(32) });
  const draw = fields({ contributors, k: number }, { blind: hexOf(32), ...entropy });
  const seen = since2({ seen_root: hexOf(32), seen_size: number });
  return {
    "session.Opened": fields(
      {
        kind, draws: oneOf("house", "table"), edition: text, log_key: text, options: map(option), ruleset: text,
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
        audience, command: isObject, command_commitment: hexOf(32), dice: oneOf("declared"), draw, target: number,
        values, ...since2({ dice_name: diceName }),
      },
    ),
    "session.Drawn": fields({ kind, contributions: list(contribution), k: number, values }, { ...entropy, ...nextBlind }),
    "session.DrawVoided": fields(
      { kind, contributions: list(contribution), k: number, missing: list(text) }, nextBlind,
    ),
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

const FRAMES = { 1: frame(1), 2: frame(2) };

export const MANIFEST = fields({
  edition: text, log_key: text, origin: text, ruleset: text, session: hexOf(16), v: oneOf(1, 2),
});
export const ENTRY = fields({ leaf: text }, { opening: fields({ body: () => true, salt: hexOf(32) }) });
export const SIGNED = fields({ checkpoint: text });
/** A contribution as it is signed, and the house's signature. */
export const RECEIPT = fields({
  contribution: fields({
    chain: index, draw: index, link, position: index, request: hexOf(32), seat: seatId,
    seen_root: hexOf(32), seen_size: index, session: hexOf(16),
  }),
  receipt: signature,
});
const counted = (told) => index(told) && told > 0;
/** The proof that a session is in the index. */
export const INDEX_PROOF = fields({
  checkpoints: list(fields({ note: text, proofs: list(list(hexOf(32))) })),
  entries: list(fields({ note: text, number: counted })),
}, { v: oneOf(1) });
export const LEAF = fields({
  at: (told) => number(told) && told >= 0, body: text, seat: text, session: text, turn: number, v: oneOf(1),
  version: number,
});

/** Whether a body is an event of some kind. */
export const hasKind = (body) => isObject(body) && text(body.kind);

/** The extensions that this verifier knows. Of their events only the name is checked, as of a ruleset's. */
export const EXTENSIONS = ["rolls"];

/** Whether a body is an event of the frame in this format, or by its name one of these groups: the ruleset and the
 * extensions. */
export function isEvent(body, groups, format = 1) {
  if (!hasKind(body)) return false;
  if (!body.kind.startsWith("session.")) return isNamed(body, groups);
  const known = FRAMES[format];
  if (!Object.hasOwn(known, body.kind) || !known[body.kind](body)) return false;
  return body.command === undefined || isNamed(body.command, groups);
}

const isNamed = (told, groups) =>
  text(told.kind) &&
  groups.some((group) => told.kind.startsWith(`${group}.`) && told.kind.length > group.length + 1);
