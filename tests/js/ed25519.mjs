// {signed: [{key, signature}], native: [boolean], slow: [boolean]} of {sign: [{seed, message}], verify: [{key, message,
// signature}]} on standard input, bytes in hex.

import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

import { hex, unhex } from "../../service/web/static/verifier/bytes.js";
import { publicKey, sign } from "../../service/web/static/verifier/ed25519.js";
import { verifier } from "../../service/web/static/verifier/signatures.js";

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
