/** A seat that contributes to the draws of a session, in Node and in browsers. */

import type { Connection, Problem, components } from "./index.js";

/** Where a seat's secrets are stored. */
export interface Store {
  read(): Promise<SeatRecord | undefined>;
  /**
   * Stores the record. It must resolve only after the record is durable, because a link of the hash chain is sent then.
   * It rejects if the stored record has another `rev` than this one: another program has written it. Otherwise it
   * increases `rev` by 1, in the store and in `record`.
   */
  write(record: SeatRecord): Promise<void>;
}

/** The secrets of a seat. A store reads and changes only `rev`, which is 0 before the record is stored. */
export interface SeatRecord {
  id: string;
  rev: number;
  [name: string]: unknown;
}

export interface TakeOptions {
  /** The server's address, without a path. */
  server: string;
  /** An invitation's code. */
  code: string;
  /** The name to display. */
  name?: string | undefined;
  store: Store;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface SitOptions {
  /** The server's address, without a path. */
  server: string;
  /** The response of `POST /v1/sessions` or `POST /v1/seats`. */
  ticket: components["schemas"]["Ticket"];
  store: Store;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface Seat extends Connection {
  readonly session: string;
  readonly seat: string;
  readonly token: string;
  /**
   * Checks the log and contributes to each draw, until the signal is aborted. First it sends the beginning of the seat's
   * hash chain: the seat takes part in the draws after that. It tries again while the server cannot be reached.
   *
   * It does not check who sent a command: it also contributes to a roll that another program has sent with the token.
   *
   * @throws Fault if the log is not valid. From then on, the seat contributes to no draw of this log.
   * @throws Refusal if the server refuses a request of the seat, for example because its token was revoked.
   * @throws Error of the store, for example because another program uses the same file.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Signs whether the seat takes part in the next draws. Call it while `run` is running.
   *
   * @throws Refusal if nothing changes.
   * @throws Away if the server cannot be reached.
   */
  setPresence(present: boolean): Promise<void>;
}

/**
 * Takes a seat with an invitation's code, and stores it. Call it with the same code and store after a restart, or if the
 * response was lost: then it opens the same seat.
 *
 * @throws Refusal if the invitation is not valid.
 * @throws Away if the server cannot be reached.
 * @throws Error if the store has a seat that was taken with another code.
 */
export function takeSeat(options: TakeOptions): Promise<Seat>;

/** Sits down on a seat whose ticket you have, such as the GM's after `POST /v1/sessions`, and stores it. */
export function sit(options: SitOptions): Promise<Seat>;

/** Opens the seat that `takeSeat` or `sit` has stored. */
export function openSeat(options: { store: Store; fetch?: typeof globalThis.fetch }): Promise<Seat>;

/** The log is not valid. docs/fairness.md lists the codes. The seat contributes to no draw of this log any more. */
export class Fault extends Error {
  readonly code: string;
  readonly found: unknown;
  readonly expected: unknown;
}

/** The server refused a request of the seat. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: Problem;
}

/** The server could not be reached. */
export class Away extends Error {}
