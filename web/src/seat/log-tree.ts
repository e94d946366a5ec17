/** The Merkle tree of the events that a seat has read. A checkpoint with its root proves that they are in the log. */

import type { ApiEvent } from "./log-events.ts";
import { hex, unhex, utf8 } from "../verifier/bytes.ts";
import { emit } from "../verifier/canonical.ts";
import { bodyCommitment } from "../verifier/chain.ts";
import { Fault } from "../verifier/fault.ts";
import { LEAF } from "../verifier/shapes.ts";
import { Growing, leafHash } from "../verifier/tree.ts";

/** A size of the log and the root at that size, in hex. Size 0 stands for no checkpoint. */
export interface SeenCheckpoint {
  size: number;
  root: string;
}

interface Leaf {
  at: number;
  body: string;
}

export class LogTree {
  private readonly session: string;
  private readonly growing = new Growing();
  private readonly roots: string[];
  private readonly leaves: string[] = [];

  constructor(session: string) {
    this.session = session;
    this.roots = [hex(this.growing.root())];
  }

  get size(): number {
    return this.leaves.length;
  }

  /** Add the next event, as the API returned it. Throws Fault unless its leaf commits to its body. */
  add(event: ApiEvent): void {
    const parsed = parseLeaf(event.leaf);
    const { version, turn, seat } = event;
    const expected = emit({ at: parsed.at, body: parsed.body, seat, session: this.session, turn, v: 1, version });
    if (expected !== event.leaf) throw new Fault("E_BODY", event.leaf, expected);
    if (event.body !== undefined) {
      const committed = commitment(event);
      if (committed !== parsed.body) throw new Fault("E_BODY", committed, parsed.body);
    } else if (!event.sealed && !event.redacted) {
      throw new Fault("E_BODY", `no body at version ${version}`, "a body");
    }
    const leaf = leafHash(utf8(expected));
    this.growing.push(leaf);
    this.roots.push(hex(this.growing.root()));
    this.leaves.push(hex(leaf));
  }

  /** Return the leaf hash, in hex, of an event that was read. */
  leafHash(version: number): string {
    return this.leaves[version - 1]!;
  }

  /** Throw Fault unless the events are those of this checkpoint. `seen` is the last one that was seen. */
  check({ size, root }: { size: number; root: Uint8Array }, seen: SeenCheckpoint): void {
    if (size < seen.size) throw new Fault("E_TRUNCATED", `${size} events`, `${seen.size}, as in the last checkpoint`);
    if (size > this.size) throw new Fault("E_TRUNCATED", `${this.size} events`, `${size}, as in the checkpoint`);
    if (hex(root) !== this.roots[size]) {
      throw new Fault(size === seen.size ? "E_SPLIT_VIEW" : "E_ROOT", `${size} under ${hex(root)}`, this.roots[size]);
    }
  }

  /** Throw Fault unless the log begins with the events of the last checkpoint that was seen. */
  checkStart({ size, root }: SeenCheckpoint): void {
    if (size > this.size) throw new Fault("E_TRUNCATED", `${this.size} events`, `${size}, as in the last checkpoint`);
    if (size && root !== this.roots[size]) {
      throw new Fault("E_INCONSISTENT", `${size} events under ${this.roots[size]}`, `the ${size} of ${root}`);
    }
  }
}

function parseLeaf(leaf: string): Leaf {
  let parsed: unknown;
  try {
    parsed = JSON.parse(leaf);
  } catch {
    // reported below
  }
  if (!LEAF(parsed)) throw new Fault("E_BODY", leaf, "a leaf");
  return parsed as Leaf;
}

function commitment({ body, salt }: ApiEvent): string {
  try {
    return hex(bodyCommitment(unhex(salt ?? ""), utf8(emit(body))));
  } catch (error) {
    throw new Fault("E_BODY", error instanceof Error ? error.message : error, "a body and its salt");
  }
}
