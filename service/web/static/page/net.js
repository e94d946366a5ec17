// The server as the page asks it. The seat's token goes along in a cookie, which no script can read.

/** An answer that is no success: `status`, and `problem` as the API describes it (code, title, detail, rule, facts). */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

/** The server could not be reached, or did not answer as it should. */
export class Away extends Error {}

/** GETs JSON, or `as` "text", "arrayBuffer". Throws Refusal or Away. */
export const get = (address, { as = "json", ...options } = {}) => asked(address, options, as);

/** Sends JSON and reads JSON: with the key a repeat of the same wish gives the same answer; with `version` it is
 * refused (412) where the session has moved on since. Throws Refusal or Away. */
export function send(address, body, { key = newKey(), version } = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  return asked(address, { method: "POST", headers, body: JSON.stringify(body) }, "json");
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
