// A seat's keys: seeds of Ed25519, 32 random bytes in hex, signed with by WebCrypto where it knows how.

import { concat, hex, unhex } from "../verifier/bytes.js";
import { publicKey, sign } from "../verifier/ed25519.js";
import { isNative } from "../verifier/signatures.js";

const PKCS8 = unhex("302e020100300506032b657004220420"); // what stands in front of a seed (RFC 8410)

/** 32 random bytes in hex. */
export const fresh = () => hex(crypto.getRandomValues(new Uint8Array(32)));

/** {key, sign} of a seed: the public key, and (message) -> promise of a signature, both in hex. */
export async function signer(seed) {
  const raw = unhex(seed);
  const key = hex(publicKey(raw));
  const kept = (await isNative()) ? await imported(raw) : undefined;
  if (kept === undefined) return { key, sign: async (message) => hex(sign(raw, message)) };
  return { key, sign: async (message) => hex(new Uint8Array(await crypto.subtle.sign("Ed25519", kept, message))) };
}

/** The seed as WebCrypto's key; undefined where it checks signatures, but takes no seed. */
const imported = (raw) =>
  crypto.subtle.importKey("pkcs8", concat(PKCS8, raw), "Ed25519", false, ["sign"]).catch(() => undefined);
