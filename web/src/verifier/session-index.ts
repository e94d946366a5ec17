/** Level 2, tree: the proof that a session is in its server's index, which witnesses cosign. */

import { hex, unhex, utf8 } from "./bytes.ts";
import type { IndexProof } from "./events.ts";
import { Fault } from "./fault.ts";
import { cosignedAt, openCheckpoint, parseCheckpoint, parseNote, type Vkey, vkeyText } from "./note.ts";
import type { Cosigned } from "./roots.ts";
import type { Verify } from "./signatures.ts";
import { leafHash, verifyInclusion } from "./tree.ts";

/**
 * Check that the entries are in the index. Returns what each witness cosigned, with the size in the
 * last entry that is in an index that it cosigned. `key` is the log's. Throws Fault.
 */
export async function checkIndex(
  { checkpoints, entries }: IndexProof,
  key: Vkey,
  witnesses: readonly Vkey[],
  verify: Verify,
): Promise<Cosigned[]> {
  const indexKey = { ...key, name: `${hostOf(key.name)}/index` };
  const newest = witnesses.map((witness) => ({ key: vkeyText(witness), size: 0, at: 0 }));
  for (const { note, proofs } of checkpoints) {
    const state = { size: 0 };
    try {
      await checkInclusions(note, proofs, entries, indexKey, verify, state);
      for (const [nth, witness] of witnesses.entries()) {
        const at = Number((await cosignedAt(note, witness, verify)) ?? 0);
        const last = newest[nth]!;
        if (at && (state.size > last.size || (state.size === last.size && at > last.at)))
          Object.assign(last, { size: state.size, at });
      }
    } catch (error) {
      throw error instanceof Fault ? error.at(state.size) : error;
    }
  }
  return newest;
}

/** `state.size` becomes the size in the last entry that was checked. */
async function checkInclusions(
  note: string,
  proofs: readonly string[][],
  entries: IndexProof["entries"],
  key: Vkey,
  verify: Verify,
  state: { size: number },
): Promise<void> {
  const now = await openCheckpoint(note, key, verify);
  const covered = entries.filter(({ number }) => number <= now.size).length;
  if (!covered || proofs.length !== covered)
    throw new Fault("E_INCLUSION", `${proofs.length} proofs`, covered ? `${covered}` : "at least one");
  for (const [nth, proof] of proofs.entries()) {
    const entry = entries[nth]!;
    state.size = parseCheckpoint(parseNote(entry.note).text).size;
    const leaf = leafHash(utf8(entry.note));
    if (!verifyInclusion(leaf, entry.number - 1, now.size, proof.map(unhex), now.root))
      throw new Fault("E_INCLUSION", `leaf hash ${hex(leaf)}`, `entry ${entry.number} of the index of ${now.size}`);
  }
}

/** Return the part of a log's name that names the server. */
function hostOf(name: string): string {
  const end = name.lastIndexOf("/sessions/");
  return end < 0 ? name : name.slice(0, end);
}
