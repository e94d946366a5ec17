// The seat that this browser holds, from its record to its end: which tab gives, and how it stands.
//
// Event: "state" (`state`, `fault`, `sitting` have changed).

import { Away, Refusal, get, sessionAt } from "../page/net.js";
import { Fault } from "../verifier/fault.js";
import { verifier } from "../verifier/signatures.js";
import { alone } from "./alone.js";
import { Stale } from "./drawer.js";
import { idOf, Keeping, OtherFile } from "./keeping.js";
import { Sitting } from "./sitting.js";

const AGAIN = 2000; // ms until a server that was away is asked again
const SAVES = 5;

export class Holding extends EventTarget {
  state = "begins";
  why = ""; // what is said beside the state
  fault = undefined; // {code, found, expected, at}: what was wrong with the log
  sitting = undefined; // while this tab gives
  kept = undefined; // what is kept of the seat

  /** `data`: {session, path, seat, closed} of a page's data block. */
  constructor({ session, path, seat, closed }) {
    super();
    Object.assign(this, { session, path, seat, closed });
  }

  /** As long as the page lives, or until nothing is left to do. */
  async hold() {
    if (this.closed) return this.#is("closed");
    for (;;) {
      try {
        await alone(idOf(this.session, this.seat), (signal) => this.#sit(signal), () => this.#is("tab"));
        if (["caught", "handed"].includes(this.state)) return undefined;
      } catch (error) {
        if (!(await this.#ended(error))) return undefined;
      }
    }
  }

  /** What the seat does by its key: `act(sitting)`, in whichever tab that is. */
  async act(act) {
    if (this.sitting) return act(this.sitting);
    const keeping = await Keeping.read(this.session, this.seat);
    if (!keeping) throw new OtherFile("This browser has no key of your seat.");
    const sitting = new Sitting(keeping, await verifier(), sessionAt(this.path));
    await sitting.begin();
    return act(sitting);
  }

  /** The seat's file, for another device: this browser gives nothing from then on. */
  async handOver(token) {
    const { kept } = await this.#noted({ handed: true, copied: true });
    this.#is("handed");
    // The page's entropy is not that of a seat file: the next program does not compare what this one sent.
    return { ...kept, since: null, server: location.origin, token };
  }

  /** Goes on here behind that. */
  async goOn() {
    await this.#noted({ handed: false });
    this.#is("begins");
    return this.hold();
  }

  async #sit(signal) {
    const keeping = (await Keeping.read(this.session, this.seat)) ?? (await this.#fresh());
    const { record } = keeping;
    this.kept = keeping.kept;
    if (record.fault) return this.#is("caught", "", record.fault);
    if (record.handed) return this.#is("handed");
    const sitting = new Sitting(keeping, await verifier(), sessionAt(this.path));
    sitting.addEventListener("state", () => this.#is(sitting.watch.mine?.isAway ? "away" : "gives"));
    this.sitting = sitting;
    try {
      await sitting.run(signal);
    } finally {
      this.answered = sitting.answered;
      this.sitting = undefined;
    }
    return undefined;
  }

  /** A seat that has no key yet: it is made here. */
  async #fresh() {
    const [{ seats }, { events }] = await Promise.all([get(this.path), get(`${this.path}/events?limit=1`)]);
    if (seats[this.seat]?.public_key !== undefined)
      throw new OtherFile("The key of your seat is in another browser or a file: bring the file here, or go on there.");
    const { session, seat } = this;
    const keeping = await Keeping.make({ server: location.origin, session, seat, logKey: events[0].body.log_key });
    await keeping.save();
    return keeping;
  }

  /** Why it ended; whether to go on. */
  async #ended(error) {
    if (error instanceof Stale) return true;
    if (error instanceof Fault) return this.#caught(error);
    if (error instanceof OtherFile) return this.#is("other", error.message);
    if (error instanceof Refusal && [401, 404].includes(error.status)) return this.#is("off");
    if (error instanceof Refusal && error.problem.rule === "session-closed") return this.#is("closed");
    if (!(error instanceof Away || error instanceof Refusal)) return this.#is("none", error.message);
    this.#is("lost", error.message);
    await new Promise((done) => { setTimeout(done, AGAIN); });
    return true;
  }

  /** What was found is kept for good: the seat gives nothing any more, whatever is reloaded. */
  async #caught({ code, found, expected }) {
    const fault = { code, found, expected, at: new Date().toISOString(), answer: this.answered };
    await this.#noted({ fault }).catch(() => {});
    return this.#is("caught", "", fault);
  }

  async #noted(note) {
    for (let tried = 0; ; tried += 1) {
      const keeping = await Keeping.read(this.session, this.seat);
      Object.assign(keeping.record, note);
      try {
        await keeping.save();
        return keeping;
      } catch (error) {
        if (!(error instanceof Stale) || tried === SAVES) throw error;
      }
    }
  }

  #is(state, why = "", fault = undefined) {
    Object.assign(this, { state, why, fault });
    this.dispatchEvent(new Event("state"));
    return false;
  }
}
