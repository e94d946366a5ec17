/** A .fairlog file: text in lines, and what each line says (docs/log-format.md, `.fairlog`). */

import { type Bytes, utf8 } from "./bytes.ts";
import { endOfText, MAX_DEPTH, parseLine, type Spans } from "./canonical.ts";
import type { Manifest } from "./events.ts";
import { Fault } from "./fault.ts";
import { unpack } from "./gzip.ts";
import { ENTRY, MANIFEST, SIGNED } from "./shapes.ts";

/** A line with its line end; `lossy` is the readable part of a line that is no UTF-8. */
export type Line = string | { lossy: string };

/** The lines of a file. `broken` says why a gzip file is not whole; then there are no lines. */
export interface Lines {
  lines: Line[];
  broken?: string;
}

/** An event's line. `raw` is the opening's body as text, and `body` its value. */
export interface Entry {
  leaf: string;
  raw?: string;
  body?: unknown;
  salt?: string;
}

export type Part = { manifest: Manifest } | { checkpoint: string } | Entry;

const GZIP = [0x1f, 0x8b];
const LINE_END = 10;
const MAX_BYTES = 2 ** 29;
const MAX_LINE_BYTES = 2 ** 20;
const CHECKPOINT = '{"checkpoint":';
const LEAF = '{"leaf":"';
const OPENING = ',"opening":{"body":';
const SALT = /^,"salt":"([0-9a-f]{64})"\}\}$/;
/** A surrogate, perhaps half of a pair, which no writer escapes. */
const LONE = /\\u[dD]/;
/** Whitespace of the line around the body. */
const AROUND = /^[ \t\r]|[ \t\r]$/;
const SALT_LENGTH = ',"salt":""}}'.length + 64;

/** The file, or something that was given with it, cannot be judged at all. */
export class Unusable extends Error {}

/** Return the lines of a file, gzipped or not. Throws Unusable if it is too large. */
export async function linesOf(input: string | Uint8Array | ArrayBuffer): Promise<Lines> {
  if (typeof input === "string") return { lines: split(input) };
  const given = (input instanceof Uint8Array ? input : new Uint8Array(input)) as Bytes;
  const isPacked = given[0] === GZIP[0] && given[1] === GZIP[1];
  const { bytes, broken } = isPacked ? await unpack(given, MAX_BYTES) : { bytes: given, broken: undefined };
  if (broken !== undefined) return { lines: [], broken };
  if (bytes.length > MAX_BYTES) throw new Unusable(`more than ${MAX_BYTES >> 20} MiB: no session is so long`);
  return { lines: decoded(bytes) };
}

const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function decoded(bytes: Bytes): Line[] {
  const strict = (): TextDecoder => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
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

function* pieces(bytes: Bytes): Generator<Bytes> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_END, from);
    const to = end < 0 ? bytes.length : end + 1;
    yield bytes.subarray(from, to);
    from = to;
  }
}

/**
 * Yield the parts of a file in order: the manifest, the events, the checkpoints. Throws Fault with
 * the version that the line should have.
 */
export function* parts({ lines, broken }: Lines): Generator<Part> {
  if (broken !== undefined) throw new Fault("E_FORMAT", broken, "gzip that is whole", 0);
  const names = ["edition", "log_key", "origin", "ruleset", "session", "v"] as const;
  yield { manifest: whole(lines[0] ?? "", MANIFEST, names, 0) };
  let version = 0;
  let isSigned = false;
  for (const line of lines.slice(1)) {
    if (readable(line).startsWith(CHECKPOINT)) {
      isSigned = true;
      yield whole(line, SIGNED, ["checkpoint"], version);
    } else if (isSigned) {
      throw new Fault("E_FORMAT", shown(line), "a checkpoint", version);
    } else {
      yield entry(line, ++version);
    }
  }
}

/** Return the value of a line that holds only texts and numbers. */
function whole<T>(line: Line, shape: (value: unknown) => value is T, names: readonly (keyof T & string)[], version: number): T {
  const { value } = parsed(line, shape, version);
  const emitted = `{${names.map((name) => `"${name}":${JSON.stringify(value[name])}`).join(",")}}\n`;
  if (emitted !== line) throw new Fault("E_NONCANONICAL", shown(line), shown(emitted), version);
  return value;
}

function entry(line: Line, version: number): Entry {
  return quickly(line) ?? slowly(line, version);
}

/** Return the entry of a line as every writer writes it, or undefined if it needs a closer look. */
function quickly(line: Line): Entry | undefined {
  if (typeof line !== "string" || isTooLong(line) || LONE.test(line) || mayBeDeep(line)) return undefined;
  if (!line.startsWith(LEAF) || !line.endsWith("}\n")) return undefined;
  const end = endOfText(line, LEAF.length);
  try {
    const written = line.slice(LEAF.length - 1, end + 1);
    const leaf: unknown = JSON.parse(written);
    if (typeof leaf !== "string" || JSON.stringify(leaf) !== written) return undefined;
    if (end + 3 === line.length) return { leaf };
    const salt = SALT.exec(line.slice(-SALT_LENGTH - 1, -1))?.[1];
    if (salt === undefined || !line.startsWith(OPENING, end + 1)) return undefined;
    const raw = line.slice(end + 1 + OPENING.length, -SALT_LENGTH - 1);
    return AROUND.test(raw) ? undefined : { leaf, raw, body: JSON.parse(raw) as unknown, salt };
  } catch {
    return undefined;
  }
}

function slowly(line: Line, version: number): Entry {
  const { value, spans } = parsed(line, ENTRY, version);
  const { leaf, opening } = value;
  const [from, to] = (opening && spans.get(opening)?.["body"]) ?? [0, 0];
  const raw = readable(line).slice(from, to);
  const rest = opening ? `${OPENING}${raw},"salt":"${opening.salt}"}` : "";
  const emitted = `{"leaf":${JSON.stringify(leaf)}${rest}}\n`;
  if (emitted !== line) throw new Fault("E_NONCANONICAL", shown(line), shown(emitted), version);
  return opening ? { leaf, raw, body: opening.body, salt: opening.salt } : { leaf };
}

function parsed<T>(line: Line, shape: (value: unknown) => value is T, version: number): { value: T; spans: Spans } {
  if (typeof line !== "string") throw new Fault("E_FORMAT", `no UTF-8: ${shown(line)}`, "canonical JSON", version);
  if (isTooLong(line)) throw new Fault("E_FORMAT", "a line without end", "canonical JSON", version);
  let found: { value: unknown; spans: Spans };
  try {
    found = parseLine(line);
  } catch (error) {
    throw error instanceof Fault ? error.at(version) : error;
  }
  const { value, spans } = found;
  const expected = version ? "an event or a checkpoint" : "a manifest";
  if (!shape(value)) throw new Fault("E_FORMAT", shown(line), expected, version);
  return { value, spans };
}

/** The limit is in bytes, and a character has up to three. */
const isTooLong = (line: string): boolean => 3 * line.length > MAX_LINE_BYTES && utf8(line).length > MAX_LINE_BYTES;

function mayBeDeep(line: string): boolean {
  let opened = 0;
  for (const mark of "[{")
    for (let at = line.indexOf(mark); at >= 0 && opened <= MAX_DEPTH; at = line.indexOf(mark, at + 1)) opened++;
  return opened > MAX_DEPTH;
}

const readable = (line: Line): string => (typeof line === "string" ? line : line.lossy);

const shown = (line: Line): string => readable(line).replace(/\n$/, "");
