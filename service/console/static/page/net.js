// The API as the page asks it. The seat's token goes along in a cookie, which no script can read.

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

/** GETs JSON. Throws Refusal or Away. */
export const get = (address) => ask(address, { cache: "default" });

/** Sends JSON and reads JSON, {body, status, version}: with the key a repeat of the same wish gives the same answer;
 * with `version` it is refused (412) where the session has moved on since. Throws Refusal or Away. */
export async function send(address, body, { key = newKey(), version, method = "POST" } = {}) {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetched(address, { method, headers, body: content });
  const answer = response.status === 204 ? undefined : await json(response);
  return { body: answer, status: response.status, version: versionOf(response) };
}

/** 128 random bits in hex: WebCrypto's randomUUID is missing on plain http. */
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join("");

const hex = (byte) => byte.toString(16).padStart(2, "0");

async function ask(address, options) {
  return json(await fetched(address, options));
}

async function fetched(address, options) {
  let response;
  try {
    response = await fetch(address, { credentials: "same-origin", ...options });
  } catch (error) {
    throw new Away(error.message);
  }
  if (!response.ok) throw new Refusal(response.status, await problemOf(response));
  return response;
}

async function json(response) {
  try {
    return await response.json();
  } catch (error) {
    throw new Away(error.message);
  }
}

async function problemOf(response) {
  try {
    return await response.json();
  } catch {
    return { title: response.statusText };
  }
}

function versionOf(response) {
  const tag = /^"(\d+)"$/.exec(response.headers.get("ETag") ?? "");
  return tag ? Number(tag[1]) : undefined;
}
