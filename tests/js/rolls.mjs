// The reports on .roll files, as JSON: [{raw, key?}] on standard input, with the bytes in base64.

import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

import { verifyRoll } from "../../web/src/verifier/roll.ts";

const reports = [];
for (const { raw, key } of await json(stdin))
  for (const native of [true, false]) reports.push(await verifyRoll(Buffer.from(raw, "base64"), { key, native }));
stdout.write(JSON.stringify(reports));
