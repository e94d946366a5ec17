/** SHA-256 and HMAC-SHA-256 over several parts, without joining them first. */

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 as noble } from "@noble/hashes/sha2.js";
import type { Bytes } from "./bytes.ts";

/** Return the 32 bytes of SHA-256 over the parts, one after the other. */
export function sha256(...parts: Uint8Array[]): Bytes {
  const hash = noble.create();
  for (const part of parts) hash.update(part);
  return hash.digest() as Bytes;
}

export function hmacSha256(key: Uint8Array, ...parts: Uint8Array[]): Bytes {
  const mac = hmac.create(noble, key);
  for (const part of parts) mac.update(part);
  return mac.digest() as Bytes;
}
