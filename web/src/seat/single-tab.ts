/** Runs a task in one tab of the browser at a time: with Web Locks, or with a lease if the page has none (plain http). */

import { acquireLease, releaseLease } from "./database.ts";
import { newKey } from "./requests.ts";

/** The milliseconds after which another tab takes over from a tab that is gone. */
const LEASE_MS = 3000;
const RENEW_MS = 1000;

type Task = (signal: AbortSignal) => Promise<void>;

/**
 * Run `task(signal)` as soon as no other tab runs one with this name. `waits` is called if another
 * tab does. The signal is aborted if this tab lost its lease, for example because it slept. Errors of
 * the task are passed on.
 */
export function runInOneTab(name: string, task: Task, waits: () => void): Promise<void> {
  return (navigator.locks ? runWithLock : runWithLease)(name, task, waits);
}

async function runWithLock(name: string, task: Task, waits: () => void): Promise<void> {
  const run = () => task(new AbortController().signal);
  const isDone = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await run();
    return lock !== null;
  });
  if (isDone) return;
  waits();
  await navigator.locks.request(name, run);
}

async function runWithLease(name: string, task: Task, waits: () => void): Promise<void> {
  const holder = newKey();
  while (!(await acquireLease(name, holder, LEASE_MS))) {
    waits();
    await new Promise((resolve) => setTimeout(resolve, RENEW_MS));
  }
  const lost = new AbortController();
  const timer = setInterval(async () => {
    if (!(await acquireLease(name, holder, LEASE_MS).catch(() => false))) lost.abort();
  }, RENEW_MS);
  const leave = () => releaseLease(name, holder).catch(() => undefined);
  addEventListener("pagehide", leave);
  try {
    await task(lost.signal);
  } finally {
    clearInterval(timer);
    removeEventListener("pagehide", leave);
    await leave();
  }
}
