// The Merkle tree of the events that a seat has read. A checkpoint with its root proves that they are in the log.

import { hex, unhex, utf8 } from "../verifier/bytes.js";
import { emit } from "../verifier/canonical.js";
import { bodyCommitment } from "../verifier/chain.js";
import { Fault } from "../verifier/fault.js";
import { LEAF } from "../verifier/shapes.js";
import { Growing, leafHash } from "../verifier/tree.js";

export class LogTree {
  #growing = new Growing();
  #roots = [hex(this.#growing.root())]; // by size
  #leaves = []; // the leaf hashes, in hex

  constructor(session) {
    this.session = session;
  }

  get size() {
    return this.#leaves.length;
  }

  /** Adds the next event, as the API returned it. Throws Fault unless the leaf is its own and commits to its body. */
  add(event) {
    const parsed = parse(event.leaf);
    const { version, turn, seat } = event;
    const expected = emit({ at: parsed.at, body: parsed.body, seat, session: this.session, turn, v: 1, version });
    if (expected !== event.leaf) throw new Fault("E_BODY", event.leaf, expected);
    if (event.body !== undefined) {
      const committed = commitment(event);
      if (committed !== parsed.body) throw new Fault("E_BODY", committed, parsed.body);
    } else if (!event.sealed && !event.redacted) throw new Fault("E_BODY", `no body at version ${version}`, "a body");
    const leaf = leafHash(utf8(expected));
    this.#growing.push(leaf);
    this.#roots.push(hex(this.#growing.root()));
    this.#leaves.push(hex(leaf));
  }

  /** The leaf hash, in hex, of an event that was read. */
  leafHash(version) {
    return this.#leaves[version - 1];
  }

  /** Throws Fault unless the events that were read are those of this checkpoint. `seen` is the last one, or of size 0. */
  check({ size, root }, seen) {
    if (size < seen.size) throw new Fault("E_TRUNCATED", `${size} events`, `${seen.size}, as in the last checkpoint`);
    if (size > this.size) throw new Fault("E_TRUNCATED", `${this.size} events`, `${size}, as in the checkpoint`);
    if (hex(root) !== this.#roots[size])
      throw new Fault(size === seen.size ? "E_SPLIT_VIEW" : "E_ROOT", `${size} under ${hex(root)}`, this.#roots[size]);
  }

  /** Throws Fault unless the log begins with the events of the last checkpoint: {size, root in hex}, size 0 for none. */
  checkStart({ size, root }) {
    if (size > this.size) throw new Fault("E_TRUNCATED", `${this.size} events`, `${size}, as in the last checkpoint`);
    if (size && root !== this.#roots[size])
      throw new Fault("E_INCONSISTENT", `${size} events under ${this.#roots[size]}`, `the ${size} of ${root}`);
  }
}

function parse(leaf) {
  let parsed;
  try {
    parsed = JSON.parse(leaf);
  } catch {
    // reported below
  }
  if (!LEAF(parsed)) throw new Fault("E_BODY", leaf, "a leaf");
  return parsed;
}

function commitment({ body, salt }) {
  try {
    return hex(bodyCommitment(unhex(salt), utf8(emit(body))));
  } catch (error) {
    throw new Fault("E_BODY", error.message, "a body and its salt");
  }
}
