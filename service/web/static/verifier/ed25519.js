// Ed25519 (RFC 8032) over BigInt, for pages without WebCrypto. Keys and seeds have 32 bytes, signatures 64.
// BigInt takes longer for some numbers than for others: sign with it only on a device that nobody else times.

import { concat, equal } from "./bytes.js";
import { sha512 } from "./sha512.js";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (x, by = P) => ((x % by) + by) % by;
const D = mod(-121665n * inverse(121666n));
const TWICE_D = mod(2n * D);
const ROOT_OF_MINUS_1 = power(2n, (P - 1n) / 4n);
const NEUTRAL = [0n, 1n, 1n, 0n]; // X, Y, Z, T of extended coordinates
const BASE = lift(mod(4n * inverse(5n)), 0n);
// The y of the points of order 1, 2, 4 and 8, and the two that can be written in another way too.
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8, P, P + 1n];
let comb; // multiples of the base point: comb[i][j] = j * 16^i * BASE

export function publicKey(seed) {
  return encode(ofBase(expand(seed).scalar));
}

export function sign(seed, message) {
  const { scalar, prefix } = expand(seed);
  const key = encode(ofBase(scalar));
  const r = number(sha512(prefix, message)) % ORDER;
  const commitment = encode(ofBase(r));
  const challenge = number(sha512(commitment, key, message)) % ORDER;
  return concat(commitment, bytesOf((r + challenge * scalar) % ORDER));
}

/** Whether key and signature have their lengths, and no point of small order, under which one signature fits all. */
export function isSound(key, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  return !isSmall(key) && !isSmall(signature.subarray(0, 32));
}

const isSmall = (encoded) => SMALL.includes(BigInt.asUintN(255, number(encoded)));

/** Whether the signature is the key's over the message; false for a key or signature of another form. */
export function verify(key, message, signature) {
  if (!isSound(key, signature)) return false;
  const point = decode(key);
  const s = number(signature.subarray(32));
  if (!point || s >= ORDER) return false;
  const commitment = signature.subarray(0, 32);
  const challenge = number(sha512(commitment, key, message)) % ORDER;
  const [x, y, z, t] = point;
  return equal(encode(add(ofBase(s), times(challenge, [mod(-x), y, z, mod(-t)]))), commitment);
}

function expand(seed) {
  if (seed.length !== 32) throw new RangeError(`a seed of ${seed.length} bytes`);
  const digest = sha512(seed);
  const low = digest.slice(0, 32);
  low[0] &= 0xf8;
  low[31] = (low[31] & 0x7f) | 0x40;
  return { scalar: number(low), prefix: digest.subarray(32) };
}

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (((t1 * TWICE_D) % P) * t2) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function double([x, y, z]) {
  const [a, b, c] = [(x * x) % P, (y * y) % P, (2n * z * z) % P];
  const h = a + b;
  const e = h - ((x + y) ** 2n % P);
  const g = a - b;
  const f = c + g;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** scalar * point, four bits at a time. */
function times(scalar, point) {
  const small = multiples(point);
  let sum = NEUTRAL;
  for (const digit of [...scalar.toString(16)]) {
    sum = double(double(double(double(sum))));
    sum = add(sum, small[parseInt(digit, 16)]);
  }
  return sum;
}

function ofBase(scalar) {
  if (!comb) {
    comb = [];
    for (let i = 0, point = BASE; i < 64; i++) {
      comb.push(multiples(point));
      point = double(comb[i][8]);
    }
  }
  const digits = [...scalar.toString(16)].reverse();
  return digits.reduce((sum, digit, i) => add(sum, comb[i][parseInt(digit, 16)]), NEUTRAL);
}

function multiples(point) {
  const found = [NEUTRAL, point];
  while (found.length < 16) found.push(add(found.at(-1), point));
  return found;
}

function encode([x, y, z]) {
  const inverted = inverse(z);
  const bytes = bytesOf(mod(y * inverted));
  if (mod(x * inverted) & 1n) bytes[31] |= 0x80;
  return bytes;
}

function decode(bytes) {
  const y = number(bytes);
  return lift(BigInt.asUintN(255, y), y >> 255n);
}

/** The point of y whose x has this lowest bit, or undefined. */
function lift(y, sign) {
  if (y >= P) return undefined;
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * power(v, 3n) * power(mod(u * power(v, 7n)), (P - 5n) / 8n));
  if (mod(v * x * x) !== u) x = mod(x * ROOT_OF_MINUS_1);
  if (mod(v * x * x) !== u || (x === 0n && sign)) return undefined;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function power(base, exponent) {
  let [result, square] = [1n, mod(base)];
  for (let left = exponent; left; left >>= 1n) {
    if (left & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

function inverse(x) {
  return power(x, P - 2n);
}

/** Little-endian bytes as a number, and 32 of them of a number. */
function number(bytes) {
  let text = "";
  for (const byte of bytes) text = byte.toString(16).padStart(2, "0") + text;
  return BigInt(`0x${text}`);
}

function bytesOf(x) {
  const bytes = new Uint8Array(32);
  for (let i = 0, left = x; i < 32; i++, left >>= 8n) bytes[i] = Number(left & 255n);
  return bytes;
}
