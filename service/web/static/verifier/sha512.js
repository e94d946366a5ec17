// SHA-512 (FIPS 180-4) over BigInt: Ed25519 needs it once or twice per signature, no more.

import { concat } from "./bytes.js";
import { fractions } from "./constants.js";

const K = fractions(80, 3);
const START = fractions(8, 2);
const BLOCK = 128;
const u = (number) => BigInt.asUintN(64, number);
const turn = (x, by) => u((x >> by) | (x << (64n - by)));

/** The 64 bytes of SHA-512 over the parts, one behind the other. */
export function sha512(...parts) {
  const message = concat(...parts);
  const padded = new Uint8Array(Math.ceil((message.length + 17) / BLOCK) * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  let state = START;
  for (let at = 0; at < padded.length; at += BLOCK) state = compress(state, view, at);
  const digest = new Uint8Array(64);
  const out = new DataView(digest.buffer);
  state.forEach((word, i) => out.setBigUint64(8 * i, word));
  return digest;
}

function compress(state, view, at) {
  const w = [];
  for (let i = 0; i < 16; i++) w.push(view.getBigUint64(at + 8 * i));
  for (let i = 16; i < 80; i++) {
    const [x, y] = [w[i - 15], w[i - 2]];
    const small0 = turn(x, 1n) ^ turn(x, 8n) ^ (x >> 7n);
    const small1 = turn(y, 19n) ^ turn(y, 61n) ^ (y >> 6n);
    w.push(u(w[i - 16] + small0 + w[i - 7] + small1));
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 80; i++) {
    const big1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
    const one = h + big1 + ((e & f) ^ (u(~e) & g)) + K[i] + w[i];
    const big0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
    const two = big0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, u(d + one), c, b, a, u(one + two)];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => u(word + state[i]));
}
