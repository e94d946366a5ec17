/** A seat that contributes to the draws of a session, in Node and in browsers. */

import type { Connection } from "./index.js";

/** Where a seat's secrets are stored. `write` resolves when the record is safe, because a link is sent after that. */
export interface Store {
  read(): Promise<SeatRecord | undefined>;
  write(record: SeatRecord): Promise<void>;
}

/** What a store keeps. A store reads only `rev`, which `write` increases by 1. */
export interface SeatRecord {
  id: string;
  rev: number;
  kept: unknown;
  [name: string]: unknown;
}

export interface TakeOptions {
  /** The server's address, without a path. */
  server: string;
  /** An invitation's code. */
  code: string;
  /** The name to display. */
  name?: string;
  store: Store;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface Seat extends Connection {
  readonly session: string;
  readonly seat: string;
  readonly token: string;
  /** Checks the log and contributes to each draw until the signal. Rejects with Fault if the log does not hold. */
  run(signal: AbortSignal): Promise<void>;
  /** Signs whether the seat takes part in the draws to come. `run` must have begun. */
  setPresence(present: boolean): Promise<void>;
}

export function takeSeat(options: TakeOptions): Promise<Seat>;
export function openSeat(options: { store: Store; fetch?: typeof globalThis.fetch }): Promise<Seat>;

/** The log does not hold. The codes are those of docs/fairness.md. The seat gives nothing to this log any more. */
export class Fault extends Error {
  readonly code: string;
  readonly found: unknown;
  readonly expected: unknown;
}

/** The server refused a request of the seat. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: { code?: string; rule?: string; title?: string; detail?: string };
}

/** The server could not be reached. */
export class Away extends Error {}
