// The vectors of fairlog.json, one check for each part of it: {name: null, or what is wrong}. On standard input the
// vectors, with `rfc8032` [{seed, key, message, signature}] beside them, bytes in hex.

import assert from "node:assert/strict";
import { stdin, stdout } from "node:process";
import { json } from "node:stream/consumers";

import { hex, unhex, utf8 } from "../../web/src/verifier/bytes.ts";
import { emit, read } from "../../web/src/verifier/canonical.ts";
import * as chain from "../../web/src/verifier/chain.ts";
import * as ed25519 from "../../web/src/verifier/ed25519.ts";
import * as note from "../../web/src/verifier/note.ts";
import { sha256 } from "../../web/src/verifier/hashes.ts";
import { isNative, verifier } from "../../web/src/verifier/signatures.ts";
import * as tree from "../../web/src/verifier/tree.ts";

const vectors = await json(stdin);
const played = vectors.session;
const bodies = played.events.map((event) => event.opening?.body);
const session = unhex(JSON.parse(played.events[0].leaf).session);
const leaves = played.events.map((event) => tree.leafHash(utf8(event.leaf)));
const roots = played.roots.map(unhex);
const links = new Map(vectors.chains.map((told) => [told.seat, told]));
const [log, witness] = [note.parseVkey(played.log_vkey), note.parseVkey(played.witness_vkey)];
const keys = new Map(
  bodies.filter((body) => body?.kind === "session.SeatTaken").map((body) => [body.seat, unhex(body.public_key)]),
);
const natively = await verifier();
const slowly = await verifier({ native: false });
const hexes = (list) => list.map(hex);
const declared = (k) => bodies.findIndex((body) => body?.kind === "session.Declared" && body.draw?.k === k);
const linksAt = (position) =>
  [...links.values()].map(({ seat, chain: nth, links_0_to_length: all }) => ({
    seat, chain: nth, position, link: unhex(all[position]),
  }));
const signedBody = ({ signature, ...body }) => emit({ ...body, session: hex(session) });

async function signed(key, message, signature, verify = slowly) {
  assert(await verify(key, message, unhex(signature)));
  assert(!(await verify(key, utf8("another message"), unhex(signature))));
}

function broken(code, act) {
  assert.throws(act, (fault) => fault.code === code);
}

