// What the log says of every version: from the events that came with their words, else from the feed.

import { lineage, within } from "./lineage.js";
import { segmentOf } from "./store.js";
import { fill } from "./words.js";

const STAYS = /^session\.(?!(?:Declared|Drawn)$)/; // no rewind undoes what belongs to the frame

export class Lines {
  constructor(store, { events, names, rewinds }) {
    this.store = store;
    this.names = names;
    this.rewinds = rewinds;
    this.known = new Map(); // events as the API gives them, told and with their bodies
    this.opened = new Map(); // {kind, text} of what was sealed at its version and has come to light since
    events.forEach((event) => this.keep(event));
  }

  /** Takes an event of the API. */
  keep(event) {
    this.known.set(event.version, event);
    if (event.highlight !== "rewind" || event.version <= (this.rewinds.at(-1)?.[0] ?? 0)) return;
    this.rewinds = [...this.rewinds, [event.version, event.body.to]];
  }

  /** Takes what a segment brings to light. */
  learn(events) {
    for (const { opens = [] } of events) for (const each of opens) this.opened.set(each.version, each);
  }

  /** {version, turn, at, seat, kind, text, mark, sealed, undone} of a version, undefined where it is not here yet. */
  now(version) {
    const event = this.known.get(version) ?? this.#fed(version);
    return event && { ...event, undone: this.#isUndone(event) };
  }

  /** The same, fetched where it is not here yet. */
  async at(version) {
    if (this.now(version) === undefined) await this.store.segment(segmentOf(version), version);
    return this.now(version);
  }

  /** The events of the last `most` versions up to one with their bodies, or undefined where one is not here. */
  around(version, most) {
    const found = [];
    for (let each = Math.max(1, version - most + 1); each <= version; each += 1) found.push(this.known.get(each));
    return found.every((each) => each !== undefined) ? found : undefined;
  }

  #fed(version) {
    const fed = this.store.now(version)?.event;
    const said = fed?.sealed ? this.opened.get(version) : fed;
    return said ? { ...fed, kind: said.kind, text: fill(said.text, this.names), sealed: false } : fed;
  }

  #isUndone({ version, sealed, kind }) {
    return !sealed && !STAYS.test(kind) && !within(this.#led(), version);
  }

  #led() {
    if (this.led?.head !== this.store.head || this.led.rewinds !== this.rewinds) {
      const { head } = this.store;
      this.led = { head, rewinds: this.rewinds, spans: lineage(this.rewinds, head) };
    }
    return this.led.spans;
  }
}
