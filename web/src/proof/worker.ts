/** The thread that checks a file. It takes the file's bytes, and answers with its progress and then the report. */

import { Unusable } from "../verifier/bundle.ts";
import { isRoll, verifyRoll } from "../verifier/roll.ts";
import { verify } from "../verifier/verify.ts";
import type { Checked, Progress } from "./files";

const MANIFEST = '{"edition":';
const GZIP = [0x1f, 0x8b];

addEventListener("message", async ({ data }: MessageEvent<ArrayBuffer>) => {
  const began = performance.now();
  postMessage(await check(new Uint8Array(data), began));
});

async function check(bytes: Uint8Array, began: number): Promise<Checked> {
  try {
    if (isRoll(bytes)) return { kind: "roll", report: await verifyRoll(bytes), ms: performance.now() - began };
    if (!isLog(bytes)) return { kind: "none" };
    const progress = (level: Progress["level"], done: number, total: number): void =>
      postMessage({ level, done, total } satisfies Progress);
    return { kind: "log", report: await verify(bytes, { progress }), ms: performance.now() - began };
  } catch (error) {
    if (error instanceof Unusable) return { kind: "none" };
    throw error;
  }
}

function isLog(bytes: Uint8Array): boolean {
  const isPacked = bytes[0] === GZIP[0] && bytes[1] === GZIP[1];
  return isPacked || new TextDecoder().decode(bytes.subarray(0, MANIFEST.length)) === MANIFEST;
}
