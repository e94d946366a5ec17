/** Requests that get no answer although no error ends them, as when a network is cut or a laptop slept. */

let open = new AbortController();

/** Ask the server. `abandon` ends the request as if the server could not be reached. */
export function ask(path: string, request: RequestInit): Promise<Response> {
  return fetch(path, { ...request, signal: open.signal });
}

/** End all requests that are open. Their senders send them again. */
export function abandon(): void {
  open.abort(new TypeError("no answer"));
  open = new AbortController();
}
