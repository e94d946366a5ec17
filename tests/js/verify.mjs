// The reports on the files of a plan, as JSON: [{file, key?, checkpoints?, parent?, native?}] on standard input.

import { readFile } from "node:fs/promises";
import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

import { verify } from "../../web/src/verifier/verify.ts";

const reports = [];
for (const { file, parent, ...known } of await json(stdin))
  reports.push(await verify(await readFile(file), { ...known, parent: parent && (await readFile(parent)) }));
stdout.write(JSON.stringify(reports));
