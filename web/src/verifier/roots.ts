/** Level 2, tree: the roots at every checkpoint, their signatures, and stored checkpoints that must be prefixes. */

import { type Bytes, equal, hex } from "./bytes.ts";
import type { Origin } from "./events.ts";
import { Fault } from "./fault.ts";
import type { Log } from "./leaves.ts";
import { type Checkpoint, claimedSize, cosignedAt, openCheckpoint, type Vkey, vkeyText } from "./note.ts";
import type { Verify } from "./signatures.ts";
import { rootsAt } from "./tree.ts";

/** What a witness cosigned last: the size of the log, and when, in POSIX seconds. Zeros if nothing. */
export interface Cosigned {
  key: string;
  size: number;
  at: number;
}

interface Roots {
  notes: readonly string[];
  /** Notes from outside. */
  kept: readonly string[];
  /** The number of events. */
  size: number;
  /** The log's own roots by size. */
  roots: ReadonlyMap<number, Bytes>;
  key: Vkey;
  verify: Verify;
}

/** Return the sizes that notes claim, as far as they can be read. */
export const sizesOf = (notes: readonly string[]): number[] =>
  notes.map(claimedSize).filter((size) => size !== undefined);

/** Check that the key signed every note, and the last one over all of the log. Throws Fault. */
export async function checkRoots({ notes, kept, size, roots, key, verify }: Roots): Promise<void> {
  const signed: Checkpoint[] = [];
  for (const note of notes) signed.push(await opened(note, key, verify, size));
  const known = oneRootEach(signed);
  for (const checkpoint of [...signed].sort((a, b) => a.size - b.size)) match(checkpoint, size, roots, "E_ROOT");
  const covered = signed.at(-1)?.size ?? 0;
  if (!signed.length || covered !== size)
    throw new Fault("E_UNSIGNED", `signed up to ${covered}`, `a last checkpoint of ${size}`, covered + 1);
  for (const note of kept) {
    const checkpoint = await opened(note, key, verify, size);
    match(checkpoint, size, roots, known.has(checkpoint.size) ? "E_SPLIT_VIEW" : "E_INCONSISTENT");
  }
}

/** Return what each witness cosigned last of notes that hold. Throws Fault E_COSIG for a bad cosignature. */
export async function cosigned(
  witnesses: readonly Vkey[],
  notes: readonly string[],
  verify: Verify,
): Promise<Cosigned[]> {
  const found = [];
  for (const witness of witnesses) {
    const last = { key: vkeyText(witness), size: 0, at: 0 };
    for (const note of notes) {
      const size = claimedSize(note) ?? 0;
      const at = Number((await atVersion(size, () => cosignedAt(note, witness, verify))) ?? 0);
      if (at && (size > last.size || (size === last.size && at > last.at))) Object.assign(last, { size, at });
    }
    found.push(last);
  }
  return found;
}

/** Check that a fork's Opened names this parent and its root at that version. Throws Fault. */
export function checkOrigin(origin: Origin | undefined, parent: Log): void {
  const { session } = parent.manifest!;
  if (origin?.session !== session) throw new Fault("E_SESSION", origin?.session ?? "no fork", session, 1);
  const size = parent.events.length;
  if (origin.version > size) throw new Fault("E_TRUNCATED", `${size} events of the parent`, `${origin.version}`, 1);
  const root = hex(rootsAt(parent.hashes, new Set([origin.version])).get(origin.version)!);
  if (origin.root !== root) throw new Fault("E_ROOT", origin.root, root, 1);
}

const opened = (note: string, key: Vkey, verify: Verify, size: number): Promise<Checkpoint> =>
  atVersion(claimedSize(note) ?? size, () => openCheckpoint(note, key, verify));

/** Return the result of `act`. Its Fault is one of this version. */
async function atVersion<T>(version: number, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof Fault ? error.at(version) : error;
  }
}

/** Return the signed roots by size. Two roots of one size mean that two logs are shown. */
function oneRootEach(signed: readonly Checkpoint[]): Map<number, Bytes> {
  const known = new Map<number, Bytes>();
  for (const { size, root } of signed) {
    const other = known.get(size);
    if (other && !equal(other, root)) throw new Fault("E_SPLIT_VIEW", hex(root), hex(other), size);
    known.set(size, root);
  }
  return known;
}

function match(checkpoint: Checkpoint, size: number, roots: ReadonlyMap<number, Bytes>, code: string): void {
  if (checkpoint.size > size)
    throw new Fault("E_TRUNCATED", `${size} events`, `${checkpoint.size}, as signed`, size + 1);
  const own = roots.get(checkpoint.size)!;
  if (!equal(own, checkpoint.root)) throw new Fault(code, hex(own), hex(checkpoint.root), checkpoint.size);
}
