/** C2SP text: signed notes and their keys, checkpoints, cosignatures, tlog-proofs, add-checkpoint bodies. */

import { base64, type Bytes, concat, equal, hex, unbase64, utf8 } from "./bytes.ts";
import { Fault } from "./fault.ts";
import { sha256 } from "./hashes.ts";
import type { Verify } from "./signatures.ts";

/** A verifier key. */
export interface Vkey {
  name: string;
  kind: number;
  publicKey: Bytes;
}

interface SignatureLine {
  name: string;
  keyId: Bytes;
  payload: Bytes;
}

export interface Note {
  text: string;
  signatures: SignatureLine[];
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Bytes;
}

export interface TlogProof {
  index: number;
  path: Bytes[];
  /** A note as it was read. */
  checkpoint: string;
}

const ED25519 = 1;
export const COSIGNATURE = 4;
const MAX_SIGNATURES = 100;
const SUCCESSION = utf8("fairlog/v1/succession");
const PROOF_HEADER = "c2sp.org/tlog-proof@v1";

const NAME = "[^+\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const VKEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+([A-Za-z0-9+/]+=*)$`, "u");
const LINE = new RegExp(`^— (${NAME}) ([A-Za-z0-9+/]+=*)$`, "u");
const NO_TEXT = /[\0-\x09\x0b-\x1f]|\p{Surrogate}/u;
const DECIMAL = /^(?:0|[1-9][0-9]{0,18})$/;

const idOf = ({ name, kind, publicKey }: Vkey): Bytes =>
  sha256(utf8(`${name}\n`), Uint8Array.of(kind), publicKey).subarray(0, 4);

export function vkeyText(vkey: Vkey): string {
  return `${vkey.name}+${hex(idOf(vkey))}+${base64(concat(Uint8Array.of(vkey.kind), vkey.publicKey))}`;
}

/** Return a verifier key. Throws Fault E_KEY. */
export function parseVkey(text: string): Vkey {
  const found = VKEY.exec(text);
  if (!found || NO_TEXT.test(text)) throw new Fault("E_KEY", text, "name+id+base64");
  const [, name, id, encoded] = found as unknown as [string, string, string, string];
  const material = unbase64(encoded);
  if (!material) throw new Fault("E_KEY", text, "base64");
  const vkey = { name, kind: material[0] ?? 0, publicKey: material.subarray(1) };
  if (![ED25519, COSIGNATURE].includes(vkey.kind) || vkey.publicKey.length !== 32)
    throw new Fault("E_KEY", text, "type 1 or 4 and 32 bytes");
  if (hex(idOf(vkey)) !== id) throw new Fault("E_KEY", id, hex(idOf(vkey)));
  return vkey;
}

/** Return the parts of a note; only the form is checked. Throws Fault E_NOTE_FORMAT. */
export function parseNote(whole: string): Note {
  const split = whole.lastIndexOf("\n\n");
  if (split < 0 || !whole.endsWith("\n") || split + 2 === whole.length || NO_TEXT.test(whole))
    throw new Fault("E_NOTE_FORMAT", whole, "text, empty line, signature lines");
  const lines = whole.slice(split + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES)
    throw new Fault("E_NOTE_FORMAT", `${lines.length} signatures`, `at most ${MAX_SIGNATURES}`);
  return { text: whole.slice(0, split + 1), signatures: lines.map(parseLine) };
}

function parseLine(line: string): SignatureLine {
  const found = LINE.exec(line);
  const blob = found && unbase64(found[2]!);
  if (!blob || blob.length < 5) throw new Fault("E_NOTE_FORMAT", line, "— name base64 of key id and signature");
  return { name: found[1]!, keyId: blob.subarray(0, 4), payload: blob.subarray(4) };
}

export const noteText = ({ text, signatures }: Note): string => `${text}\n${signatures.map(signatureLine).join("")}`;

const signatureLine = ({ name, keyId, payload }: SignatureLine): string =>
  `— ${name} ${base64(concat(keyId, payload))}\n`;

export const checkpointText = (origin: string, size: number, root: Bytes): string =>
  `${origin}\n${size}\n${base64(root)}\n`;

/** Return the checkpoint in a note's text. Throws Fault E_NOTE_FORMAT. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split("\n");
  const [origin, size, root, end] = lines;
  if (lines.length !== 4 || !origin || end) throw new Fault("E_NOTE_FORMAT", text, "origin, size, root");
  return { origin, size: parseNumber(size!), root: parseHash(root!) };
}

/** Return the size that a note claims, or undefined if it cannot be read. */
export function claimedSize(whole: string): number | undefined {
  try {
    return parseCheckpoint(parseNote(whole).text).size;
  } catch {
    return undefined;
  }
}

/**
 * Return the checkpoint of a note that the log of `vkey` signed, with the last of the keys that
 * followed it. Throws Fault: E_KEY, E_NOTE_FORMAT; E_CHECKPOINT_SIG, a bad signature of these keys,
 * even beside a good one; E_UNTRUSTED_LOG, signed by another log or key; E_UNSIGNED, by no log.
 */
