/** The invitation by which the GM brings a seat into the next session. */

import { post } from "../api/client";

const WAIT_MS = 30_000;

/**
 * Return the address of the newest invitation for this browser's seat, if there is one. The stream of
 * what waits for the seat begins with it.
 */
export async function readInvitation(session: string): Promise<string | undefined> {
  const { token } = await post<{ token: string }>(`/s/${session}/token`, {});
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${token}` };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), WAIT_MS);
  let found: string | undefined;
  try {
    const response = await fetch("/v1/me/stream", { headers, signal: stop.signal });
    if (!response.ok || !response.body) return undefined;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = ""; !found; ) {
      const { value, done } = await reader.read();
      if (done) break;
      read += value;
      for (const [, data] of read.matchAll(/^event: invited\ndata: (.*)\n/gm)) {
        found = new URL((JSON.parse(data!) as { url: string }).url).pathname;
      }
    }
  } catch {
    // Nothing came in time, or the stream was refused.
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  return found;
}
