/**
 * The table at every version, as the seat saw it then: the patches of the event feed, applied in the
 * browser. Tables of a segment share what did not change, so that many of them cost little more
 * than one.
 */

import { type Schemas, type Session, get } from "../api/client";

type FeedEvent = Schemas["FeedEvent"];
export type Table = Session["table"];
type Json = Record<string, unknown>;

interface Segment {
  events: FeedEvent[];
  /** The table after each event. The first one is the table before the segment. */
  tables: Json[];
}

const SIZE = 1000;
/** How long patches are applied at once, so that the page stays responsive. */
const SLICE_MS = 4;

export class Feed {
  private readonly segments = new Map<number, Segment>();
  private readonly loading = new Map<number, Promise<void>>();

  /** `viewed` returns an address of the session, as the reader sees it. */
  constructor(private readonly viewed: (rest: string) => string) {}

  /** Return the table at a version if it is here already. */
  now(version: number): Table | undefined {
    if (version <= 0) return {} as Table;
    const found = this.segments.get(segmentOf(version))?.tables[nth(version)];
    return found as Table | undefined;
  }

  /** Return the event of a version if it is here already. */
  event(version: number): FeedEvent | undefined {
    return this.segments.get(segmentOf(version))?.events[nth(version) - 1];
  }

  /** Read the segment of a version, unless the version is here already. */
  async load(version: number): Promise<void> {
    const number = segmentOf(version);
    for (let left = 2; left && !this.now(version); left--) {
      let running = this.loading.get(number);
      if (!running) {
        running = this.read(number).finally(() => this.loading.delete(number));
        this.loading.set(number, running);
      }
      await running;
    }
  }

  private async read(number: number): Promise<void> {
    const after = number * SIZE;
    const known = this.segments.get(number);
    const [base, { events }] = await Promise.all([
      known ? known.tables[0]! : this.base(after),
      get<Schemas["Segment"]>(this.viewed(`/feed/${number}`)),
    ]);
    const tables = known?.tables.slice() ?? [base];
    let began = performance.now();
    for (const { patch } of events.slice(tables.length - 1)) {
      const last = tables[tables.length - 1]!;
      tables.push(patch ? (merge(last, patch) as Json) : last);
      if (performance.now() - began > SLICE_MS) {
        await pause();
        began = performance.now();
      }
    }
    this.segments.set(number, { events, tables });
  }

  private async base(version: number): Promise<Json> {
    if (!version) return {};
    const known = this.now(version) ?? (await get<Session>(this.viewed(`?version=${version}`))).table;
    return known as unknown as Json;
  }
}

/** Let the browser draw and handle input. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function segmentOf(version: number): number {
  return Math.floor((version - 1) / SIZE);
}

function nth(version: number): number {
  return version - segmentOf(version) * SIZE;
}

/** Apply a merge patch (RFC 7396). The result shares what stayed. */
function merge(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  // A map, because a field may have the name __proto__.
  const merged = new Map(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
