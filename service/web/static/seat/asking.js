// What a seat asks of the server by itself, where nobody waits: no question hangs, a lost contribution goes again.

import { Away } from "../page/net.js";
import { Fault } from "../verifier/fault.js";

const PATIENCE = 20_000; // ms
const HASTE = 5000; // for a link: a draw does not wait long
const TRIES = [100, 500, 2000]; // ms before a lost contribution is sent again: the same gives the same receipt
const LATE = ["draw-is-over", "no-draw-waits", "already-given"];

/** The same, or Away where it takes too long: a connection can hang for minutes when a phone changes its network. */
export async function within(asked, patience = PATIENCE) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Away("no answer")), patience); });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The newest checkpoint, a signed note. Throws Refusal or Away. */
export const checkpoint = (api) => api.get("/checkpoint", { as: "text", headers: { Accept: "text/plain" } });

/** The house's answer to a contribution, undefined where the draw is over. Throws Fault E_FORK where the house has
 * another log than the seat has signed for, Refusal, Away. */
export async function contributed(api, k, body) {
  for (let tried = 0; ; tried += 1) {
    try {
      return await within(api.send(`/draws/${k}/contributions`, body), HASTE);
    } catch (error) {
      const rule = error.problem?.rule;
      if (rule === "another-log")
        throw new Fault("E_FORK", error.message, `${body.seen_root} of ${body.seen_size}, as it signed`);
      if (LATE.includes(rule)) return undefined;
      if (!(error instanceof Away) || tried === TRIES.length) throw error;
    }
    await new Promise((done) => { setTimeout(done, TRIES[tried]); });
  }
}
