/** Checks of .roll and .fairlog files in a worker, so that the page stays responsive. */

import type { RollReport } from "../verifier/roll.ts";
import type { Level, Report } from "../verifier/verify.ts";

/** What a check of a file found, and how long it took. */
export type Checked =
  | { kind: "roll"; report: RollReport; ms: number }
  | { kind: "log"; report: Report; ms: number }
  /** The bytes are neither a roll nor a log, or cannot be used. */
  | { kind: "none" };

export interface Progress {
  level: Level;
  done: number;
  total: number;
}

/** Check a file: its kind is found by its first bytes. `onProgress` is called while a log is checked. */
export function checkFile(bytes: ArrayBuffer, onProgress: (progress: Progress) => void = () => {}): Promise<Checked> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  return new Promise<Checked>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Progress | Checked>) => {
      if ("level" in data) onProgress(data);
      else resolve(data);
    };
    worker.onerror = (event) => {
      // Without a message, the worker's part of the page was not found.
      if (!event.message) dispatchEvent(new Event("vite:preloadError"));
      reject(event.message ? new Error(event.message) : new TypeError());
    };
    worker.postMessage(bytes);
  }).finally(() => worker.terminate());
}
