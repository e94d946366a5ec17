// The server as the page asks it. The seat's token goes along in a cookie, which no script can read.

/** An answer that is no success: `status`, and `problem` as the API describes it (code, title, detail, rule, facts). */
export class Refusal extends Error {
  name = "Refusal";

  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The server could not be reached, or did not answer as it should. */
export class Away extends Error {
  name = "Away";
}

/** GETs JSON, or `as` "text", "arrayBuffer". Throws Refusal or Away. */
export const get = (address, { as = "json", ...options } = {}) => asked(address, options, as);

/** Sends JSON and reads JSON: with the key a repeat of the same wish gives the same answer; with `version` it is
 * refused (412) where the session has moved on since. Throws Refusal or Away. */
export function send(address, body, { key = newKey(), version } = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  return asked(address, { method: "POST", headers, body: JSON.stringify(body) }, "json");
}

/** The session at an address of the API, as a seat asks it: `get(rest)` and `send(rest, body)` as above, and
 * `follow(version, wake)`, which calls `wake` when there may be something new behind `version()`, until `close()`. */
export const sessionAt = (path) => ({
  get: (rest, options) => get(path + rest, options),
  send: (rest, body) => send(path + rest, body),
  follow: (version, wake) => followed(`${path}/stream`, version, wake),
});

const RECONNECT = 1000; // ms

/** It stays open where nobody looks at the tab. */
function followed(address, version, wake) {
  let source;
  let over = false;
  const open = () => {
    source = new EventSource(`${address}?after=${version()}`);
    for (const name of ["message", "draw"]) source.addEventListener(name, wake);
    source.addEventListener("end", again);
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) again(); });
  };
  const again = () => {
    source.close();
    setTimeout(() => { if (!over) open(); }, RECONNECT);
  };
  open();
  return { close: () => { over = true; source.close(); } };
}

/** 128 random bits in hex: WebCrypto's randomUUID is missing on plain http. */
export const newKey = () => randomHex(16);

/** So many random bytes in hex. */
export const randomHex = (length) => Array.from(crypto.getRandomValues(new Uint8Array(length)), hex).join("");

const hex = (byte) => byte.toString(16).padStart(2, "0");

async function asked(address, options, as) {
  const response = await orAway(fetch(address, options));
  if (response.ok) return orAway(response[as]());
  throw new Refusal(response.status, await response.json().catch(() => ({ title: response.statusText })));
}

const orAway = (promise) => promise.catch((error) => { throw new Away(error.message); });
