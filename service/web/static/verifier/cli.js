// node cli.js FILE... [--key K] [--checkpoint FILE]... [--receipts FILE] [--witness K]... [--index FILE]
// [--parent FILE] [--lines]
// Prints a JSON report, indented, or one line per file.
// Exit 0 valid on rungs 1 to 3, 2 invalid, 3 unusable file or wrong usage.

import { readFile } from "node:fs/promises";
import process, { argv, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";

import { readReceipts } from "./receipts.js";
import { Unusable, verify } from "./verify.js";

const OPTIONS = {
  key: { type: "string" },
  checkpoint: { type: "string", multiple: true, default: [] },
  index: { type: "string" },
  parent: { type: "string" },
  receipts: { type: "string" },
  witness: { type: "string", multiple: true, default: [] },
  lines: { type: "boolean", default: false },
};

async function main() {
  const { values, positionals } = parseArgs({ args: argv.slice(2), options: OPTIONS, allowPositionals: true });
  if (!positionals.length) throw new Unusable("which file?");
  const checkpoints = await Promise.all(values.checkpoint.map((file) => readFile(file, "utf8")));
  const parent = values.parent && (await readFile(values.parent));
  const receipts = values.receipts && readReceipts(await readFile(values.receipts, "utf8"));
  const index = values.index && JSON.parse(await readFile(values.index, "utf8"));
  const known = { key: values.key, checkpoints, receipts, witnesses: values.witness, index, parent };
  let status = 0;
  for (const file of positionals) {
    const report = await verify(await readFile(file), known);
    stdout.write(`${values.lines ? JSON.stringify(report) : JSON.stringify(report, undefined, 2)}\n`);
    if (report.failure) status = 2;
  }
  return status;
}

try {
  process.exitCode = await main();
} catch (wrong) {
  stderr.write(`${wrong.message}\n`);
  process.exitCode = 3;
}
