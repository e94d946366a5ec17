/** A seat's keys: seeds of Ed25519, 32 random bytes in hex. WebCrypto signs if it can import a seed. */

import { type Bytes, concat, hex, unhex } from "../verifier/bytes.ts";
import { publicKey, sign } from "../verifier/ed25519.ts";
import { isNative } from "../verifier/signatures.ts";

/** The bytes before the seed in a private key (RFC 8410). */
const PKCS8 = unhex("302e020100300506032b657004220420");

/** Signs for a seat. The public key and the signatures are in hex. */
export interface SeatKeys {
  publicKey: string;
  sign(message: Bytes): Promise<string>;
}

/** Return 32 random bytes in hex. */
export const newSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(32)));

export async function seatKeys(seed: string): Promise<SeatKeys> {
  const raw = unhex(seed);
  const imported = (await isNative()) ? await importSeed(raw) : undefined;
  return {
    publicKey: hex(publicKey(raw)),
    sign: async (message) =>
      hex(
        imported
          ? new Uint8Array(await crypto.subtle.sign("Ed25519", imported, message))
          : sign(raw, message),
      ),
  };
}

/** Import a seed. Returns undefined if WebCrypto verifies signatures but imports no seed. */
function importSeed(raw: Bytes): Promise<CryptoKey | undefined> {
  return crypto.subtle.importKey("pkcs8", concat(PKCS8, raw), "Ed25519", false, ["sign"]).catch(() => undefined);
}