const checks = {
  hash() {
    for (const { label, fields, out } of vectors.hash) assert.equal(hex(chain.H(label, ...fields.map(unhex))), out);
  },
  jcs() {
    for (const told of vectors.jcs) {
      assert.equal(emit(told.in, true), told.out);
      assert.equal(hex(sha256(utf8(told.out))), told.sha256);
    }
    broken("E_FORMAT", () => read('{"a":null}', () => true));
    const none = ["1.0", "1e2", "9007199254740992", '{"é":1}', '"\\ud800"', "[1,]", '"\t"', "nul", '{"a":1,"a":2}'];
    for (const text of [...none, "[".repeat(9e4)])
      broken("E_FORMAT", () => read(text, () => true));
    for (const text of ["[1, 2]", '{"b":1,"a":2}', '"\\u006e"', '"\\/"', "-0", "1 "])
      broken("E_NONCANONICAL", () => read(text, () => true));
    assert.deepEqual(read('{"__proto__":1,"a":[true,"x"]}', () => true).a, [true, "x"]);
  },
  chains() {
    for (const { sid, seat, chain: nth, length, links_0_to_length: all } of vectors.chains) {
      assert.deepEqual(hexes(chain.links(unhex(sid), seat, nth, unhex(all[length]), length)), all);
      assert.equal(hex(chain.linkDown(unhex(sid), seat, nth, length, 2, unhex(all[length]))), all[2]);
    }
    const long = vectors.chain_1024;
    const found = chain.links(unhex(long.sid), long.seat, long.chain, unhex(long.seed), 1024);
    assert.equal(hex(found[0]), long.anchor);
  },
  draws() {
    for (const told of vectors.draws) {
      const given = told.contrib.map(([seat, nth, position, link]) => ({ seat, chain: nth, position, link: unhex(link) }));
      const seed = chain.seed(unhex(told.sid), told.k, given.reverse(), unhex(told.blind));
      assert.equal(hex(seed), told.seed);
      const words = chain.words(seed, "0");
      assert.deepEqual(told.first_words_lane_0.map(() => words.next().value), told.first_words_lane_0);
      for (const sides of [6, 12, 20, 100]) {
        const values = told[`values_n${sides}`];
        assert.deepEqual(values.map((_, i) => chain.value(seed, i, sides)), values);
      }
      assert.deepEqual([20, 6, 6, 100].map((n, i) => chain.value(seed, i, n)), told.values_mixed_20_6_6_100);
      if (told.blind_commit)
        assert.equal(hex(chain.blindCommitment(unhex(told.sid), told.k, unhex(told.blind))), told.blind_commit);
    }
  },
  draws_2() {
    for (const told of vectors.draws_2) {
      const given = told.contrib.map(([seat, nth, position, link]) => ({ seat, chain: nth, position, link: unhex(link) }));
      const seed = chain.seed(unhex(told.sid), told.k, given.reverse(), unhex(told.blind), unhex(told.entropy));
      assert.equal(hex(seed), told.seed);
      const words = chain.words(seed, "0");
      assert.deepEqual(told.first_words_lane_0.map(() => words.next().value), told.first_words_lane_0);
      assert.deepEqual([20, 6, 6, 100].map((n, i) => chain.value(seed, i, n)), told.values_mixed_20_6_6_100);
    }
  },
  rejection() {
    for (const { seed, lane, n, rejected, out } of vectors.rejection) {
      assert.equal(chain.uniform(unhex(seed), lane, n), out);
      const words = chain.words(unhex(seed), lane);
      let passed = 0;
      while (words.next().value >= 2 ** 32 - (2 ** 32 % n)) passed++;
      assert.equal(passed, rejected);
    }
    assert.throws(() => chain.uniform(new Uint8Array(32), "0", 0), RangeError);
    assert.throws(() => chain.uniform(new Uint8Array(32), "0", 2 ** 32 + 1), RangeError);
  },
  cards() {
    const { seed, deck, flips_20: flips, remaining_32: remaining } = vectors.cards;
    let left = deck;
    flips.forEach((expected, i) => {
      const flipped = chain.flip(left, chain.value(unhex(seed), i, left.length));
      assert.equal(flipped.card, expected);
      left = flipped.left;
    });
    assert.deepEqual(left, remaining);
  },
  void_shadow() {
    const told = vectors.void_shadow;
    const [seat, nth, position, later] = told.revealed_later;
    const link = chain.linkBelow(session, seat, nth, position, unhex(later));
    assert.deepEqual([seat, nth, position - 1], told.missing);
    assert.equal(hex(link), told.recovered_link);
    const seed = chain.seed(session, told.k, linksAt(4));
    assert.deepEqual([hex(seed), chain.value(seed, 0, 20)], [told.shadow_seed, told.shadow_d20]);
    assert.equal(chain.value(chain.seed(session, 2, linksAt(3)), 0, 6), played.voided_draw_2_shadow_d6);
  },
  leaves() {
    played.events.forEach(({ leaf, leaf_hash: hash, opening }, i) => {
      assert.equal(hex(leaves[i]), hash);
      const told = read(leaf, () => true);
      if (opening) assert.equal(hex(chain.bodyCommitment(unhex(opening.salt), utf8(emit(opening.body)))), told.body);
    });
    const { version, salt, body } = played.sealed_note_opening;
    const committed = JSON.parse(played.events[version - 1].leaf).body;
    assert.equal(hex(chain.bodyCommitment(unhex(salt), utf8(emit(body)))), committed);
    assert.notEqual(hex(chain.bodyCommitment(unhex(salt), utf8(emit({ ...body, text: "the cook did it" })))), committed);
  },
  roots() {
    const growing = new tree.Growing();
    roots.forEach((root, size) => {
      assert.deepEqual([growing.root(), tree.rootOf(leaves.slice(0, size))], [root, root]);
      if (leaves[size]) growing.push(leaves[size]);
    });
  },
  proofs() {
    const [inclusion, consistency] = [played.inclusion_6_in_final.map(unhex), played.consistency_6_final.map(unhex)];
    assert.deepEqual(tree.inclusionProof(leaves, 6), inclusion);
    assert.deepEqual(tree.consistencyProof(leaves, 6), consistency);
    assert(!tree.verifyInclusion(leaves[6], 7, 22, inclusion, roots[22]));
    for (let size = 0; size <= 22; size++) {
      const some = leaves.slice(0, size);
      for (let index = 0; index < size; index++) {
        const proof = tree.inclusionProof(some, index);
        assert(tree.verifyInclusion(leaves[index], index, size, proof, roots[size]));
        assert(!tree.verifyInclusion(leaves[index], index, size, [...proof, roots[0]], roots[size]));
        assert(!proof.length || !tree.verifyInclusion(leaves[index], index, size, proof.slice(1), roots[size]));
        assert(!tree.verifyInclusion(leaves[index], index + 1, size, proof, roots[size]));
      }
      for (let old = 0; old <= size; old++) {
        const proof = tree.consistencyProof(some, old);
        assert(tree.verifyConsistency(old, size, roots[old], roots[size], proof));
        assert(!tree.verifyConsistency(old, size, roots[old], roots[size], [...proof, roots[0]]));
        assert(old < 1 || !tree.verifyConsistency(old, size, roots[old - 1], roots[size], proof));
      }
    }
  },
  tlog_proof() {
    const proof = { index: 6, path: played.inclusion_6_in_final.map(unhex), checkpoint: played.checkpoint_final };
    assert.equal(note.tlogProofText(proof), played.tlog_proof_6);
    assert.deepEqual(note.parseTlogProof(played.tlog_proof_6), proof);
    const told = note.parseNote(played.checkpoint_final);
    const byLog = note.noteText({ ...told, signatures: told.signatures.slice(0, 1) });
    const body = note.addCheckpointBody(6, played.consistency_6_final.map(unhex), byLog);
    assert.equal(body, played.witness_add_checkpoint);
  },
  async checkpoints() {
    assert.deepEqual([log, witness].map(note.vkeyText), [played.log_vkey, played.witness_vkey]);
    for (const [text, size] of [[played.checkpoint_6, 6], [played.checkpoint_final, 22]]) {
      const found = await note.openCheckpoint(text, log, slowly);
      assert.deepEqual({ ...found }, { origin: played.origin, size, root: roots[size], key: played.log_vkey });
      assert.equal(note.noteText(note.parseNote(text)), text);
    }
    const sign = (message) => ed25519.sign(unhex(played.log_seed), message);
    assert.equal(note.signNote(note.checkpointText(played.origin, 6, roots[6]), log, sign), played.checkpoint_6);
    for (const size of ["014", "+14", "-1", "", "9223372036854775808"])
      broken("E_NOTE_FORMAT", () => note.parseCheckpoint(`${played.origin}\n${size}\n${played.checkpoint_6.split("\n")[2]}\n`));
  },
  async cosignatures() {
    assert.equal(await note.cosignedAt(played.checkpoint_final, witness, slowly), 1767225700n);
    assert.equal(await note.cosignedAt(played.checkpoint_6, witness, slowly), undefined);
    const told = note.parseNote(played.checkpoint_final);
    told.signatures[1].payload[7] ^= 1;
    await assert.rejects(note.cosignedAt(note.noteText(told), witness, slowly), { code: "E_COSIG" });
  },
  async seats() {
    for (const body of bodies.filter((each) => each?.kind === "session.SeatTaken")) {
      assert.equal(body.anchor, links.get(body.seat).links_0_to_length[0]);
      await signed(keys.get(body.seat), chain.seatMessage(signedBody(body)), body.signature);
    }
  },
  async contributions() {
    const ended = bodies.filter((body) => body?.contributions);
    assert.equal(ended.length, 4);
    for (const { k, contributions } of ended)
      for (const { signature, ...given } of contributions) {
        const told = { ...given, draw: k, request: hex(leaves[declared(k)]), session: hex(session) };
        await signed(keys.get(given.seat), chain.contributionMessage(emit(told)), signature, natively);
        assert.equal(given.seen_root, hex(roots[given.seen_size]));
      }
  },
  async receipts() {
    for (const { contribution, receipt } of played.receipts_draw_0)
      await signed(unhex(played.house_public_key), chain.receiptMessage(emit(contribution)), receipt);
  },
  secret() {
    const { k, blind, command, salt, values } = bodies.find((body) => body?.kind === "session.SealOpened");
    const wish = bodies[declared(k)];
    assert.equal(hex(chain.commandCommitment(unhex(salt), utf8(emit(command)))), wish.command_commitment);
    assert.equal(hex(chain.blindCommitment(session, k, unhex(blind))), wish.draw.blind);
    const seed = chain.seed(session, k, linksAt(2), unhex(blind));
    assert.deepEqual(values, [[20, chain.value(seed, 0, 20)]]);
    assert.notEqual(hex(chain.blindCommitment(session, k, new Uint8Array(32))), wish.draw.blind);
  },
  async negative() {
    const final = played.checkpoint_final;
    const opened = (text) => note.openCheckpoint(text, log, slowly);
    await assert.rejects(opened(final.replace("\n22\n", "\n21\n")), { code: "E_CHECKPOINT_SIG" });
    const told = note.parseNote(final);
    await assert.rejects(opened(note.noteText({ ...told, signatures: told.signatures.slice(1) })), { code: "E_UNSIGNED" });
    const all = links.get("p1").links_0_to_length.map(unhex);
    const below = (...place) => hex(chain.linkBelow(...place, all[2]));
    assert.equal(below(session, "p1", 0, 2), hex(all[1]));
    for (const place of [[session, "p2", 0, 2], [session, "p1", 0, 3], [session, "p1", 1, 2], [new Uint8Array(16), "p1", 0, 2]])
      assert.notEqual(below(...place), hex(all[1]));
    const rewritten = leaves.with(2, tree.leafHash(utf8(played.events[2].leaf.replace('"house"', '"gm"'))));
    const proof = tree.consistencyProof(rewritten, 6);
    assert(!tree.verifyConsistency(6, 22, roots[6], tree.rootOf(rewritten), proof));
  },
  async published() {
    const { rfc6962_leaf_inputs: inputs, rfc6962_roots_sizes_0_to_8: known, c2sp_signed_note_example: example } =
      vectors.published_checks;
    const hashes = inputs.map((input) => tree.leafHash(unhex(input)));
    assert.deepEqual(known.map((_, size) => hex(tree.rootOf(hashes.slice(0, size)))), known);
    const [told, key] = [note.parseNote(example.note), note.parseVkey(example.key)];
    assert(await slowly(key.publicKey, utf8(told.text), told.signatures[0].payload));
  },
  async rfc8032() {
    assert(await isNative());
    for (const { seed, key, message, signature } of vectors.rfc8032) {
      assert.equal(hex(ed25519.publicKey(unhex(seed))), key);
      assert.equal(hex(ed25519.sign(unhex(seed), unhex(message))), signature);
      for (const verify of [slowly, natively]) assert(await verify(unhex(key), unhex(message), unhex(signature)));
    }
  },
};

const found = {};
for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
    found[name] = null;
  } catch (wrong) {
    found[name] = wrong.stack;
  }
}
stdout.write(JSON.stringify(found));
