/** A seat that contributes to each draw after it has checked the log. */

import type { ApiEvent, Contributor as Place } from "./log-events.ts";
import { LogTree } from "./log-tree.ts";
import { LogWatcher } from "./log-watcher.ts";
import { type SessionApi, Refusal } from "./requests.ts";
import { readCheckpoint, sendContribution, withTimeout } from "./seat-requests.ts";
import * as statements from "./statements.ts";
import type { SeatData, StoredSeat } from "./stored-seat.ts";
import { hex } from "../verifier/bytes.ts";
import { Fault } from "../verifier/fault.ts";
import { openCheckpoint, parseVkey } from "../verifier/note.ts";
import type { Verify } from "../verifier/signatures.ts";

const PAGE = 1000;
/** The rules that refuse a change which the next look repeats. */
const NOT_NOW = ["draw-waits", "presence-unchanged", "seen-elsewhere", "session-closed"];
/** Absent, the next chain, present again. */
const MAX_CHANGES = 3;
/** The pauses between two looks that no event causes, usually and while a draw waits for the seat. */
const LOOK_MS = 10_000;
const URGENT_LOOK_MS = 1000;

interface PendingDraw {
  version: number;
  checkpoint: string;
  contributed: string[];
}

/** Dispatches "state" when what it does has changed. */
export class Contributor extends EventTarget {
  readonly stored: StoredSeat;
  readonly watcher: LogWatcher;
  /** The server's description of the last draw that waited for the seat. */
  pending: PendingDraw | undefined;
  private readonly verify: Verify;
  private readonly api: SessionApi;
  private readonly tree: LogTree;
  private lastContributed = -1;
  private isPaused = false;
  private isDue = false;
  private last: Promise<unknown> = Promise.resolve();
  private ring: (() => void) | undefined;

  constructor(stored: StoredSeat, verify: Verify, api: SessionApi) {
    super();
    this.stored = stored;
    this.verify = verify;
    this.api = api;
    this.watcher = new LogWatcher(stored, verify);
    this.tree = new LogTree(stored.data.session);
  }

  private get data(): SeatData {
    return this.stored.data;
  }

  /** Take part in draws until the signal. Throws Fault if the log is not valid, WrongSeatFileError, StaleRecordError, Refusal or Away. */
  async run(signal: AbortSignal): Promise<void> {
    await this.begin();
    const source = this.api.follow(
      () => this.watcher.version,
      () => this.wake(),
    );
    try {
      while (!signal.aborted) {
        await this.look();
        await this.woken(signal);
      }
    } finally {
      source.close();
    }
  }

  /** Read the log, and compare it with the last checkpoint that was seen. */
  begin(): Promise<void> {
    return this.inTurn(async () => {
      await this.catchUp();
      this.tree.checkStart(this.data);
      await this.see();
    });
  }

  /** Read new events. Then contribute to the waiting draw, or send what the next draws need. */
  look(): Promise<void> {
    this.isDue = false;
    return this.inTurn(async () => {
      await this.catchUp();
      if (this.isAsked) await this.contribute();
      else if (!this.watcher.waiting) await this.sendChanges();
      this.dispatchEvent(new Event("state"));
    });
  }

  /** Sign whether the seat takes part in the next draws. Throws Refusal. */
  setPresence(present: boolean): Promise<void> {
    return this.inTurn(async () => {
      await this.catchUp();
      this.stored.record.away = !present;
      await this.stored.save();
      if (present && statements.isRolledOver(this.stored, this.watcher)) {
        await this.post("chain", await statements.nextChain(this.stored, this.watcher));
        await this.catchUp();
      }
      await this.sendPresence(present);
      this.wake();
    });
  }

  /** Stay out of draws for a while: the seat signs its absence, after the waiting draw if there is one. */
  pause(): void {
    this.isPaused = true;
    this.wake();
  }

  /** Take part again after `pause`. */
  resume(): void {
    this.isPaused = false;
    this.wake();
  }

  /** Return the signed statement with which the seat leaves. */
  leaving(): Promise<statements.Statement> {
    return this.inTurn(async () => {
      await this.catchUp();
      await this.see();
      return statements.leavingStatement(this.stored, this.watcher);
    });
  }

  /** Look soon: there may be a new event. */
  wake(): void {
    this.isDue = true;
    this.ring?.();
  }

