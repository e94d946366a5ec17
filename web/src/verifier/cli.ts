/** The command `fairlog-verify`: verifies files on the command line. Node runs it, so it is compiled for the npm package only. */

import { readFile } from "node:fs/promises";
import process, { argv, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";

import { readReceipts } from "./receipts.ts";
import { isRoll, type RollReport, verifyRoll } from "./roll.ts";
import { type Report, Unusable, verify } from "./verify.ts";

const HELP = `Usage: fairlog-verify FILE... [options]

Verifies the bytes, the tree and the draws of exported logs, or the proof of one roll. The rules and the texts are
not checked. For the proof of a roll, only --key counts.

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

const UNKNOWN_KEY = " The key is the file's own: name the one that you trust with --key.";

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv.slice(2), options: OPTIONS, allowPositionals: true });
  if (values.help) {
    stdout.write(HELP);
    return 0;
  }
  if (!positionals.length) throw new Unusable("Name a file. --help lists the options.");
  const checkpoints = await Promise.all(values.checkpoint.map((file) => readFile(file, "utf8")));
  const parent = values.parent === undefined ? undefined : await readFile(values.parent);
  const receipts = values.receipts === undefined ? [] : readReceipts(await readFile(values.receipts, "utf8"));
  const index: unknown = values.index === undefined ? undefined : JSON.parse(await readFile(values.index, "utf8"));
  const known = { key: values.key, checkpoints, receipts, witnesses: values.witness, index, parent };
  let status = 0;
  for (const file of positionals) {
    const bytes = await readFile(file);
    const indent = values.lines ? undefined : 2;
    let report: Report | RollReport;
    let said: string;
    if (isRoll(bytes)) {
      report = await verifyRoll(bytes, { key: values.key });
      said = rollVerdict(file, report, values.key);
    } else {
      report = await verify(bytes, known);
      said = verdict(file, report, values.key);
    }
    stdout.write(`${values.lines || values.json ? JSON.stringify(report, undefined, indent) : said}\n`);
    if (report.failure) status = 2;
  }
  return status;
}

function rollVerdict(file: string, { failure, roll }: RollReport, key: string | undefined): string {
  if (failure || !roll) return `${file}: NOT VALID. ${failure?.code} at version ${failure?.version}, level ${failure?.rung}.`;
  const shown = roll.values?.map(([sides, face]) => `d${sides} ${face}`).join(", ");
  const result = roll.status === "void" ? "voided" : (shown ?? "secret");
  return `${file}: VALID. Draw ${roll.k}: ${result}, grade ${roll.grade ?? "none"}.${key === undefined ? UNKNOWN_KEY : ""}`;
}

function verdict(file: string, { failure, draws, counts, reached }: Report, key: string | undefined): string {
  if (failure) return `${file}: NOT VALID. ${failure.code} at version ${failure.version}, level ${failure.rung}.`;
  const grades = ["A", "B", "C", "D"].map((grade) => ({
    grade,
    count: draws.filter((draw) => draw.status === "drawn" && draw.grade === grade).length,
  }));
  const graded = grades.filter(({ count }) => count > 0).map(({ grade, count }) => `${count} of grade ${grade}`);
  const drawn = reached === "draws" ? `, draws: ${graded.join(", ") || "none"}` : "; the draws were not checked";
  const unknown = key === undefined ? UNKNOWN_KEY : "";
  return `${file}: VALID. ${counts.events} events${drawn}.${unknown}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 3;
}
