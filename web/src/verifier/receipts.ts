/** Level 3, receipts: what a seat gave and the server signed that it has, against what the log says of that draw. */

import { type Bytes, hex, unhex } from "./bytes.ts";
import { emit, parseAny } from "./canonical.ts";
import { receiptMessage } from "./chain.ts";
import type { Draws } from "./draws.ts";
import type { Contribution, Receipt } from "./events.ts";
import { Fault } from "./fault.ts";
import { RECEIPT } from "./shapes.ts";
import type { Verify } from "./signatures.ts";

const BLANK = /^[\t-\r ]*$/;
const AROUND = /^[\t-\r ]+|[\t-\r ]+$/g;
const GIVEN = ["chain", "link", "position", "seat", "seen_root", "seen_size"] as const;

/**
 * Return the receipts of a client's file: a JSON list, JSON lines, or under `receipts` in one object.
 * Throws TypeError if the file is anything else.
 */
export function readReceipts(text: string): Receipt[] {
  try {
    const found = parsed(text.replace(AROUND, "")).map((each) => {
      const { contribution, receipt } = each as Partial<Receipt>;
      return { contribution, receipt };
    });
    if (found.length && found.every(RECEIPT)) return found;
  } catch {
    // It is no file of receipts, whatever else it is.
  }
  throw new TypeError("not a file of receipts");
}

function parsed(text: string): unknown[] {
  if (text.startsWith("[")) return parseAny(text) as unknown[];
  let value: unknown;
  try {
    value = parseAny(text);
  } catch {
    // The file has more than one line.
  }
  if (typeof value === "object" && value !== null && "receipts" in value) return value.receipts as unknown[];
  return text
    .split(/[\r\n]/)
    .filter((line) => !BLANK.test(line))
    .map(parseAny);
}

interface Known {
  session: string;
  /** The log's own hashes, and its roots by size. */
  hashes: readonly Bytes[];
  roots: ReadonlyMap<number, Bytes>;
  /** The draws of the whole log. */
  draws: Draws;
  verify: Verify;
}

/** Check that the server signed each receipt, on this log, and that the end of its draw holds it. Throws Fault. */
export async function checkReceipts(receipts: readonly Receipt[], known: Known): Promise<void> {
  const { session, hashes, roots, draws, verify } = known;
  for (const { contribution: given, receipt } of receipts) {
    const version = Math.min(given.seen_size, hashes.length);
    if (given.session !== session)
      throw new Fault("E_SESSION", `a receipt of session ${given.session}`, session, version);
    const key = draws.houseKey;
    if (!key || !(await verify(key, receiptMessage(emit(given)), unhex(receipt))))
      throw new Fault("E_SIGNATURE", `the receipt of ${given.seat} for draw ${given.draw}`, "the house's", version);
    checkLog(given, hashes, roots, draws.found[given.draw]?.version);
    checkEnd(given, draws.endOf(given.draw));
  }
}

/** Check that what the seat saw is this log, as far as it had come then, and so is what it was asked for. */
function checkLog(
  given: Receipt["contribution"],
  hashes: readonly Bytes[],
  roots: ReadonlyMap<number, Bytes>,
  declared: number | undefined,
): void {
  const size = given.seen_size;
  if (size > hashes.length)
    throw new Fault("E_TRUNCATED", `${hashes.length} events`, `${size}, as a receipt says`, hashes.length + 1);
  const root = hex(roots.get(size)!);
  if (root !== given.seen_root) throw new Fault("E_FORK", root, `${given.seen_root}, as a receipt says`, size);
  const request = declared ? hex(hashes[declared - 1]!) : "no such draw";
  if (request !== given.request)
    throw new Fault("E_FORK", request, `${given.request}, as a receipt says`, declared ?? size);
}

/** Check the end of the draw, which is undefined while the draw waits. */
function checkEnd(
  given: Receipt["contribution"],
  end: { version: number; contributions: readonly Contribution[] } | undefined,
): void {
  if (!end) return;
  const isIt = (each: Contribution): boolean => GIVEN.every((name) => each[name] === given[name]);
  if (!end.contributions.some(isIt))
    throw new Fault("E_ORDER", `nothing of ${given.seat}, or another link`, "what the house signed", end.version);
}
