// A client for the API of a Fairlog server, in browsers and in Node.

import createClient from "openapi-fetch";

const RECONNECT_MS = 1000;
const LAST_ENDS = ["token-revoked"]; // after these, a new connection would end in the same way

/** The server refused the request. `problem` is the problem document (RFC 9457). */
export class ProblemError extends Error {
  name = "ProblemError";

  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

export function connect({ server, token, fetch = globalThis.fetch }) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const api = createClient({ baseUrl: server, headers, fetch });
  return {
    api,
    events: (session, options) => events({ server, headers, fetch, session, ...options }),
  };
}

/** Yields each event after version `after`, without a gap: it connects again where it was cut off. */
async function* events({ server, headers, fetch, session, after, signal, draws = false }) {
  let last = after;
  while (!signal?.aborted) {
    try {
      for await (const message of connection({ server, headers, fetch, session, after: last, signal })) {
        if (message.after !== undefined) last = message.after;
        else if (message.end !== undefined) {
          if (LAST_ENDS.includes(message.end.code)) throw new ProblemError({ title: message.end.code });
        } else if (message.draw !== undefined) {
          if (draws) yield message.draw;
        } else if (message.version !== undefined) {
          last = message.version;
          yield message;
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof ProblemError) throw error;
    }
    await pause(RECONNECT_MS, signal);
  }
}

async function* connection({ server, headers, fetch, session, after, signal }) {
  const query = after === undefined ? "" : `?after=${after}`;
  const response = await fetch(`${server}/v1/sessions/${session}/stream${query}`, {
    headers: { ...headers, Accept: "application/x-ndjson" },
    signal,
  });
  if (!response.ok) {
    const problem = await response.json();
    // A server that restarts or has too many streams answers again later.
    if (response.status >= 500 || response.status === 429) throw new Error(problem.title);
    throw new ProblemError(problem);
  }
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
}

const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
