// {signed: [{key, signature}], native: [boolean], slow: [boolean]} of {sign: [{seed, message}], verify: [{key, message,
// signature}]} on standard input, bytes in hex.

import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

import { hex, unhex } from "../../web/src/verifier/bytes.ts";
import { publicKey, sign } from "../../web/src/verifier/ed25519.ts";
import { verifier } from "../../web/src/verifier/signatures.ts";

const given = await json(stdin);
const signed = given.sign.map(({ seed, message }) => ({
  key: hex(publicKey(unhex(seed))),
  signature: hex(sign(unhex(seed), unhex(message))),
}));
const answers = async (options) => {
  const verify = await verifier(options);
  const each = ({ key, message, signature }) => verify(unhex(key), unhex(message), unhex(signature));
  return Promise.all(given.verify.map(each));
};
stdout.write(JSON.stringify({ signed, native: await answers(), slow: await answers({ native: false }) }));
