/** Requests of a seat to the HTTP API. In a browser, the seat's token is in a cookie that no script can read. */

/** The description of a refusal (RFC 9457). */
export interface Problem {
  title: string;
  code?: string;
  detail?: string;
  rule?: string;
  facts?: unknown;
}

/** The server refused a request. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The server could not be reached, or sent no usable response. */
export class Away extends Error {
  override name = "Away";
}

export interface RequestOptions {
  as?: "json" | "text" | "arrayBuffer";
  headers?: Record<string, string>;
}

/** A session of the API, as its seat uses it. */
export interface SessionApi {
  get(rest: string, options?: RequestOptions): Promise<unknown>;
  send(rest: string, body: unknown): Promise<unknown>;
  /** Call `wake` when there may be events after `version()`, until `close()` is called. */
  follow(version: () => number, wake: () => void): { close(): void };
}

const RECONNECT_MS = 1000;

/** Read from the API. Throws Refusal or Away. */
export async function get<T = unknown>(address: string, { as = "json", headers }: RequestOptions = {}): Promise<T> {
  return answer<T>(address, headers ? { headers } : {}, as);
}

/**
 * Send to the API. A repeat with the same key gets the same response. Throws Refusal or Away.
 */
export async function send<T = unknown>(address: string, body: unknown, key = newKey()): Promise<T> {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  return answer<T>(address, { method: "POST", headers, body: JSON.stringify(body) }, "json");
}

/** Return the session at this path of the API, with the event stream of the browser. */
export function sessionApi(path: string): SessionApi {
  return {
    get: (rest, options) => get(path + rest, options),
    send: (rest, body) => send(path + rest, body),
    follow: (version, wake) => followStream(`${path}/stream`, version, wake),
  };
}

/** Follow the stream also while the page is hidden. */
function followStream(address: string, version: () => number, wake: () => void): { close(): void } {
  let source: EventSource;
  let isOver = false;
  const open = () => {
    source = new EventSource(`${address}?after=${version()}`);
    for (const name of ["message", "draw"]) source.addEventListener(name, wake);
    source.addEventListener("end", again);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) again();
    });
  };
  const again = () => {
    source.close();
    setTimeout(() => {
      if (!isOver) open();
    }, RECONNECT_MS);
  };
  open();
  return {
    close: () => {
      isOver = true;
      source.close();
    },
  };
}

/** Return 128 random bits in hex. `crypto.randomUUID` is missing on plain http. */
export const newKey = (): string => randomHex(16);

export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function answer<T>(address: string, options: RequestInit, as: "json" | "text" | "arrayBuffer"): Promise<T> {
  const response = await orAway(fetch(address, options));
  if (response.ok) return (await orAway(response[as]())) as T;
  const problem = (await response.json().catch(() => ({ title: response.statusText }))) as Problem;
  throw new Refusal(response.status, problem);
}

function orAway<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw new Away(error instanceof Error ? error.message : String(error));
  });
}
