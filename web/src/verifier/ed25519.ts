/**
 * Ed25519 (RFC 8032) without WebCrypto. Keys and seeds have 32 bytes, signatures 64.
 *
 * `@noble/curves` computes. Its `verify` multiplies by the cofactor, while the server's library and
 * WebCrypto do not, so the last comparison is made here: all three must accept the same signatures.
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type Bytes, concat, equal } from "./bytes.ts";

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const P = Point.Fp.ORDER;
/** The y of the points of order 1, 2, 4 and 8, and the two of them that have a second encoding. */
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8, P, P + 1n];

export const publicKey = (seed: Uint8Array): Bytes => ed25519.getPublicKey(seed) as Bytes;

export const sign = (seed: Uint8Array, message: Uint8Array): Bytes => ed25519.sign(message, seed) as Bytes;

/**
 * Return true if key and signature have their lengths and neither has a point of small order. Under
 * such a key, one signature fits every message.
 */
export function isSound(key: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false;
  return !isSmall(key) && !isSmall(signature.subarray(0, 32));
}

const isSmall = (encoded: Uint8Array): boolean => SMALL.includes(BigInt.asUintN(255, number(encoded)));

/** Return true if the signature is the key's over the message; false if key or signature are malformed. */
export function verify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (!isSound(key, signature)) return false;
  const s = number(signature.subarray(32));
  if (s >= ORDER) return false;
  const commitment = signature.subarray(0, 32);
  const challenge = number(sha512(concat(commitment, key, message))) % ORDER;
  try {
    const product = Point.fromBytes(key).negate().multiplyUnsafe(challenge);
    return equal(Point.BASE.multiplyUnsafe(s).add(product).toBytes(), commitment);
  } catch {
    return false; // the key is no point
  }
}

/** Return little-endian bytes as a number. */
function number(bytes: Uint8Array): bigint {
  let text = "";
  for (const byte of bytes) text = byte.toString(16).padStart(2, "0") + text;
  return BigInt(`0x${text}`);
}
