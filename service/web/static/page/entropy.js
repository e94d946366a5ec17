// The random bytes that a command brings for its draw, so that the server cannot choose the values (docs/fairness.md,
// Entropy). They follow from a key of this browser and the number of the draw, so that they are the same whatever the
// server answers. Otherwise, the server could refuse commands until it likes the values.

import { hex, u64, unhex, utf8 } from "../verifier/bytes.js";
import { H } from "../verifier/chain.js";
import { Refusal, newKey, randomHex } from "./net.js";

const KEY = /^[0-9a-f]{64}$/;
const DECLARED = "session.Declared";
const ABSENT = [404, 409, 422]; // what the server answers if it has no such event

/** The server has taken random bytes and has not used them, and no event explains it. */
export class Unexplained extends Error {}

export class Entropy {
  #next = 0; // the number of the next draw, as far as the answers say
  #kept = { key: randomHex(32), sent: [] }; // `sent`: the draws of commands that no answer has shown yet

  constructor({ data, ask }) {
    Object.assign(this, { data, ask });
    this.name = `fairlog-entropy ${data.path}`;
  }

  /** The body of a request, with random bytes if it can draw and the log takes them. Throws Unexplained, Refusal,
   * Away. */
  async add(path, body) {
    if (path !== "/commands" || body.faces !== undefined) return body;
    const { data } = this;
    if (data.log_format === undefined) {
      const { log_format, next_draw } = await this.ask("");
      Object.assign(data, { log_format, next_draw });
    }
    return data.log_format < 2 ? body : { ...body, ...await this.#bytes(Math.max(data.next_draw, this.#next)) };
  }

  /** The wish for the next draw, with its random bytes, after another command has taken this one. `facts` are those of
   * the refusal. Throws Unexplained if the log has no such command, Refusal, Away. */
  async again(wish, { next, taken_by: version }) {
    const { body } = wish;
    const found = await this.#event(version);
    if (found?.version !== version || drawOf(found)?.k !== body.draw || !(next > body.draw))
      throw new Unexplained(`The server received random bytes for draw ${body.draw} from this page and refused them. ` +
        "It does not show a command that took this draw, so it may have refused values that it did not like. " +
        "Tell the others.");
    return { ...wish, body: { ...body, ...await this.#bytes(next) }, key: newKey() };
  }

  /** Reads the events of a command that was accepted. What is wrong with their random bytes, in words; undefined if
   * nothing is. */
  read(events, { entropy, draw: k, audience }) {
    if (events.some(({ kind }) => kind === DECLARED)) this.#forget(k);
    else if (k !== undefined && audience !== "blind") // A blind command without a draw is sealed for its own seat.
      return `The server accepted a command with random bytes for draw ${k}, but its answer does not show the ` +
        "command. So it may have chosen the values. Tell the others.";
    const draw = events.map(drawOf).find(Boolean);
    if (draw === undefined) return undefined;
    this.#next = Math.max(this.#next, draw.k + 1);
    if (draw.entropy === entropy && (entropy === undefined || draw.k === k)) return undefined;
    return `The log does not have the random bytes that this page sent for draw ${k ?? draw.k}. So the server could ` +
      "choose the values. Tell the others.";
  }

  async #bytes(k) {
    for (const earlier of this.#load().sent.filter((each) => each < k)) await this.#compare(earlier);
    const sent = new Set(this.#load().sent).add(k);
    const bytes = { entropy: this.#derive(k), draw: k };
    this.#save([...sent]);
    return bytes;
  }

  #derive(k) {
    return hex(H("entropy", unhex(this.#kept.key), utf8(`${this.data.path} ${this.data.seat}`), u64(k)));
  }

  /** Compares a draw whose command had no answer, once: the server can have recorded it with other bytes. */
  async #compare(k) {
    const { seat, events } = await this.ask(`/draws/${k}`);
    this.#forget(k);
    if (seat === this.data.seat && events.map(drawOf).find(Boolean)?.entropy !== this.#derive(k))
      throw new Unexplained(`The log has a command of your seat for draw ${k}, without the random bytes that this ` +
        "page sent for it. So the server could choose the values, unless you sent it from another device. If you did " +
        "not, tell the others. This form was not sent: press again to send it.");
  }

  #forget(k) {
    this.#save(this.#load().sent.filter((each) => each !== k));
  }

  #load() {
    try {
      const { key, sent } = JSON.parse(localStorage.getItem(this.name));
      if (KEY.test(key) && Array.isArray(sent)) this.#kept = { key, sent };
    } catch {
      // This browser has stored nothing that can be used: the page has a key of its own.
    }
    return this.#kept;
  }

  #save(sent) {
    this.#kept = { ...this.#kept, sent };
    try {
      localStorage.setItem(this.name, JSON.stringify(this.#kept));
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
