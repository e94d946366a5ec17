/** The rows of details below a verdict. */

import { text } from "../text";
import type { RollReport } from "../verifier/roll.ts";
import type { Failure, Report } from "../verifier/verify.ts";
import type { NameOf } from "./verdict";

type Row = [string, string];
const words = text.proof;

function failureRows(failure: Failure): Row[] {
  return [
    [words.what, failure.code],
    [words.where, words.whereVersion(failure.version, failure.rung)],
    [words.expected, failure.expected],
    [words.found, failure.found],
  ];
}

export function rollRows({ roll, logKey, failure }: RollReport, nameOf: NameOf): Row[] {
  if (failure) return failureRows(failure);
  if (!roll) return [];
  const rows: Row[] = [[words.draw, `${roll.k}, ${words.turn(roll.turn)}`]];
  if (roll.values) rows.push([text.proof.dice(roll.values), words.values(roll.values)]);
  if (roll.grade) rows.push([words.grade, words.gradeProved(roll.grade)]);
  for (const { seat, chain, position, link } of roll.seats)
    rows.push([words.linkOf(seat === "house" ? words.server : nameOf(seat)), `${words.place(chain, position)}: ${link ?? words.missing}`]);
  if (roll.seed) rows.push([words.seed, roll.seed]);
  rows.push([words.root, `${roll.root} ${words.rootOf(roll.size)}`]);
  if (logKey) rows.push([words.key, logKey]);
  return rows;
}

export function logRows({ failure, session, logKey, counts, draws }: Report): Row[] {
  const rows: Row[] = failure ? failureRows(failure) : [];
  if (session) rows.push([words.ofSession("").trim(), session]);
  rows.push([words.events, counts.events.toLocaleString()]);
  for (const grade of ["A", "B", "C"]) {
    const count = draws.filter((draw) => draw.status === "drawn" && draw.grade === grade).length;
    if (count) rows.push([words.gradeNames[grade]!, count.toLocaleString()]);
  }
  for (const draw of draws)
    if (draw.status === "void") rows.push([`${words.draw} ${draw.k}`, words.cancelledRow(draw.k, draw.missing)]);
  if (logKey) rows.push([words.key, logKey]);
  return rows;
}
