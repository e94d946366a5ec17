// A seat at a table: it gives to every draw that it has checked, and says where the log lies.
//
// Event: "state" (what it does has changed).

import { Refusal } from "../page/net.js";
import { hex } from "../verifier/bytes.js";
import { Fault } from "../verifier/fault.js";
import { openCheckpoint, parseVkey } from "../verifier/note.js";
import { checkpoint, contributed, within } from "./asking.js";
import * as giving from "./giving.js";
import { LogTree } from "./logtree.js";
import { Watch } from "./watching.js";

const PAGE = 1000;
const NOT_NOW = ["draw-waits", "presence-unchanged", "seen-elsewhere", "session-closed"];
const STEPS = 3; // absent, the next chain, present again
const ROUTINE = 10_000; // ms until it looks without being woken, and while a draw waits for it
const URGENT = 1000;

export class Sitting extends EventTarget {
  /** `api`: the session, as `sessionAt` of page/net.js; `verify`: of Ed25519. */
  constructor(keeping, verify, api) {
    super();
    Object.assign(this, { keeping, verify, api, given: -1 });
    this.watch = new Watch(keeping, verify);
    this.tree = new LogTree(keeping.kept.session);
    this.answered = undefined; // what the server said of the last draw that waited
    this.due = false;
    this.last = Promise.resolve();
  }

  get kept() {
    return this.keeping.kept;
  }

  /** Takes part until the signal. Rejects with Fault where the log lies, OtherFile, Stale, Refusal, Away. */
  async run(signal) {
    await this.begin();
    const source = this.api.follow(() => this.watch.version, () => this.wake());
    try {
      while (!signal.aborted) {
        await this.look();
        await this.#woken(signal);
      }
    } finally {
      source.close();
    }
  }

