/** What a seat requests by itself: no request hangs, and a lost contribution is sent again. */

import { type SessionApi, Away, Refusal } from "./requests.ts";
import { Fault } from "../verifier/fault.ts";

const TIMEOUT_MS = 20_000;
/** A draw does not wait long for a contribution. */
const CONTRIBUTION_TIMEOUT_MS = 5000;
/** The pauses before a lost contribution is sent again. The same contribution gets the same receipt. */
const RETRY_MS = [100, 500, 2000];
const TOO_LATE = ["draw-is-over", "no-draw-waits", "already-given"];

/** Throw Away if the request takes too long. A connection can hang for minutes when a phone changes its network. */
export async function withTimeout<T>(request: Promise<T>, milliseconds = TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Away("no answer")), milliseconds);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Return the newest checkpoint, a signed note. Throws Refusal or Away. */
export async function readCheckpoint(api: SessionApi): Promise<string> {
  return (await api.get("/checkpoint", { as: "text", headers: { Accept: "text/plain" } })) as string;
}

/**
 * Send a contribution. Returns the response, or undefined if the draw is over. Throws Fault E_FORK
 * if the server has another log than the one the seat has signed, Refusal or Away.
 */
export async function sendContribution(
  api: SessionApi,
  k: number,
  body: Record<string, unknown>,
): Promise<{ receipt: string } | undefined> {
  for (let tries = 0; ; tries += 1) {
    try {
      const sent = api.send(`/draws/${k}/contributions`, body) as Promise<{ receipt: string }>;
      return await withTimeout(sent, CONTRIBUTION_TIMEOUT_MS);
    } catch (error) {
      const rule = error instanceof Refusal ? (error.problem.rule ?? "") : "";
      if (error instanceof Refusal && rule === "another-log") {
        throw new Fault("E_FORK", error.message, `${body["seen_root"]} of ${body["seen_size"]}, as it signed`);
      }
      if (TOO_LATE.includes(rule)) return undefined;
      if (!(error instanceof Away) || tries === RETRY_MS.length) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS[tries]));
  }
}
