// C2SP text: signed notes and their keys, checkpoints, cosignatures, tlog-proofs, add-checkpoint bodies.
// `verify` is (key, message, signature) -> boolean or a promise of one.

import { base64, concat, equal, hex, unbase64, utf8 } from "./bytes.js";
import { Fault } from "./fault.js";
import { sha256 } from "./sha256.js";

const ED25519 = 1;
export const COSIGNATURE = 4;
const MOST_SIGNATURES = 100;
const SUCCESSION = utf8("fairlog/v1/succession");
const PROOF_HEADER = "c2sp.org/tlog-proof@v1";

const NAME = "[^+\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const VKEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+([A-Za-z0-9+/]+=*)$`, "u");
const LINE = new RegExp(`^— (${NAME}) ([A-Za-z0-9+/]+=*)$`, "u");
const NO_TEXT = /[\0-\x09\x0b-\x1f]|\p{Surrogate}/u;
const DECIMAL = /^(?:0|[1-9][0-9]{0,18})$/;

const keyId = ({ name, kind, publicKey }) =>
  sha256(utf8(`${name}\n`), Uint8Array.of(kind), publicKey).subarray(0, 4);

export function vkeyText(vkey) {
  return `${vkey.name}+${hex(keyId(vkey))}+${base64(concat(Uint8Array.of(vkey.kind), vkey.publicKey))}`;
}

/** {name, kind, publicKey} of a verifier key. Throws Fault E_KEY. */
export function parseVkey(text) {
  const found = VKEY.exec(text);
  if (!found || NO_TEXT.test(text)) throw new Fault("E_KEY", text, "name+id+base64");
  const material = unbase64(found[3]);
  if (!material) throw new Fault("E_KEY", text, "base64");
  const vkey = { name: found[1], kind: material[0], publicKey: material.subarray(1) };
  if (![ED25519, COSIGNATURE].includes(vkey.kind) || vkey.publicKey.length !== 32)
    throw new Fault("E_KEY", text, "type 1 or 4 and 32 bytes");
  if (hex(keyId(vkey)) !== found[2]) throw new Fault("E_KEY", found[2], hex(keyId(vkey)));
  return vkey;
}

/** {text, signatures: [{name, keyId, payload}]}; nothing is checked but the form. Throws Fault E_NOTE_FORMAT. */
export function parseNote(whole) {
  const split = whole.lastIndexOf("\n\n");
  if (split < 0 || !whole.endsWith("\n") || split + 2 === whole.length || NO_TEXT.test(whole))
    throw new Fault("E_NOTE_FORMAT", whole, "text, empty line, signature lines");
  const lines = whole.slice(split + 2, -1).split("\n");
  if (lines.length > MOST_SIGNATURES)
    throw new Fault("E_NOTE_FORMAT", `${lines.length} signatures`, `at most ${MOST_SIGNATURES}`);
  return { text: whole.slice(0, split + 1), signatures: lines.map(parseLine) };
}

function parseLine(line) {
  const found = LINE.exec(line);
  const blob = found && unbase64(found[2]);
  if (!blob || blob.length < 5) throw new Fault("E_NOTE_FORMAT", line, "— name base64 of key id and signature");
  return { name: found[1], keyId: blob.subarray(0, 4), payload: blob.subarray(4) };
}

export const noteText = ({ text, signatures }) => `${text}\n${signatures.map(signatureLine).join("")}`;

const signatureLine = ({ name, keyId: id, payload }) => `— ${name} ${base64(concat(id, payload))}\n`;

export const checkpointText = (origin, size, root) => `${origin}\n${size}\n${base64(root)}\n`;

/** {origin, size, root} of a note's text. Throws Fault E_NOTE_FORMAT. */
export function parseCheckpoint(text) {
  const lines = text.split("\n");
  if (lines.length !== 4 || !lines[0] || lines[3]) throw new Fault("E_NOTE_FORMAT", text, "origin, size, root");
  return { origin: lines[0], size: parseNumber(lines[1]), root: parseHash(lines[2]) };
}

/** The size that a note claims, or undefined where it cannot be read. */
export function claimedSize(whole) {
  try {
    return parseCheckpoint(parseNote(whole).text).size;
  } catch {
    return undefined;
  }
}

/** {origin, size, root, key} of a note that the log of `vkey` signed, with the last of the keys that followed it.
 * Throws Fault: E_KEY, E_NOTE_FORMAT; E_CHECKPOINT_SIG, a bad signature of these keys, even beside a good one;
 * E_UNTRUSTED_LOG, signed by another log or key; E_UNSIGNED, by no log. */
