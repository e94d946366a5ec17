/** A client for the API of a Fairlog server. */

import type { Client } from "openapi-fetch";
import type { components, paths } from "./api.js";

export type { components, operations, paths } from "./api.js";

/** An event of a stream. */
export type StreamEvent = components["schemas"]["StreamEvent"];
/** A draw that waits for the seat's contribution. */
export type DrawNotice = components["schemas"]["DrawNotice"];
/** A problem document (RFC 9457), with Fairlog's `code`, `rule` and `facts`. */
export type Problem = Partial<components["schemas"]["ProblemDetails"]> & { title: string };

export interface ConnectOptions {
  /** The server's address, without a path. */
  server: string;
  /** A seat's token. A listed session can be read without one. */
  token?: string | undefined;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch;
}

export interface EventOptions {
  /** The version after which the events begin. Default: only new events. */
  after?: number;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Whether to yield draws that wait for the seat, too. They have a `number` and no `version`. Default: false. */
  draws?: boolean;
}

export interface Connection {
  /** Typed requests: `api.GET("/v1/sessions/{session}", …)`. */
  api: Client<paths>;
  /** Each event of a session, in order and without a gap, over any number of connections. */
  events(session: string, options?: EventOptions & { draws?: false }): AsyncGenerator<StreamEvent, void, void>;
  events(session: string, options: EventOptions): AsyncGenerator<StreamEvent | DrawNotice, void, void>;
}

/** The server refused the request, or ended the stream for good. */
export class ProblemError extends Error {
  readonly problem: Problem;
}

export function connect(options: ConnectOptions): Connection;
