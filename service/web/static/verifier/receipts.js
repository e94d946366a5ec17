// Rung 3, receipts: what a seat gave and the house signed that it holds, against what the log says of that draw.

import { hex, unhex } from "./bytes.js";
import { emit, parseAny } from "./canonical.js";
import { receiptMessage } from "./chain.js";
import { Fault } from "./fault.js";
import { RECEIPT } from "./shapes.js";

const BLANK = /^[\t-\r ]*$/;
const AROUND = /^[\t-\r ]+|[\t-\r ]+$/g;
const GIVEN = ["chain", "link", "position", "seat", "seen_root", "seen_size"];

/** The receipts of a client's file: a JSON list, JSON lines, or under `receipts` in one object; of each
 * {contribution, receipt}, the signed object and the signature in hex. Throws TypeError on anything else. */
export function readReceipts(text) {
  try {
    const found = parsed(text.replace(AROUND, "")).map(({ contribution, receipt }) => ({ contribution, receipt }));
    if (found.length && found.every(RECEIPT)) return found;
  } catch {
    // whatever it is, it is no such file
  }
  throw new TypeError("not a file of receipts");
}

function parsed(text) {
  if (text.startsWith("[")) return parseAny(text);
  let told;
  try {
    told = parseAny(text);
  } catch {
    // more than one line
  }
  if (typeof told === "object" && told !== null && "receipts" in told) return told.receipts;
  return text.split(/[\r\n]/).filter((line) => !BLANK.test(line)).map(parseAny);
}

/** That the house signed each receipt, on this log, and that the end of its draw holds what was given.
 * `draws` are those of the whole log, `hashes` and `roots` (by size) the log's own. Throws Fault. */
export async function checkReceipts(receipts, { session, hashes, roots, draws, verify }) {
  for (const { contribution: given, receipt } of receipts) {
    const version = Math.min(given.seen_size, hashes.length);
    if (given.session !== session)
      throw new Fault("E_SESSION", `a receipt of session ${given.session}`, session, version);
    const key = draws.houseKey;
    if (!key || !(await verify(key, receiptMessage(emit(given)), unhex(receipt))))
      throw new Fault("E_SIGNATURE", `the receipt of ${given.seat} for draw ${given.draw}`, "the house's", version);
    checkLog(given, hashes, roots, draws.told[given.draw]?.version);
    checkEnd(given, draws.endOf(given.draw));
  }
}

/** What the seat saw is this log, as far as it had come then, and so is what it was asked for. */
function checkLog(given, hashes, roots, declared) {
  const size = given.seen_size;
  if (size > hashes.length)
    throw new Fault("E_TRUNCATED", `${hashes.length} events`, `${size}, as a receipt says`, hashes.length + 1);
  const root = hex(roots.get(size));
  if (root !== given.seen_root) throw new Fault("E_FORK", root, `${given.seen_root}, as a receipt says`, size);
  const request = declared ? hex(hashes[declared - 1]) : "no such draw";
  if (request !== given.request)
    throw new Fault("E_FORK", request, `${given.request}, as a receipt says`, declared ?? size);
}

/** `end` is {version, contributions}, undefined while the draw waits. */
function checkEnd(given, end) {
  if (!end) return;
  const isIt = (each) => GIVEN.every((name) => each[name] === given[name]);
  if (!end.contributions.some(isIt))
    throw new Fault("E_ORDER", `nothing of ${given.seat}, or another link`, "what the house signed", end.version);
}
