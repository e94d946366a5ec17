// Verifies files on the command line: `node cli.js FILE`.

import { readFile } from "node:fs/promises";
import process, { argv, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";

import { readReceipts } from "./receipts.js";
import { Unusable, verify } from "./verify.js";

const HELP = `Usage: fairlog-verify FILE... [options]

Verifies the bytes, the tree and the draws of exported logs. The rules and the texts are not checked.

  --key KEY          the log's public key, from a person that you trust
  --checkpoint FILE  a checkpoint that you kept; can be repeated
  --receipts FILE    the receipts that a seat's client kept
  --witness KEY      the key of a witness whose cosignatures count; can be repeated
  --index FILE       the response of /v1/sessions/ID/proofs/index
  --parent FILE      the log of the session that this one was forked from
  --json             print a JSON report
  --lines            print a JSON report in one line per file
  --help             print this text

Exit status: 0 valid, 2 not valid, 3 the file or an option cannot be used.
`;

const OPTIONS = {
  help: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
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
  if (values.help) {
    stdout.write(HELP);
    return 0;
  }
  if (!positionals.length) throw new Unusable("Name a file. --help lists the options.");
  const checkpoints = await Promise.all(values.checkpoint.map((file) => readFile(file, "utf8")));
  const parent = values.parent && (await readFile(values.parent));
  const receipts = values.receipts && readReceipts(await readFile(values.receipts, "utf8"));
  const index = values.index && JSON.parse(await readFile(values.index, "utf8"));
  const known = { key: values.key, checkpoints, receipts, witnesses: values.witness, index, parent };
  let status = 0;
  for (const file of positionals) {
    const report = await verify(await readFile(file), known);
    const indent = values.lines ? undefined : 2;
    stdout.write(`${values.lines || values.json ? JSON.stringify(report, undefined, indent) : verdict(file, report, values.key)}\n`);
    if (report.failure) status = 2;
  }
  return status;
}

function verdict(file, { failure, draws, counts, reached }, key) {
  if (failure) return `${file}: NOT VALID. ${failure.code} at version ${failure.version}, level ${failure.rung}.`;
  const grades = ["A", "B", "C", "D"].map((grade) => [grade, draws.filter((draw) => draw.grade === grade).length]);
  const graded = grades.filter(([, count]) => count > 0).map(([grade, count]) => `${count} of grade ${grade}`);
  const drawn = reached === "draws" ? `, draws: ${graded.join(", ") || "none"}` : "; the draws were not checked";
  const unknown = key === undefined ? " The key is the file's own: name the one that you trust with --key." : "";
  return `${file}: VALID. ${counts.events} events${drawn}.${unknown}`;
}

try {
  process.exitCode = await main();
} catch (wrong) {
  stderr.write(`${wrong.message}\n`);
  process.exitCode = 3;
}
