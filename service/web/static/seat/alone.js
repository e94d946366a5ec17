// One tab of a browser at a time: by Web Locks, or by a lease where there are none (plain http).

import { newKey } from "../page/net.js";
import { lease, release } from "./drawer.js";

const LEASE = 3000; // ms; a tab that is gone is replaced after so long
const LOOK = 1000; // ms between two looks at it

/** Runs `act(signal)` as soon as no other tab does under this name; `waits` is called where one does. The signal is
 * aborted where the lease was lost, as that of a tab which slept. What `act` throws comes through. */
export const alone = (name, act, waits) => (navigator.locks ? locked : leased)(name, act, waits);

async function locked(name, act, waits) {
  const run = () => act(new AbortController().signal);
  const { done, result } = await navigator.locks.request(name, { ifAvailable: true }, async (lock) =>
    lock ? { done: true, result: await run() } : { done: false });
  if (done) return result;
  waits();
  return navigator.locks.request(name, run);
}

async function leased(name, act, waits) {
  const holder = newKey();
  while (!(await lease(name, holder, LEASE))) {
    waits();
    await new Promise((done) => { setTimeout(done, LOOK); });
  }
  const ending = new AbortController();
  const timer = setInterval(async () => {
    if (!(await lease(name, holder, LEASE).catch(() => false))) ending.abort();
  }, LOOK);
  const leave = () => release(name, holder).catch(() => {});
  addEventListener("pagehide", leave);
  try {
    return await act(ending.signal);
  } finally {
    clearInterval(timer);
    removeEventListener("pagehide", leave);
    await leave();
  }
}
