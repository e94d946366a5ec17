// A .fairlog file: text in lines, and what each line says (docs/log-format.md, `.fairlog`).

import { utf8 } from "./bytes.js";
import { DEEPEST, endOfText, parseLine } from "./canonical.js";
import { Fault } from "./fault.js";
import { unpack } from "./gzip.js";
import { ENTRY, MANIFEST, SIGNED } from "./shapes.js";

const GZIP = [0x1f, 0x8b];
const LINE_END = 10;
const MOST_BYTES = 2 ** 29;
const MOST_LINE = 2 ** 20;
const CHECKPOINT = '{"checkpoint":';
const LEAF = '{"leaf":"';
const OPENING = ',"opening":{"body":';
const SALT = /^,"salt":"([0-9a-f]{64})"\}\}$/;
const LONE = /\\u[dD]/; // or half of a pair that no writer escapes
const BESIDE = /^[ \t\r]|[ \t\r]$/; // whitespace of the line, not of the body
const SALT_LENGTH = ',"salt":""}}'.length + 64;

/** What cannot be judged at all. */
export class Unusable extends Error {}

/** The lines of a file, gzipped or not, each with its line end: {lines, broken}. A line that is no UTF-8 is {lossy},
 * its text as far as it goes; of a gzip that is not whole there are none, and `broken` says why.
 * Throws Unusable on what is too large. */
export async function linesOf(input) {
  if (typeof input === "string") return { lines: split(input) };
  const given = input instanceof Uint8Array ? input : new Uint8Array(input);
  const packed = given[0] === GZIP[0] && given[1] === GZIP[1];
  const { bytes, broken } = packed ? await unpack(given, MOST_BYTES) : { bytes: given };
  if (broken) return { lines: [], broken };
  if (bytes.length > MOST_BYTES) throw new Unusable(`more than ${MOST_BYTES >> 20} MiB: no evening is so long`);
  return { lines: decoded(bytes) };
}

const split = (text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function decoded(bytes) {
  const strict = () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return split(strict().decode(bytes));
  } catch {
    return [...pieces(bytes)].map((piece) => {
      try {
        return strict().decode(piece);
      } catch {
        return { lossy: new TextDecoder().decode(piece) };
      }
    });
  }
}

function* pieces(bytes) {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(from, to);
    from = to;
  }
}

/** The parts of a file in order: {manifest}, then {leaf, raw, body, salt} or {leaf}, then {checkpoint}.
 * `raw` is the opening's body as text, `body` its value. Throws Fault with the version that the line should have. */
export function* parts({ lines, broken }) {
  if (broken) throw new Fault("E_FORMAT", broken, "gzip that is whole", 0);
  yield { manifest: whole(lines[0] ?? "", MANIFEST, ["edition", "log_key", "origin", "ruleset", "session", "v"], 0) };
  let version = 0;
  let signed = false;
  for (const line of lines.slice(1)) {
    if ((line.lossy ?? line).startsWith(CHECKPOINT)) {
      signed = true;
      yield whole(line, SIGNED, ["checkpoint"], version);
    } else if (signed) {
      throw new Fault("E_FORMAT", shown(line), "a checkpoint", version);
    } else {
      yield entry(line, ++version);
    }
  }
}

/** The value of a line that holds texts and numbers alone. */
function whole(line, shape, names, version) {
  const { value } = parsed(line, shape, version);
  const emitted = `{${names.map((name) => `"${name}":${JSON.stringify(value[name])}`).join(",")}}\n`;
  if (emitted !== line) throw new Fault("E_NONCANONICAL", shown(line), shown(emitted), version);
  return value;
}

function entry(line, version) {
  return quickly(line) ?? slowly(line, version);
}

/** The entry of a line as every writer writes it; undefined where it has to be looked at more closely. */
function quickly(line) {
  if (line.lossy !== undefined || isTooLong(line) || LONE.test(line) || mayBeDeep(line)) return undefined;
  if (!line.startsWith(LEAF) || !line.endsWith("}\n")) return undefined;
  const end = endOfText(line, LEAF.length);
  try {
    const written = line.slice(LEAF.length - 1, end + 1);
    const leaf = JSON.parse(written);
    if (JSON.stringify(leaf) !== written) return undefined;
    if (end + 3 === line.length) return { leaf };
    const salt = SALT.exec(line.slice(-SALT_LENGTH - 1, -1));
    if (!salt || !line.startsWith(OPENING, end + 1)) return undefined;
    const raw = line.slice(end + 1 + OPENING.length, -SALT_LENGTH - 1);
    return BESIDE.test(raw) ? undefined : { leaf, raw, body: JSON.parse(raw), salt: salt[1] };
  } catch {
    return undefined;
  }
}

function slowly(line, version) {
  const { value, spans } = parsed(line, ENTRY, version);
  const [leaf, opening] = [value.leaf, value.opening];
  const [from, to] = opening ? spans.get(opening).body : [0, 0];
  const raw = line.slice(from, to);
  const behind = opening ? `${OPENING}${raw},"salt":"${opening.salt}"}` : "";
  const emitted = `{"leaf":${JSON.stringify(leaf)}${behind}}\n`;
  if (emitted !== line) throw new Fault("E_NONCANONICAL", shown(line), shown(emitted), version);
  return opening ? { leaf, raw, body: opening.body, salt: opening.salt } : { leaf };
}

function parsed(line, shape, version) {
  if (line.lossy !== undefined) throw new Fault("E_FORMAT", `no UTF-8: ${shown(line)}`, "canonical JSON", version);
  if (isTooLong(line)) throw new Fault("E_FORMAT", "a line without end", "canonical JSON", version);
  let found;
  try {
    found = parseLine(line);
  } catch (fault) {
    throw fault.at(version);
  }
  const expected = version ? "an event or a checkpoint" : "a manifest";
  if (!shape(found.value)) throw new Fault("E_FORMAT", shown(line), expected, version);
  return found;
}

/** Counts bytes, where a character may be as many as three. */
const isTooLong = (line) => 3 * line.length > MOST_LINE && utf8(line).length > MOST_LINE;

function mayBeDeep(line) {
  let opened = 0;
  for (const mark of "[{")
    for (let at = line.indexOf(mark); at >= 0 && opened <= DEEPEST; at = line.indexOf(mark, at + 1)) opened++;
  return opened > DEEPEST;
}

const shown = (line) => (line.lossy ?? line).replace(/\n$/, "");