export async function openCheckpoint(
  whole: string,
  vkey: Vkey,
  verify: Verify,
): Promise<Checkpoint & { key: string }> {
  if (vkey.kind !== ED25519) throw new Fault("E_KEY", vkeyText(vkey), `type ${ED25519}`);
  const note = parseNote(whole);
  const checkpoint = parseCheckpoint(note.text);
  let last = vkey;
  let own: SignatureLine[] = [];
  for (const publicKey of await followed(note, vkey, verify)) {
    last = { ...vkey, publicKey };
    own = signaturesBy(note, last);
    for (const signature of own)
      if (!(await verify(publicKey, utf8(note.text), signature.payload)))
        throw new Fault("E_CHECKPOINT_SIG", signatureLine(signature), vkeyText(last));
  }
  if (own.length && checkpoint.origin === vkey.name) return { ...checkpoint, key: vkeyText(last) };
  const names = new Set(note.signatures.map((signature) => signature.name));
  const code = names.has(vkey.name) || names.has(checkpoint.origin) ? "E_UNTRUSTED_LOG" : "E_UNSIGNED";
  throw new Fault(code, `${checkpoint.origin} signed by ${[...names].join(", ")}`, vkeyText(last));
}

/** Return true if the lines of a note lead from the log's own key to this one. */
export async function isFollowed(whole: string, vkey: Vkey, by: Vkey, verify: Verify): Promise<boolean> {
  try {
    const keys = await followed(parseNote(whole), vkey, verify);
    return by.name === vkey.name && by.kind === ED25519 && keys.some((key) => equal(key, by.publicKey));
  } catch {
    return false;
  }
}

/** Return the key and those that followed it. Each is signed over by the one before, in a line below the note. */
async function followed(note: Note, { name, publicKey }: Vkey, verify: Verify): Promise<Bytes[]> {
  const keys = [publicKey];
  for (;;) {
    const old = keys.at(-1)!;
    const id = sha256(utf8(`${name}\n`), Uint8Array.of(0xff), SUCCESSION, old).subarray(0, 4);
    const lines = note.signatures.filter((line) => line.name === name && equal(line.keyId, id));
    if (!lines[0]) return keys;
    const { payload } = lines[0];
    const next = payload.subarray(0, 32);
    const message = concat(Uint8Array.of(0, 0, 0, SUCCESSION.length), SUCCESSION, old, next);
    const holds = payload.length === 96 && (await verify(old, message, payload.subarray(32)));
    if (!holds || lines.some((line) => !equal(line.payload, payload)) || keys.some((key) => equal(key, next)))
      throw new Fault("E_CHECKPOINT_SIG", hex(payload), `one key that follows ${hex(old)}, and its signature`);
    keys.push(next);
  }
}

const cosignatureMessage = (text: string, seconds: bigint): Bytes =>
  utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/**
 * Return when this witness last cosigned the note, in POSIX seconds, or undefined if it did not.
 * Throws Fault: E_KEY, E_NOTE_FORMAT; E_COSIG, a bad cosignature of this key.
 */
export async function cosignedAt(whole: string, witness: Vkey, verify: Verify): Promise<bigint | undefined> {
  if (witness.kind !== COSIGNATURE) throw new Fault("E_KEY", vkeyText(witness), `type ${COSIGNATURE}`);
  const note = parseNote(whole);
  let last: bigint | undefined;
  for (const signature of signaturesBy(note, witness)) {
    const seconds = BigInt(`0x${hex(signature.payload.subarray(0, 8))}`);
    const message = cosignatureMessage(note.text, seconds);
    if (seconds >> 63n || !(await verify(witness.publicKey, message, signature.payload.subarray(8))))
      throw new Fault("E_COSIG", signatureLine(signature), vkeyText(witness));
    if (last === undefined || seconds > last) last = seconds;
  }
  return last;
}

/** Return a note signed by one key. */
export function signNote(text: string, vkey: Vkey, sign: (message: Bytes) => Bytes): string {
  return noteText({ text, signatures: [{ name: vkey.name, keyId: idOf(vkey), payload: sign(utf8(text)) }] });
}

export const tlogProofText = ({ index, path, checkpoint }: TlogProof): string =>
  `${PROOF_HEADER}\nindex ${index}\n${hashLines(path)}\n${checkpoint}`;

/** Return the parts of a tlog-proof. Throws Fault E_NOTE_FORMAT. */
export function parseTlogProof(text: string): TlogProof {
  const split = text.indexOf("\n\n");
  const lines = (split < 0 ? text : text.slice(0, split)).split("\n");
  if (lines[0] !== PROOF_HEADER || !lines[1]?.startsWith("index "))
    throw new Fault("E_NOTE_FORMAT", text, `${PROOF_HEADER}, index, hashes`);
  const checkpoint = split < 0 ? "" : text.slice(split + 2);
  parseCheckpoint(parseNote(checkpoint).text);
  return { index: parseNumber(lines[1].slice(6)), path: lines.slice(2).map(parseHash), checkpoint };
}

export const addCheckpointBody = (old: number, proof: readonly Bytes[], checkpoint: string): string =>
  `old ${old}\n${hashLines(proof)}\n${checkpoint}`;

function signaturesBy(note: Note, vkey: Vkey): SignatureLine[] {
  const id = idOf(vkey);
  return note.signatures.filter((signature) => signature.name === vkey.name && equal(signature.keyId, id));
}

const hashLines = (hashes: readonly Bytes[]): string => hashes.map((hash) => `${base64(hash)}\n`).join("");

function parseHash(line: string): Bytes {
  const hash = unbase64(line);
  if (hash?.length !== 32) throw new Fault("E_NOTE_FORMAT", line, "base64 of 32 bytes");
  return hash;
}

function parseNumber(line: string): number {
  if (!DECIMAL.test(line) || BigInt(line) >> 53n) throw new Fault("E_NOTE_FORMAT", line, "a decimal number below 2^53");
  return Number(line);
}
