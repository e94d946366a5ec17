/**
 * The random bytes that a command brings for its draw, so that the server cannot choose the values
 * (docs/fairness.md, Entropy).
 *
 * They follow from a key of this browser and the number of the draw, so that they are the same
 * whatever the server answers. Otherwise, the server could refuse commands until it likes the values.
 */

import { newKey, randomHex } from "./requests.ts";
import { hex, u64, unhex, utf8 } from "../verifier/bytes.ts";
import { H } from "../verifier/chain.ts";

const KEY = /^[0-9a-f]{64}$/;
const DECLARED = "session.Declared";
/** The statuses with which the server answers if it has no such event. */
const ABSENT = [404, 409, 422];

/** The server has received random bytes and has not used them, and no event explains it. */
export class UnexplainedError extends Error {}

/** A session and the seat that sends commands in it. */
export interface EntropySession {
  path: string;
  seat: string;
  log_format?: number;
  next_draw?: number;
}

export interface CommandRequest {
  path: string;
  body: CommandBody;
  key: string;
}

export interface CommandBody {
  [field: string]: unknown;
  entropy?: string;
  draw?: number;
}

interface LogDraw {
  k: number;
  entropy?: string;
}

interface DrawLogEvent {
  version?: number;
  kind?: string;
  body?: { draw?: LogDraw };
}

/** What this browser stores: a key, and the draws of commands that no answer has shown yet. */
interface StoredEntropy {
  key: string;
  sent: number[];
}

export class Entropy {
  private readonly session: EntropySession;
  private readonly ask: (rest: string) => Promise<unknown>;
  private readonly name: string;
  /** The number of the next draw, as far as the answers say. */
  private next = 0;
  private stored: StoredEntropy = { key: randomHex(32), sent: [] };

  /** `ask` reads below the session's path of the API. Its errors have the status of the answer. */
  constructor(session: EntropySession, ask: (rest: string) => Promise<unknown>) {
    this.session = session;
    this.ask = ask;
    this.name = `fairlog-entropy ${session.path}`;
    // Two tabs that first stored a key with their first commands could have different ones.
    this.save(this.load().sent);
  }

  /**
   * Return the body of a request, with random bytes if it can draw and the log takes them. Throws
   * UnexplainedError, Refusal or Away.
   */
  async add(path: string, body: CommandBody): Promise<CommandBody> {
    if (path !== "/commands" || body["faces"] !== undefined) return body;
    const { session } = this;
    if (session.log_format === undefined) {
      const { log_format, next_draw } = (await this.ask("")) as EntropySession;
      Object.assign(session, { log_format, next_draw });
    }
    if ((session.log_format ?? 1) < 2) return body;
    return { ...body, ...(await this.bytes(Math.max(session.next_draw ?? 0, this.next))) };
  }

  /**
   * Return the request for the next draw, with its random bytes, after another command has used this
   * one. `facts` are those of the refusal. Throws UnexplainedError if the log has no such command,
   * Refusal or Away.
   */
  async again(request: CommandRequest, facts: unknown): Promise<CommandRequest> {
    const { next, taken_by: version } = facts as { next: number; taken_by: number };
    const { body } = request;
    const found = await this.event(version);
    if (!found || found.version !== version || drawOf(found)?.k !== body.draw || !(next > (body.draw ?? 0))) {
      throw new UnexplainedError(
        `The server received random bytes for draw ${body.draw} from this page and refused them. ` +
          "It does not show a command that took this draw, so it may have refused values that it did not like. " +
          "Tell the others.",
      );
    }
    return { ...request, body: { ...body, ...(await this.bytes(next)) }, key: newKey() };
  }

  /** Read the events of a command that was accepted. Returns what is wrong with their random bytes, if anything is. */
  read(events: DrawLogEvent[], body: CommandBody): string | undefined {
    const { entropy, draw: k, audience } = body;
    if (events.some(({ kind }) => kind === DECLARED)) this.forget(k);
    else if (k !== undefined && audience !== "blind") {
      // A blind command without a draw is sealed for its own seat.
      return (
        `The server accepted a command with random bytes for draw ${k}, but its answer does not show the ` +
        "command. So it may have chosen the values. Tell the others."
      );
    }
    const draw = events.map(drawOf).find((each) => each !== undefined);
    if (draw === undefined) return undefined;
    this.next = Math.max(this.next, draw.k + 1);
    if (draw.entropy === entropy && (entropy === undefined || draw.k === k)) return undefined;
    return (
      `The log does not have the random bytes that this page sent for draw ${k ?? draw.k}. So the server could ` +
      "choose the values. Tell the others."
    );
  }

  private async bytes(k: number): Promise<{ entropy: string; draw: number }> {
    for (const earlier of this.load().sent.filter((each) => each < k)) await this.compare(earlier);
    const sent = new Set(this.load().sent).add(k);
    const bytes = { entropy: this.derive(k), draw: k };
    this.save([...sent]);
    return bytes;
  }

  private derive(k: number): string {
    return hex(H("entropy", unhex(this.stored.key), utf8(`${this.session.path} ${this.session.seat}`), u64(k)));
  }

  /** Compare a draw whose command had no answer, once: the server can have recorded it with other bytes. */
  private async compare(k: number): Promise<void> {
    const { seat, events } = (await this.ask(`/draws/${k}`)) as { seat: string; events: DrawLogEvent[] };
    this.forget(k);
    const found = events.map(drawOf).find((each) => each !== undefined);
    if (seat === this.session.seat && found?.entropy !== this.derive(k)) {
      throw new UnexplainedError(
        `The log has a command of your seat for draw ${k}, without the random bytes that this ` +
          "page sent for it. So the server could choose the values, unless you sent it from another device. If you did " +
          "not, tell the others. Nothing was sent: try again to send it.",
      );
    }
  }

  private forget(k: number | undefined): void {
    this.save(this.load().sent.filter((each) => each !== k));
  }

  private load(): StoredEntropy {
    try {
      const { key, sent } = JSON.parse(localStorage.getItem(this.name) ?? "") as StoredEntropy;
      if (KEY.test(key) && Array.isArray(sent)) this.stored = { key, sent };
    } catch {
      // This browser has stored nothing that can be used: the page has a key of its own.
    }
    return this.stored;
  }

  private save(sent: number[]): void {
    this.stored = { ...this.stored, sent };
    try {
      localStorage.setItem(this.name, JSON.stringify(this.stored));
    } catch {
      // This browser stores nothing: the page alone has them.
    }
  }

  private async event(version: number): Promise<DrawLogEvent | undefined> {
    try {
      const page = (await this.ask(`/events?after=${version - 1}&limit=1`)) as { events: DrawLogEvent[] };
      return page.events[0];
    } catch (error) {
      if (ABSENT.includes((error as { status?: number }).status ?? 0)) return undefined;
      throw error;
    }
  }
}

const drawOf = ({ kind, body }: DrawLogEvent): LogDraw | undefined => (kind === DECLARED ? body?.draw : undefined);
