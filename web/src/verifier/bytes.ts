/** Bytes: text, hex and base64 to Uint8Array and back, and numbers as big-endian bytes. */

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Values of hex digits by code unit. A character that is no digit gives a byte out of range. */
const DIGITS = new Int32Array(2 ** 16).fill(2 ** 8);
[..."0123456789abcdef"].forEach((digit, value) => (DIGITS[digit.charCodeAt(0)] = value));

export const utf8 = (text: string): Bytes => encoder.encode(text);

/** Concatenate byte arrays. */
export function concat(...parts: Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

const byteAt = (text: string, at: number): number =>
  (DIGITS[text.charCodeAt(at)]! << 4) | DIGITS[text.charCodeAt(at + 1)]!;

/** Return true if the text is these bytes in hex. */
export function isHexOf(text: string, bytes: Uint8Array): boolean {
  if (text.length !== 2 * bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) if (byteAt(text, 2 * i) !== bytes[i]) return false;
  return true;
}

/** Return the bytes of hex digits. Throws RangeError if the text is not hex. */
export function unhex(text: string): Bytes {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const byte = byteAt(text, 2 * i);
    if (!(byte >= 0 && byte < 256)) throw new RangeError(`not hex: ${text}`);
    bytes[i] = byte;
  }
  if (text.length % 2) throw new RangeError(`not hex: ${text}`);
  return bytes;
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Return the bytes of base64, or undefined. Other alphabets, missing padding and stray bits are refused. */
export function unbase64(text: string): Bytes | undefined {
  let bytes: Bytes;
  try {
    bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
  return base64(bytes) === text ? bytes : undefined;
}

export function u32(number: number): Bytes {
  if (!Number.isInteger(number) || number < 0 || number > 0xffffffff) throw new RangeError(`not a u32: ${number}`);
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** Return a safe integer as eight bytes. */
export function u64(number: number): Bytes {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`not a u64: ${number}`);
  return concat(u32(Math.floor(number / 2 ** 32)), u32(number % 2 ** 32));
}

/** Compare seats by their UTF-8 bytes, which is their order in a draw. */
export function byBytes(a: string, b: string): number {
  const [left, right] = [utf8(a), utf8(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++)
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  return left.length - right.length;
}