  /** Holds the log against the last checkpoint that was seen, and reads it. */
  begin() {
    return this.#inTurn(async () => {
      await this.#catchUp();
      this.tree.checkStart(this.kept);
      await this.#see();
    });
  }

  /** Reads what is new, gives to the draw that waits, or brings what the next ones need. */
  look() {
    this.due = false;
    return this.#inTurn(async () => {
      await this.#catchUp();
      if (this.#asksUs) await this.#give();
      else if (!this.watch.waiting) await this.#keepUp();
      this.dispatchEvent(new Event("state"));
    });
  }

  /** Signs that the seat takes part in the draws to come, or not. Throws Refusal. */
  be(present) {
    return this.#inTurn(() => this.#be(present));
  }

  /** What the seat signs to be given back, with its signature. */
  leaving() {
    return this.#inTurn(async () => {
      await this.#catchUp();
      await this.#see();
      return giving.leaving(this.keeping, this.watch);
    });
  }

  /** There may be something new. */
  wake() {
    this.due = true;
    this.ring?.();
  }

  /** One thing at a time: the log is read in its order. */
  #inTurn(act) {
    const done = this.last.then(act);
    this.last = done.catch(() => {});
    return done;
  }

  async #be(present) {
    await this.#catchUp();
    this.keeping.record.away = !present;
    await this.keeping.save();
    if (present && giving.isAhead(this.keeping, this.watch)) {
      await this.#post("chain", await giving.nextChain(this.keeping, this.watch));
      await this.#catchUp();
    }
    await this.#say(present);
    this.wake();
  }

  /** Signs it under the newest checkpoint. What was refused is not expected in the log. */
  async #say(present) {
    await this.#see();
    const body = await giving.presence(this.keeping, this.watch, present);
    try {
      await this.#post("presence", body);
    } catch (error) {
      if (error.status === 409) this.keeping.forget(body.signature);
      throw error;
    }
  }

  /** Every event up to the head. */
  async #catchUp() {
    const { kept, watch } = this;
    for (let more = true; more; ) {
      const page = await within(this.api.get(`/events?after=${watch.version}&limit=${PAGE}&leaves=true`));
      for (const told of page.events) await this.#read(told);
      more = page.next !== undefined;
    }
    if (kept.since !== null) return;
    kept.since = watch.version;
    await this.keeping.save();
  }

  /** Checks the newest checkpoint against the events, and keeps it. */
  async #see() {
    await this.#check(await within(checkpoint(this.api)));
    await this.keeping.save();
  }

  /** Checks that a note is the checkpoint of the events, which are read up to it, and keeps it. */
  async #check(note) {
    const now = await openCheckpoint(note, this.log, this.verify);
    if (now.size > this.watch.version) await this.#catchUp();
    this.tree.check(now, this.kept);
    // An older key is not trusted again.
    Object.assign(this.kept, { note, size: now.size, root: hex(now.root), log_key: now.key });
  }

  get log() {
    return parseVkey(this.kept.log_key);
  }

  get #asksUs() {
    const { watch } = this;
    return watch.place !== undefined && this.given < watch.waiting.draw.k;
  }

  async #read(told) {
    this.tree.add(told);
    await this.watch.read(told);
    if (this.watch.missed !== undefined) await this.#note(this.watch.missed);
    this.kept.watched = Math.max(this.kept.watched, told.version);
  }

  /** What is said until the seat gives again: k of a draw that was given up for it, undefined for none. */
  async #note(missed) {
    this.watch.missed = undefined;
    if (this.keeping.record.missed === missed) return;
    this.keeping.record.missed = missed;
    await this.keeping.save();
  }

  /** Asks for the draw with its checkpoint, checks it; where all holds, saves and sends the link, and keeps the receipt. */
  async #give() {
    const { keeping, kept, watch } = this;
    const awaited = await this.#awaited();
    if (awaited === undefined) return;
    this.answered = awaited;
    await this.#check(awaited.checkpoint);
    if (!(awaited.version <= kept.size))
      throw new Fault("E_UNSIGNED", `a checkpoint of ${kept.size}`, `one that covers version ${awaited.version}`);
    if (watch.waiting === undefined || watch.waiting.version > kept.size) return; // another draw has begun since
    const { k } = watch.waiting.draw;
    const request = this.tree.leafHash(watch.waiting.version);
    const place = watch.placeFor(request);
    if (place === undefined) return;
    const holdsBack = giving.wasShown(keeping, place[1], place[2]) || awaited.contributed.includes(kept.seat);
    if (!holdsBack) {
      kept.contributed = { k, links: watch.linksOfOthers(watch.waiting.draw) };
      await this.#send({ k, request }, place);
    }
    this.given = k;
  }

  async #awaited() {
    try {
      return await within(this.api.get("/draws/pending"));
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  async #send(draw, place) {
    const { body, signed } = await giving.contribution(this.keeping, draw, place);
    const answer = await contributed(this.api, draw.k, body);
    if (answer === undefined) return;
    const receipt = await giving.checkReceipt(signed, answer.receipt, this.watch.houseKey, this.verify);
    await this.keeping.hold(receipt);
    await this.#note(undefined);
  }

  /** Brings what the draws to come will need of this seat, as far as the table does not stand still. */
  async #keepUp() {
    for (let step = 0; step < STEPS && !this.keeping.record.away; step += 1) {
      const needed = await giving.needed(this.keeping, this.watch);
      if (needed === undefined) return;
      await this.keeping.save(); // where another tab was told to stay away, this one hears of it here
      try {
        await (needed.chain ? this.#post("chain", needed.chain) : this.#say(needed.present));
      } catch (error) {
        if (NOT_NOW.includes(error.problem?.rule)) return;
        throw error;
      }
      await this.#catchUp();
    }
  }

  #post(what, body) {
    return within(this.api.send(`/seats/${this.kept.seat}/${what}`, body));
  }

  #woken(signal) {
    if (this.due || signal.aborted) return undefined;
    return new Promise((done) => {
      const timer = setTimeout(() => this.ring(), this.#asksUs ? URGENT : ROUTINE);
      this.ring = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", this.ring);
        this.ring = undefined;
        done();
      };
      signal.addEventListener("abort", this.ring);
    });
  }
}
