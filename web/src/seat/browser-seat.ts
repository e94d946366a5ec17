/** The seat that this browser has in a session with shared draws: which tab contributes, and how it stands. */

import { Contributor } from "./contributor.ts";
import { StaleRecordError } from "./database.ts";
import { Away, Refusal, get, sessionApi } from "./requests.ts";
import { runInOneTab } from "./single-tab.ts";
import { type SeatRecord, type StoredFault, StoredSeat, WrongSeatFileError, recordId } from "./stored-seat.ts";
import { Fault } from "../verifier/fault.ts";
import { verifier } from "../verifier/signatures.ts";

export type SeatStatus =
  | "starting"
  | "contributing"
  | "other-tab"
  | "away"
  | "moved"
  | "other-device"
  | "no-storage"
  | "signed-out"
  | "offline"
  | "closed"
  | "invalid-log";

const RETRY_MS = 2000;
const MAX_SAVES = 5;
/** A phone whose page is hidden this long stays out of draws until it is shown again. */
const HIDDEN_MS = 3000;
/** After these, nothing is left to do in this tab. */
const FINAL: SeatStatus[] = ["invalid-log", "moved"];

/** Dispatches "state" when `status`, `fault` or `contributor` have changed. */
export class BrowserSeat extends EventTarget {
  status: SeatStatus = "starting";
  /** What is wrong, if the status alone does not say it. */
  reason = "";
  fault: StoredFault | undefined;
  /** Set while this tab contributes. */
  contributor: Contributor | undefined;
  readonly session: string;
  readonly seat: string;
  private readonly path: string;

  constructor(session: string, seat: string) {
    super();
    this.session = session;
    this.seat = seat;
    this.path = `/v1/sessions/${session}`;
  }

  /** Contribute to draws while the page is open, or until nothing is left to do. */
  async run(): Promise<void> {
    for (;;) {
      try {
        const waits = () => this.change("other-tab");
        await runInOneTab(recordId(this.session, this.seat), (signal) => this.contribute(signal), waits);
        if (FINAL.includes(this.status)) return;
      } catch (error) {
        if (!(await this.handle(error))) return;
      }
    }
  }

  /** Sign something with the seat's key: `act(contributor)`, in whichever tab this is. */
  async act<T>(act: (contributor: Contributor) => Promise<T>): Promise<T> {
    if (this.contributor) return act(this.contributor);
    const stored = await StoredSeat.read(this.session, this.seat);
    if (!stored) throw new WrongSeatFileError("This browser does not have the key of your seat.");
    const contributor = new Contributor(stored, await verifier(), sessionApi(this.path));
    await contributor.begin();
    return act(contributor);
  }

  /** Return the seat file for another device. This browser contributes no more. */
  async handOver(token: string): Promise<string> {
    const { data } = await this.changeRecord({ handed: true, copied: true });
    this.change("moved");
    // The page's entropy is not that of a seat file: the next program does not compare what this one sent.
    const file = { ...data, since: null, server: location.origin, token };
    return JSON.stringify(this.fault ? { ...file, fault: this.fault } : file);
  }

  /** Contribute here again after `handOver`. */
  async resume(): Promise<void> {
    await this.changeRecord({ handed: false });
    this.change("starting");
    return this.run();
  }

  private async contribute(signal: AbortSignal): Promise<void> {
    const stored = (await StoredSeat.read(this.session, this.seat)) ?? (await this.create());
    const { record } = stored;
    if (record.fault) return this.change("invalid-log", "", record.fault);
    if (record.handed) return this.change("moved");
    const contributor = new Contributor(stored, await verifier(), sessionApi(this.path));
    contributor.addEventListener("state", () => {
      this.change(contributor.watcher.mine?.isAway ? "away" : "contributing");
    });
    this.contributor = contributor;
    const stop = pauseWhileHidden(contributor);
    try {
      await contributor.run(signal);
    } finally {
      stop();
      this.contributor = undefined;
      this.pending = contributor.pending;
    }
  }

  private pending: unknown;

  /** Create the key of a seat that has none yet. */
  private async create(): Promise<StoredSeat> {
    const [{ seats }, { events }] = await Promise.all([
      get<{ seats: Record<string, { public_key?: string }> }>(this.path),
      get<{ events: { body: { log_key: string } }[] }>(`${this.path}/events?limit=1`),
    ]);
    if (seats[this.seat]?.public_key !== undefined) {
      throw new WrongSeatFileError("The key of your seat is in another browser or in a file.");
    }
    const { session, seat } = this;
    const logKey = events[0]!.body.log_key;
    const stored = await StoredSeat.create({ server: location.origin, session, seat, logKey });
    await stored.save();
    return stored;
  }

  /** Say why contributing ended. Returns true if it is to begin again. */
  private async handle(error: unknown): Promise<boolean> {
    if (error instanceof StaleRecordError) return true;
    if (error instanceof Fault) await this.storeFault(error);
    else if (error instanceof WrongSeatFileError) this.change("other-device", error.message);
    else if (error instanceof Refusal && [401, 404].includes(error.status)) this.change("signed-out");
    else if (error instanceof Refusal && error.problem.rule === "session-closed") this.change("closed");
    else if (error instanceof Away || error instanceof Refusal) {
      this.change("offline", error.message);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return true;
    } else this.change("no-storage", error instanceof Error ? error.message : String(error));
    return false;
  }

  /** Store what was wrong with the log. The seat never contributes to it again, also after a reload. */
  private async storeFault({ code, found, expected }: Fault): Promise<void> {
    const fault = { code, found, expected, at: new Date().toISOString(), answer: this.pending };
    await this.changeRecord({ fault }).catch(() => undefined);
    this.change("invalid-log", "", fault);
  }

  private async changeRecord(change: Partial<SeatRecord>): Promise<StoredSeat> {
    for (let tries = 0; ; tries += 1) {
      const stored = await StoredSeat.read(this.session, this.seat);
      if (!stored) throw new WrongSeatFileError("This browser does not have the key of your seat.");
      Object.assign(stored.record, change);
      try {
        await stored.save();
        return stored;
      } catch (error) {
        if (!(error instanceof StaleRecordError) || tries === MAX_SAVES) throw error;
      }
    }
  }

  private change(status: SeatStatus, reason = "", fault?: StoredFault): void {
    this.status = status;
    this.reason = reason;
    this.fault = fault;
    this.dispatchEvent(new Event("state"));
  }
}

/**
 * Pause on a phone while its page is hidden: the device sleeps soon, and draws would wait for it in
 * vain. The seat signs its own absence, as the protocol demands. Call the result to stop watching.
 */
function pauseWhileHidden(contributor: Contributor): () => void {
  if (!matchMedia("(pointer: coarse)").matches) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => contributor.pause();
  const changed = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(pause, HIDDEN_MS);
    else contributor.resume();
  };
  document.addEventListener("visibilitychange", changed);
  document.addEventListener("freeze", pause);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", changed);
    document.removeEventListener("freeze", pause);
  };
}
