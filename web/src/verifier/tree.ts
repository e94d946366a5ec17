/** The Merkle tree of RFC 6962: roots, and proofs that a leaf or an older tree is in it. Hashes are 32 bytes each. */

import { type Bytes, equal } from "./bytes.ts";
import { sha256 } from "./hashes.ts";

const LEAF = Uint8Array.of(0);
const EMPTY = sha256(new Uint8Array());

export const leafHash = (leaf: Bytes): Bytes => sha256(LEAF, leaf);

const node = new Uint8Array(65).fill(1);

function nodeHash(left: Bytes, right: Bytes): Bytes {
  node.set(left, 1);
  node.set(right, 33);
  return sha256(node);
}

/** A tree that grows leaf by leaf: the roots of its full subtrees, widest first. */
export class Growing {
  size = 0;
  #full: Bytes[] = [];

  push(leaf: Bytes): void {
    let node = leaf;
    for (let left = this.size; left % 2; left = (left - 1) / 2) node = nodeHash(this.#full.pop()!, node);
    this.#full.push(node);
    this.size++;
  }

  root(): Bytes {
    return this.size ? this.#full.reduceRight((right, left) => nodeHash(left, right)) : EMPTY;
  }
}

/** Return the roots at these sizes, if there are that many hashes. */
export function rootsAt(hashes: readonly Bytes[], sizes: ReadonlySet<number>): Map<number, Bytes> {
  const growing = new Growing();
  const roots = new Map([[0, EMPTY]]);
  for (const leaf of hashes) {
    growing.push(leaf);
    if (sizes.has(growing.size)) roots.set(growing.size, growing.root());
  }
  return roots;
}

export const rootOf = (hashes: readonly Bytes[]): Bytes =>
  rootsAt(hashes, new Set([hashes.length])).get(hashes.length)!;

/** RFC 6962 2.1.1: return the nodes beside the path of leaf `index`, from the leaf up. */
export function inclusionProof(hashes: readonly Bytes[], index: number): Bytes[] {
  if (hashes.length <= 1) return [];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split
    ? [...inclusionProof(left, index), rootOf(right)]
    : [...inclusionProof(right, index - split), rootOf(left)];
}

/** RFC 6962 2.1.2: prove that the tree begins with its first `old` leaves. Empty if `old` is 0 or all. */
export function consistencyProof(hashes: readonly Bytes[], old: number): Bytes[] {
  return old ? subproof(hashes, old, true) : [];
}

function subproof(hashes: readonly Bytes[], old: number, whole: boolean): Bytes[] {
  if (old === hashes.length) return whole ? [] : [rootOf(hashes)];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return old <= split
    ? [...subproof(left, old, whole), rootOf(right)]
    : [...subproof(right, old - split, false), rootOf(left)];
}

/** Return true if the leaf hash is at `index` in the tree of this size and root (RFC 9162 2.1.3.2). */
export function verifyInclusion(
  leaf: Bytes,
  index: number,
  size: number,
  proof: readonly Bytes[],
  root: Bytes,
): boolean {
  if (!(index >= 0 && index < size)) return false;
  let [at, last, node] = [index, size - 1, leaf];
  for (const beside of proof) {
    if (last === 0) return false;
    if (at % 2 || at === last) {
      node = nodeHash(beside, node);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, half(last)];
    } else {
      node = nodeHash(node, beside);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(node, root);
}

/** Return true if the tree of `size` leaves begins with the `old` leaves under oldRoot (RFC 9162 2.1.4.2). */
export function verifyConsistency(
  old: number,
  size: number,
  oldRoot: Bytes,
  newRoot: Bytes,
  proof: readonly Bytes[],
): boolean {
  if (!(old >= 0 && old <= size)) return false;
  if (old === 0) return !proof.length && equal(oldRoot, EMPTY) && (size > 0 || equal(newRoot, EMPTY));
  if (old === size) return !proof.length && equal(oldRoot, newRoot);
  const path = isPowerOf2(old) ? [oldRoot, ...proof] : [...proof];
  const [first] = path;
  if (!first) return false;
  let [at, last] = [old - 1, size - 1];
  while (at % 2) [at, last] = [half(at), half(last)];
  let [was, is] = [first, first];
  for (const beside of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 || at === last) {
      [was, is] = [nodeHash(beside, was), nodeHash(beside, is)];
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, half(last)];
    } else {
      is = nodeHash(is, beside);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && equal(was, oldRoot) && equal(is, newRoot);
}

const half = (number: number): number => Math.floor(number / 2);
const isPowerOf2 = (number: number): boolean => Number.isInteger(Math.log2(number));

/** Return the largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}
