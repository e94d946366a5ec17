/** Ed25519 by WebCrypto if the page has it, else by our own module: the same answers, slower. */

import type { Bytes } from "./bytes.ts";
import { isSound, verify as slowly } from "./ed25519.ts";

/** Resolve to true if the signature is the key's over the message. */
export type Verify = (key: Bytes, message: Bytes, signature: Bytes) => Promise<boolean>;

const NAME = { name: "Ed25519" };
const BASE_POINT = new Uint8Array(32).fill(0x66).fill(0x58, 0, 1);
/** Imported keys by their bytes as text; undefined if the bytes are no key. */
const keys = new Map<string, Promise<CryptoKey | undefined>>();

/** Return a function that verifies signatures. `native: false` never uses WebCrypto. */
export async function verifier({ native = true } = {}): Promise<Verify> {
  return native && (await isNative()) ? natively : async (...given) => slowly(...given);
}

/** Resolve to true if the page's own crypto has Ed25519. It needs https or localhost, and a recent browser. */
export async function isNative(): Promise<boolean> {
  try {
    await importKey(BASE_POINT);
    return true;
  } catch {
    return false;
  }
}

const importKey = async (key: Bytes): Promise<CryptoKey> =>
  globalThis.crypto.subtle.importKey("raw", key, NAME, false, ["verify"]);

async function natively(key: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (!isSound(key, signature)) return false;
  const name = key.join();
  let importing = keys.get(name);
  if (!importing) keys.set(name, (importing = importKey(key).catch(() => undefined)));
  const imported = await importing;
  return imported ? crypto.subtle.verify(NAME, imported, signature, message) : false;
}
