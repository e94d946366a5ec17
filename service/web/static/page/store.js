// What the page keeps of a session: every event as it was seen at its version, and the table after it.
//
//   const store = new Store("/v1/sessions/7c...", head, get);
//   const { table, event } = await store.at(1234);  // fetches the segment of 1234 where it is not here yet
//   store.now(1234);                                // the same at once, or undefined: what a dragged slider asks
//
// Tables of a segment share all that did not change, so a thousand of them cost little more than one.

export const SIZE = 1000;
const KEPT = 64;

export class Store {
  /** `path`: the session's address; `head`: its newest version; `get`: an address in, a promise of JSON out. */
  constructor(path, head, get) {
    this.path = path;
    this.head = head;
    this.get = get;
    this.segments = new Map(); // by number: {events, tables}, tables[i] after events[i - 1], tables[0] before them
    this.coming = new Map(); // by number: the promise of it
    this.kept = new Map(); // by version: what came by another way, such as the newest
  }

  /** Takes {version, table, event?} that came by another way than the feed: the newest few are kept. */
  keep(moment) {
    this.kept.delete(moment.version);
    this.kept.set(moment.version, moment);
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
  }

  /** {version, table, event} of a version: 0 is the empty table, without an event. Rejects with what `get` throws,
   * or a RangeError where the session has not come so far. */
  async at(version) {
    const here = this.now(version);
    if (version === 0 || here?.event !== undefined) return here;
    await this.segment(segmentOf(version), version);
    return this.now(version);
  }

  /** The same where it is here already, else undefined; of a segment's last version perhaps the table alone. */
  now(version) {
    if (version === 0) return { version, table: {}, event: undefined };
    const number = segmentOf(version);
    const nth = version - number * SIZE;
    const segment = this.segments.get(number);
    if (segment?.events.length >= nth) return { version, table: segment.tables[nth], event: segment.events[nth - 1] };
    const next = nth === SIZE ? this.segments.get(number + 1) : undefined;
    return this.kept.get(version) ?? (next && { version, table: next.tables[0], event: undefined });
  }

  /** The events of versions `first` to `last`, in order. */
  async events(first, last) {
    const found = [];
    for (let number = segmentOf(first); number <= segmentOf(last); number += 1) {
      const upto = Math.min(last, (number + 1) * SIZE);
      const { events } = await this.segment(number, upto);
      found.push(...events.filter(({ version }) => version >= first && version <= last));
    }
    return found;
  }

  /** The session has come this far. */
  grow(head) {
    this.head = Math.max(this.head, head);
  }

  /** A segment that holds at least the events up to a version, asked for once however many ask at the same time. */
  async segment(number, upto) {
    const reaches = (segment) => segment !== undefined && number * SIZE + segment.events.length >= upto;
    if (reaches(this.segments.get(number))) return this.segments.get(number);
    if (this.coming.has(number)) {
      await this.coming.get(number); // it may have been asked for before the version was there
      if (reaches(this.segments.get(number))) return this.segments.get(number);
    }
    if (!this.coming.has(number)) this.coming.set(number, this.load(number).finally(() => this.coming.delete(number)));
    const segment = await this.coming.get(number);
    if (!reaches(segment)) throw new RangeError(`version ${upto} is not there yet`);
    return segment;
  }

  async load(number) {
    const after = number * SIZE;
    const [base, { events }] = await Promise.all([this.base(after), this.get(`${this.path}/feed/${number}`)]);
    const kept = this.segments.get(number);
    if (kept !== undefined && kept.events.length >= events.length) return kept;
    const tables = kept?.tables.slice() ?? [base]; // what is fed for a version never changes
    for (const { patch } of events.slice(tables.length - 1)) {
      tables.push(patch === undefined ? tables.at(-1) : merge(tables.at(-1), patch));
    }
    const segment = { events, tables };
    this.segments.set(number, segment);
    if (events.length > 0) this.grow(events.at(-1).version);
    return segment;
  }

  /** The table that a segment begins with, as it was seen then: what was sealed at that version, `at` leaves sealed. */
  async base(version) {
    return (this.now(version) ?? (await this.get(`${this.path}?version=${version}`))).table;
  }
}

/** The number of the segment that holds a version from 1 on. */
export const segmentOf = (version) => Math.floor((version - 1) / SIZE);

/** A document with a merge patch (RFC 7396); it shares what stayed. By a Map: a field may be __proto__. */
export function merge(document, patch) {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
