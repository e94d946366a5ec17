// The Merkle tree of RFC 6962: roots, and proofs that a leaf or an older tree is in it. Hashes are 32 bytes each.

import { equal } from "./bytes.js";
import { sha256 } from "./sha256.js";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const EMPTY = sha256(new Uint8Array());

export const leafHash = (leaf) => sha256(LEAF, leaf);
const nodeHash = (left, right) => sha256(NODE, left, right);

/** A tree that grows leaf by leaf: the roots of its full subtrees, widest first. */
export class Growing {
  size = 0;
  #full = [];

  push(leaf) {
    let node = leaf;
    for (let left = this.size; left % 2; left = (left - 1) / 2) node = nodeHash(this.#full.pop(), node);
    this.#full.push(node);
    this.size++;
  }

  root() {
    return this.size ? this.#full.reduceRight((right, left) => nodeHash(left, right)) : EMPTY;
  }
}

/** The roots of these sizes (a Set), as far as there are hashes: a Map. */
export function rootsAt(hashes, sizes) {
  const growing = new Growing();
  const roots = new Map([[0, EMPTY]]);
  for (const leaf of hashes) {
    growing.push(leaf);
    if (sizes.has(growing.size)) roots.set(growing.size, growing.root());
  }
  return roots;
}

export const rootOf = (hashes) => rootsAt(hashes, new Set([hashes.length])).get(hashes.length);

/** RFC 6962 2.1.1: the nodes beside the path of leaf `index`, from the leaf up. */
export function inclusionProof(hashes, index) {
  if (hashes.length <= 1) return [];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split
    ? [...inclusionProof(left, index), rootOf(right)]
    : [...inclusionProof(right, index - split), rootOf(left)];
}

/** RFC 6962 2.1.2: that the tree begins with that of its first `old` leaves; empty if old is 0 or all. */
export function consistencyProof(hashes, old) {
  return old ? subproof(hashes, old, true) : [];
}

function subproof(hashes, old, whole) {
  if (old === hashes.length) return whole ? [] : [rootOf(hashes)];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return old <= split
    ? [...subproof(left, old, whole), rootOf(right)]
    : [...subproof(right, old - split, false), rootOf(left)];
}

/** Whether the leaf hash is at `index` in the tree of this size and root (RFC 9162 2.1.3.2). */
export function verifyInclusion(leaf, index, size, proof, root) {
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

/** Whether the tree of `size` leaves begins with the `old` leaves under oldRoot (RFC 9162 2.1.4.2). */
export function verifyConsistency(old, size, oldRoot, newRoot, proof) {
  if (!(old >= 0 && old <= size)) return false;
  if (old === 0) return !proof.length && equal(oldRoot, EMPTY) && (size > 0 || equal(newRoot, EMPTY));
  if (old === size) return !proof.length && equal(oldRoot, newRoot);
  const path = isPowerOf2(old) ? [oldRoot, ...proof] : [...proof];
  if (!path.length) return false;
  let [at, last] = [old - 1, size - 1];
  while (at % 2) [at, last] = [half(at), half(last)];
  let [was, is] = [path[0], path[0]];
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

const half = (number) => Math.floor(number / 2);
const isPowerOf2 = (number) => Number.isInteger(Math.log2(number));

/** The largest power of two below `size`. */
function splitOf(size) {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}