export async function openCheckpoint(whole, vkey, verify) {
  if (vkey.kind !== ED25519) throw new Fault("E_KEY", vkeyText(vkey), `type ${ED25519}`);
  const note = parseNote(whole);
  const checkpoint = parseCheckpoint(note.text);
  let own = [];
  for (const publicKey of await followed(note, vkey, verify)) {
    vkey = { ...vkey, publicKey }; // the last one counts
    own = signaturesBy(note, vkey);
    for (const signature of own)
      if (!(await verify(publicKey, utf8(note.text), signature.payload)))
        throw new Fault("E_CHECKPOINT_SIG", signatureLine(signature), vkeyText(vkey));
  }
  if (own.length && checkpoint.origin === vkey.name) return { ...checkpoint, key: vkeyText(vkey) };
  const names = new Set(note.signatures.map((signature) => signature.name));
  const code = names.has(vkey.name) || names.has(checkpoint.origin) ? "E_UNTRUSTED_LOG" : "E_UNSIGNED";
  throw new Fault(code, `${checkpoint.origin} signed by ${[...names].join(", ")}`, vkeyText(vkey));
}

/** Whether the lines of a note lead from the log's own key to this one. */
export async function isFollowed(whole, vkey, by, verify) {
  try {
    const keys = await followed(parseNote(whole), vkey, verify);
    return by.name === vkey.name && by.kind === ED25519 && keys.some((key) => equal(key, by.publicKey));
  } catch {
    return false;
  }
}

/** The key and those that followed it, each signed over by the one before, in a line of its own below the note. */
async function followed(note, { name, publicKey }, verify) {
  const keys = [publicKey];
  for (;;) {
    const old = keys.at(-1);
    const id = sha256(utf8(`${name}\n`), Uint8Array.of(0xff), SUCCESSION, old).subarray(0, 4);
    const lines = note.signatures.filter((line) => line.name === name && equal(line.keyId, id));
    if (!lines.length) return keys;
    const [{ payload }] = lines;
    const next = payload.subarray(0, 32);
    const message = concat(Uint8Array.of(0, 0, 0, SUCCESSION.length), SUCCESSION, old, next);
    const holds = payload.length === 96 && (await verify(old, message, payload.subarray(32)));
    if (!holds || lines.some((line) => !equal(line.payload, payload)) || keys.some((key) => equal(key, next)))
      throw new Fault("E_CHECKPOINT_SIG", hex(payload), `one key that follows ${hex(old)}, and its signature`);
    keys.push(next);
  }
}

const cosignatureMessage = (text, seconds) => utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** When this witness last cosigned the note, in POSIX seconds (BigInt); undefined if it did not.
 * Throws Fault: E_KEY, E_NOTE_FORMAT; E_COSIG, a bad cosignature of this key. */
export async function cosignedAt(whole, witness, verify) {
  if (witness.kind !== COSIGNATURE) throw new Fault("E_KEY", vkeyText(witness), `type ${COSIGNATURE}`);
  const note = parseNote(whole);
  let last;
  for (const signature of signaturesBy(note, witness)) {
    const seconds = BigInt(`0x${hex(signature.payload.subarray(0, 8))}`);
    const message = cosignatureMessage(note.text, seconds);
    if (seconds >> 63n || !(await verify(witness.publicKey, message, signature.payload.subarray(8))))
      throw new Fault("E_COSIG", signatureLine(signature), vkeyText(witness));
    if (last === undefined || seconds > last) last = seconds;
  }
  return last;
}

/** A note signed by one key; `sign` is (message) -> signature. */
export function signNote(text, vkey, sign) {
  return noteText({ text, signatures: [{ name: vkey.name, keyId: keyId(vkey), payload: sign(utf8(text)) }] });
}

export const tlogProofText = ({ index, path, checkpoint }) =>
  `${PROOF_HEADER}\nindex ${index}\n${hashLines(path)}\n${checkpoint}`;

/** {index, path, checkpoint} of a tlog-proof; the checkpoint is a note as it was read. Throws Fault E_NOTE_FORMAT. */
export function parseTlogProof(text) {
  const split = text.indexOf("\n\n");
  const lines = (split < 0 ? text : text.slice(0, split)).split("\n");
  if (lines[0] !== PROOF_HEADER || !lines[1]?.startsWith("index "))
    throw new Fault("E_NOTE_FORMAT", text, `${PROOF_HEADER}, index, hashes`);
  const checkpoint = split < 0 ? "" : text.slice(split + 2);
  parseCheckpoint(parseNote(checkpoint).text);
  return { index: parseNumber(lines[1].slice(6)), path: lines.slice(2).map(parseHash), checkpoint };
}

export const addCheckpointBody = (old, proof, checkpoint) => `old ${old}\n${hashLines(proof)}\n${checkpoint}`;

function signaturesBy(note, vkey) {
  const id = keyId(vkey);
  return note.signatures.filter((signature) => signature.name === vkey.name && equal(signature.keyId, id));
}

const hashLines = (hashes) => hashes.map((hash) => `${base64(hash)}\n`).join("");

function parseHash(line) {
  const hash = unbase64(line);
  if (hash?.length !== 32) throw new Fault("E_NOTE_FORMAT", line, "base64 of 32 bytes");
  return hash;
}

function parseNumber(line) {
  if (!DECIMAL.test(line) || BigInt(line) >> 53n) throw new Fault("E_NOTE_FORMAT", line, "a decimal number below 2^53");
  return Number(line);
}
