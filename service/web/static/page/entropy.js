// The random bytes that a command brings for its draw, so that the server cannot choose the values (docs/fairness.md,
// Entropy). They stay the same until a command with them is accepted, also after a refusal or a reload of the page.
// Otherwise, the server could refuse commands until it likes the values.

import { Refusal, newKey, randomHex } from "./net.js";

const LENGTH = 32; // bytes
const DECLARED = "session.Declared";
const ABSENT = [404, 409, 422]; // what the server answers if it has no such event

/** The server has refused random bytes, and no event explains it. */
export class Unexplained extends Error {}

export class Entropy {
  #next = 0; // the number of the next draw, as far as the answers say
  #kept; // {entropy, k} that no accepted command has brought yet

  constructor({ data, ask }) {
    Object.assign(this, { data, ask });
    this.name = `fairlog-entropy ${data.path}`;
    this.#kept = this.#load();
  }

  /** The body of a request, with random bytes if it can draw and the log takes them. Throws Refusal, Away. */
  async add(path, body) {
    if (path !== "/commands" || body.faces !== undefined) return body;
    const { data } = this;
    if (data.log_format === undefined) {
      const { log_format, next_draw } = await this.ask("");
      Object.assign(data, { log_format, next_draw });
    }
    return data.log_format < 2 ? body : { ...body, ...this.#bytes(Math.max(data.next_draw, this.#next)) };
  }

  /** The wish for the next draw, with new random bytes, after another command has taken this one. `facts` are those of
   * the refusal. Throws Unexplained if the log has no such command, Refusal, Away. */
  async again(wish, { next, taken_by: version }) {
    const { body } = wish;
    const found = await this.#event(version);
    if (found?.version !== version || drawOf(found)?.k !== body.k)
      throw new Unexplained(`The server received random bytes for draw ${body.k} from this page and refused them. ` +
        "The log shows no command that took this draw, so the server may have refused values that it did not like. " +
        "Tell the others.");
    return { ...wish, body: { ...body, ...this.#bytes(next) }, key: newKey() };
  }

  /** Reads the events of a command that was accepted. What is wrong with their random bytes, in words; undefined if
   * nothing is. */
  read(events, { entropy, k }) {
    if (this.#kept?.entropy === entropy) this.#keep(undefined);
    const draw = events.map(drawOf).find(Boolean);
    if (draw === undefined) return undefined;
    this.#next = Math.max(this.#next, draw.k + 1);
    if (draw.entropy === entropy && (entropy === undefined || draw.k === k)) return undefined;
    return `The log does not have the random bytes that this page sent for draw ${k ?? draw.k}. So the server could ` +
      "choose the values. Tell the others.";
  }

  #bytes(k) {
    if (this.#kept?.k !== k) this.#keep({ entropy: randomHex(LENGTH), k });
    return this.#kept;
  }

  #load() {
    try {
      return JSON.parse(sessionStorage.getItem(this.name)) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #keep(bytes) {
    this.#kept = bytes;
    try {
      if (bytes) sessionStorage.setItem(this.name, JSON.stringify(bytes));
      else sessionStorage.removeItem(this.name);
    } catch {
      // This browser stores nothing: the page alone keeps them.
    }
  }

  async #event(version) {
    try {
      return (await this.ask(`/events?after=${version - 1}&limit=1`)).events[0];
    } catch (error) {
      if (error instanceof Refusal && ABSENT.includes(error.status)) return undefined;
      throw error;
    }
  }
}

const drawOf = ({ kind, body }) => (kind === DECLARED ? body?.draw : undefined);
