// What a seat checks of a draw that waits before it gives its link (docs/fairness.md, A draw, step 2).

import { hex, unhex, utf8 } from "../verifier/bytes.js";
import { emit } from "../verifier/canonical.js";
import { bodyCommitment } from "../verifier/chain.js";
import { Fault } from "../verifier/fault.js";
import { openCheckpoint } from "../verifier/note.js";
import { isEvent, LEAF } from "../verifier/shapes.js";
import { leafHash, verifyConsistency, verifyInclusion } from "../verifier/tree.js";

/** {seat, turn, declared, request, seen} of a draw as the API tells it: who asked in which turn, its declaration, the
 * leaf hash of that in hex, and the checkpoint {size, root, key} that covers it. Throws Fault unless the log's own key
 * covers this very declaration, on the log that was `seen` before. */
export async function checkAwaited(awaited, { session, ruleset, format, log, seen, verify }) {
  const now = await checkGrown(awaited.checkpoint, awaited.consistency, { log, seen, verify });
  if (now.size !== awaited.size || !(awaited.version <= now.size))
    throw new Fault("E_INCLUSION", `a checkpoint of ${now.size}`, `of ${awaited.size}, ${awaited.version} at least`);
  const request = leafHash(utf8(awaited.leaf));
  const path = hashes(awaited.inclusion, "E_INCLUSION");
  if (!verifyInclusion(request, awaited.version - 1, now.size, path, now.root))
    throw new Fault("E_INCLUSION", `leaf ${hex(request)}`, `version ${awaited.version} of ${hex(now.root)}`);
  const declared = opened(awaited, session, ruleset, format);
  if (declared.draw?.k !== awaited.k)
    throw new Fault("E_DRAW_INDEX", declared.draw?.k ?? "a declaration without a draw", awaited.k);
  const { seat, turn } = awaited; // the leaf says the same
  return { seat, turn, declared, request: hex(request), seen: { size: now.size, root: hex(now.root), key: now.key } };
}

/** {size, root, key} of a note, by the log's key and as an extension of what was seen: {size, root in hex}, size 0 before
 * the first. Throws Fault. */
export async function checkGrown(note, proof, { log, seen, verify }) {
  const now = await openCheckpoint(note, log, verify);
  if (now.size < seen.size) throw new Fault("E_TRUNCATED", `${now.size} events`, `${seen.size}, as was seen before`);
  if (now.size === seen.size && hex(now.root) !== seen.root)
    throw new Fault("E_SPLIT_VIEW", `${now.size} under ${hex(now.root)}`, seen.root);
  if (!seen.size) return now;
  const path = hashes(proof, "E_INCONSISTENT");
  if (!verifyConsistency(seen.size, now.size, unhex(seen.root), now.root, path))
    throw new Fault("E_INCONSISTENT", `${now.size} events under ${hex(now.root)}`, `the ${seen.size} of ${seen.root}`);
  return now;
}

/** The declaration, if it is what the leaf commits to and the leaf is of this draw. */
function opened(awaited, session, ruleset, format) {
  const { body, salt } = awaited.opening;
  const told = parsed(awaited.leaf);
  const { version, turn, seat } = awaited;
  const same = emit({ at: told.at, body: told.body, seat, session, turn, v: 1, version });
  if (same !== awaited.leaf) throw new Fault("E_BODY", awaited.leaf, same);
  const committed = hex(bodyCommitment(hashes([salt], "E_BODY")[0], utf8(canonical(body))));
  if (committed !== told.body || body.kind !== "session.Declared" || !isEvent(body, ruleset, format))
    throw new Fault("E_BODY", committed, told.body);
  return body;
}

function parsed(text) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    // said below
  }
  if (!LEAF(told)) throw new Fault("E_BODY", text, "a leaf");
  return told;
}

function canonical(body) {
  try {
    return emit(body);
  } catch (error) {
    throw new Fault("E_BODY", error.message, "an opening");
  }
}

function hashes(texts, code) {
  try {
    return texts.map(unhex);
  } catch {
    throw new Fault(code, texts, "hashes in hex");
  }
}
