// The check in a thread of its own, without a way to the network. Takes {bytes, key}, key if any; answers with
// {rung, done, of, ms} as it goes, then with {report, ms}, or {wrong}: why nothing could be checked.

import { Unusable, verify } from "../verifier/verify.js";

addEventListener("message", async ({ data: { bytes, key } }) => {
  const began = performance.now();
  const since = () => performance.now() - began;
  const progress = (rung, done, of) => postMessage({ rung, done, of, ms: since() });
  try {
    const report = await verify(new Uint8Array(bytes), { key: key || undefined, progress });
    postMessage({ report, ms: since() });
  } catch (error) {
    postMessage({ wrong: error instanceof Unusable ? error.message : `${error}` });
  }
});
