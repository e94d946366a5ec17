// Rung 2, tree: the roots at every checkpoint, their signatures, and kept checkpoints that must be prefixes.

import { equal, hex } from "./bytes.js";
import { Fault } from "./fault.js";
import { claimedSize, cosignedAt, openCheckpoint, vkeyText } from "./note.js";
import { rootsAt } from "./tree.js";

/** The sizes that notes claim, as far as they can be read. */
export const sizesOf = (notes) => notes.map(claimedSize).filter((size) => size !== undefined);

/** That the key signed every note of a log of this size, the last one over all of it; `kept` are notes from outside.
 * `roots` are the log's own by size. Throws Fault. */
export async function checkRoots({ notes, kept, size, roots, key, verify }) {
  const signed = [];
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

/** What each witness cosigned last of notes that hold: {key, size, at}, `at` in POSIX seconds, zeros for nothing.
 * Throws Fault: a bad cosignature is E_COSIG. */
export async function cosigned(witnesses, notes, verify) {
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

/** That a fork's Opened names this parent, {manifest, events, hashes}, and its root at that version. Throws Fault. */
export function checkOrigin(origin, parent) {
  const session = parent.manifest.session;
  if (origin?.session !== session) throw new Fault("E_SESSION", origin?.session ?? "no fork", session, 1);
  const size = parent.events.length;
  if (origin.version > size) throw new Fault("E_TRUNCATED", `${size} events of the parent`, `${origin.version}`, 1);
  const root = hex(rootsAt(parent.hashes, new Set([origin.version])).get(origin.version));
  if (origin.root !== root) throw new Fault("E_ROOT", origin.root, root, 1);
}

const opened = (note, key, verify, size) =>
  atVersion(claimedSize(note) ?? size, () => openCheckpoint(note, key, verify));

/** What `act` promises; a Fault of it is one of this version. */
async function atVersion(version, act) {
  try {
    return await act();
  } catch (fault) {
    throw fault instanceof Fault ? fault.at(version) : fault;
  }
}

/** The signed roots by size: two of one size mean that two logs are shown. */
function oneRootEach(signed) {
  const known = new Map();
  for (const { size, root } of signed) {
    if (known.has(size) && !equal(known.get(size), root))
      throw new Fault("E_SPLIT_VIEW", hex(root), hex(known.get(size)), size);
    known.set(size, root);
  }
  return known;
}

function match(checkpoint, size, roots, code) {
  if (checkpoint.size > size)
    throw new Fault("E_TRUNCATED", `${size} events`, `${checkpoint.size}, as signed`, size + 1);
  const own = roots.get(checkpoint.size);
  if (!equal(own, checkpoint.root)) throw new Fault(code, hex(own), hex(checkpoint.root), checkpoint.size);
}