  /** Run one task after the other: the log is read in its order. */
  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.last.then(task);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Send the presence, signed under the newest checkpoint. A refused statement is not expected in the log. */
  private async sendPresence(present: boolean): Promise<void> {
    await this.see();
    const body = await statements.presenceStatement(this.stored, this.watcher, present);
    try {
      await this.post("presence", body);
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) this.stored.removeStatement(body.signature);
      throw error;
    }
  }

  /** Read every event up to the head. */
  private async catchUp(): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const address = `/events?after=${this.watcher.version}&limit=${PAGE}&leaves=true`;
      const page = (await withTimeout(this.api.get(address))) as { events: ApiEvent[]; next?: unknown };
      for (const event of page.events) await this.read(event);
      hasMore = page.next !== undefined;
    }
    if (this.data.since !== null) return;
    this.data.since = this.watcher.version;
    await this.stored.save();
  }

  /** Check the newest checkpoint against the events, and store it. */
  private async see(): Promise<void> {
    await this.checkNote(await withTimeout(readCheckpoint(this.api)));
    await this.stored.save();
  }

  /** Check that a note is the checkpoint of the events up to it. */
  private async checkNote(note: string): Promise<void> {
    const now = await openCheckpoint(note, parseVkey(this.data.log_key), this.verify);
    if (now.size > this.watcher.version) await this.catchUp();
    this.tree.check(now, this.data);
    // An older key is not trusted again.
    Object.assign(this.data, { note, size: now.size, root: hex(now.root), log_key: now.key });
  }

  private get isAsked(): boolean {
    const { place, waiting } = this.watcher;
    return place !== undefined && waiting !== undefined && this.lastContributed < waiting.draw.k;
  }

  private async read(event: ApiEvent): Promise<void> {
    this.tree.add(event);
    await this.watcher.read(event);
    if (this.watcher.missed !== undefined) await this.noteMissed(this.watcher.missed);
    this.data.watched = Math.max(this.data.watched, event.version);
  }

  /** Store the number of a draw that was voided because of the seat, or undefined when it contributes again. */
  private async noteMissed(missed: number | undefined): Promise<void> {
    const { record } = this.stored;
    this.watcher.missed = undefined;
    if (record.missed === missed) return;
    if (missed === undefined) delete record.missed;
    else record.missed = missed;
    await this.stored.save();
  }

  /** Read the waiting draw with its checkpoint. If all is valid, store and send the link, and store the receipt. */
  private async contribute(): Promise<void> {
    const { stored, data, watcher } = this;
    const pending = await this.readPending();
    if (pending === undefined) return;
    this.pending = pending;
    await this.checkNote(pending.checkpoint);
    if (!(pending.version <= data.size)) {
      throw new Fault("E_UNSIGNED", `a checkpoint of ${data.size}`, `one that covers version ${pending.version}`);
    }
    const { waiting } = watcher;
    if (waiting === undefined || waiting.version > data.size) return; // another draw has begun since
    const { k } = waiting.draw;
    const request = this.tree.leafHash(waiting.version);
    const place = watcher.placeFor(waiting, request);
    if (place === undefined) return;
    const isHeldBack =
      statements.wasRolledOver(stored, place[1], place[2]) || pending.contributed.includes(data.seat);
    if (!isHeldBack) {
      data.contributed = { k, links: watcher.linksOfOthers(waiting.draw) };
      await this.sendLink({ k, request }, place);
    }
    this.lastContributed = k;
  }

  private async readPending(): Promise<PendingDraw | undefined> {
    try {
      return (await withTimeout(this.api.get("/draws/pending"))) as PendingDraw;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  private async sendLink(draw: { k: number; request: string }, place: Place): Promise<void> {
    const { body, signed } = await statements.contribution(this.stored, draw, place);
    const response = await sendContribution(this.api, draw.k, body);
    if (response === undefined) return;
    const { houseKey } = this.watcher;
    await this.stored.addReceipt(await statements.checkReceipt(signed, response.receipt, houseKey, this.verify));
    await this.noteMissed(undefined);
  }

  /** Send what the next draws will need of this seat, unless a draw waits. */
  private async sendChanges(): Promise<void> {
    for (let change = 0; change < MAX_CHANGES && !this.stored.record.away; change += 1) {
      const needed = this.isPaused
        ? statements.neededAbsence(this.watcher)
        : await statements.neededChange(this.stored, this.watcher);
      if (needed === undefined) return;
      await this.stored.save(); // throws StaleRecordError if another tab was told to stay away
      try {
        await ("chain" in needed ? this.post("chain", needed.chain) : this.sendPresence(needed.present));
      } catch (error) {
        if (error instanceof Refusal && NOT_NOW.includes(error.problem.rule ?? "")) return;
        throw error;
      }
      await this.catchUp();
    }
  }

  private async post(what: "chain" | "presence", body: unknown): Promise<void> {
    await withTimeout(this.api.send(`/seats/${this.data.seat}/${what}`, body));
  }

  private woken(signal: AbortSignal): Promise<void> {
    if (this.isDue || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const ring = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", ring);
        this.ring = undefined;
        resolve();
      };
      const timer = setTimeout(ring, this.isAsked ? URGENT_LOOK_MS : LOOK_MS);
      this.ring = ring;
      signal.addEventListener("abort", ring);
    });
  }
}
