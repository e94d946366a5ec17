// Ed25519 by WebCrypto where the page has it, else over BigInt: the same answers, slower.

import { isSound, verify as slowly } from "./ed25519.js";

const NAME = { name: "Ed25519" };
const BASE_POINT = new Uint8Array(32).fill(0x66).fill(0x58, 0, 1);
const keys = new Map(); // by their bytes as text; promises, undefined where no key can be made of them

/** A verify (key, message, signature) -> promise of a boolean. `native: false` never uses WebCrypto. */
export async function verifier({ native = true } = {}) {
  return native && (await isNative()) ? natively : async (...given) => slowly(...given);
}

/** Whether the page's own crypto knows Ed25519: only on https or localhost, and not everywhere. */
export async function isNative() {
  try {
    await importKey(BASE_POINT);
    return true;
  } catch {
    return false;
  }
}

const importKey = async (key) => globalThis.crypto.subtle.importKey("raw", key, NAME, false, ["verify"]);

async function natively(key, message, signature) {
  if (!isSound(key, signature)) return false;
  const name = key.join();
  if (!keys.has(name)) keys.set(name, importKey(key).catch(() => undefined));
  const imported = await keys.get(name);
  return imported ? crypto.subtle.verify(NAME, imported, signature, message) : false;
}
