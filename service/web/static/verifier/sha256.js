// SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104), for pages without WebCrypto too; both synchronous.

import { fractions } from "./constants.js";

const K = Int32Array.from(fractions(64, 3), (bits) => Number(BigInt.asIntN(32, bits >> 32n)));
const START = Int32Array.from(fractions(8, 2), (bits) => Number(BigInt.asIntN(32, bits >> 32n)));
const W = new Int32Array(64);
const BLOCK = 64;
const state = new Int32Array(8);
let bytes = new Uint8Array(4096); // what is hashed, in place: most messages are short
let message = new DataView(bytes.buffer);

/** The 32 bytes of SHA-256 over the parts, one behind the other. */
export function sha256(...parts) {
  const length = pad(parts);
  state.set(START);
  for (let at = 0; at < length; at += BLOCK) compress(message, at);
  const digest = new Uint8Array(32);
  for (let i = 0; i < 32; i++) digest[i] = state[i >> 2] >>> (24 - 8 * (i & 3));
  return digest;
}

export function hmacSha256(key, ...parts) {
  const short = key.length > BLOCK ? sha256(key) : key;
  const [inner, outer] = [new Uint8Array(BLOCK).fill(0x36), new Uint8Array(BLOCK).fill(0x5c)];
  short.forEach((byte, i) => {
    inner[i] ^= byte;
    outer[i] ^= byte;
  });
  return sha256(outer, sha256(inner, ...parts));
}

/** Puts the padded parts into the message, and gives their length. */
function pad(parts) {
  let length = 0;
  for (const part of parts) length += part.length;
  const padded = Math.ceil((length + 9) / BLOCK) * BLOCK;
  if (padded > bytes.length) {
    bytes = new Uint8Array(2 * padded);
    message = new DataView(bytes.buffer);
  }
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes[length] = 0x80;
  bytes.fill(0, length + 1, padded - 8);
  message.setUint32(padded - 8, Math.floor(length / 2 ** 29));
  message.setUint32(padded - 4, length << 3);
  return padded;
}

function compress(view, at) {
  for (let i = 0; i < 16; i++) W[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15];
    const y = W[i - 2];
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[i] = (W[i - 16] + small0 + W[i - 7] + small1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + big1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}
