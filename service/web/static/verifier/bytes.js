// Bytes: text, hex and base64 to Uint8Array and back, and numbers as big-endian bytes.

const encoder = new TextEncoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const DIGITS = new Int32Array(2 ** 16).fill(2 ** 8); // by code unit; what is no digit makes a byte that is none
[..."0123456789abcdef"].forEach((digit, value) => (DIGITS[digit.charCodeAt(0)] = value));

export const utf8 = (text) => encoder.encode(text);

/** Concatenates Uint8Arrays. */
export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Whether the text is these bytes in hex. */
export function isHexOf(text, bytes) {
  if (text.length !== 2 * bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = (DIGITS[text.charCodeAt(2 * i)] << 4) | DIGITS[text.charCodeAt(2 * i + 1)];
    if (byte !== bytes[i]) return false;
  }
  return true;
}

/** The bytes of hex digits. Throws RangeError on anything else. */
export function unhex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let i = 0; i < bytes.length; i++) {
    const byte = (DIGITS[text.charCodeAt(2 * i)] << 4) | DIGITS[text.charCodeAt(2 * i + 1)];
    if (!(byte >= 0 && byte < 256)) throw new RangeError(`not hex: ${text}`);
    bytes[i] = byte;
  }
  if (text.length % 2) throw new RangeError(`not hex: ${text}`);
  return bytes;
}

export function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of base64, or undefined: other alphabets, missing padding and stray bits are refused. */
export function unbase64(text) {
  let bytes;
  try {
    bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
  return base64(bytes) === text ? bytes : undefined;
}

export function u32(number) {
  if (!Number.isInteger(number) || number < 0 || number > 0xffffffff) throw new RangeError(`not a u32: ${number}`);
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** A safe integer as eight bytes. */
export function u64(number) {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`not a u64: ${number}`);
  return concat(u32(Math.floor(number / 2 ** 32)), u32(number % 2 ** 32));
}

/** The order of seats: by their UTF-8 bytes. */
export function byBytes(a, b) {
  const [left, right] = [utf8(a), utf8(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) if (left[i] !== right[i]) return left[i] - right[i];
  return left.length - right.length;
}
