/** Whether the server answers, and who is connected to the session now, so that pages can dim those who are away. */

import { ApiError } from "../api/client";
import { abandon } from "../api/network";

const LOOK_MS = 5000;
/** How often the page looks while the server does not answer. */
const LOST_LOOK_MS = 2000;
const ANSWER_MS = 4000;
/** After so long without an answer, the laptop slept: what was open before can be dead without an error. */
const SLEPT_MS = 30_000;

export const connected = $state<{
  seats: string[] | undefined;
  /** Since when the server does not answer. */
  lostSince: Date | undefined;
}>({ seats: undefined, lostSince: undefined });

const returns = new Set<() => void>();

/** Return true if the seat's holder has no open page of the session, as far as is known. */
export function isGone(seat: string): boolean {
  return connected.seats !== undefined && !connected.seats.includes(seat);
}

/** Call `listen` when the server answers again. Call the result to stop. */
export function onReturn(listen: () => void): () => void {
  returns.add(listen);
  return () => returns.delete(listen);
}

/** Note that the server does not answer. */
export function lose(): void {
  connected.lostSince ??= new Date();
}

/** Follow who is connected while the page is visible. Call the result to stop. */
export function followConnected(session: string): () => void {
  let isOpen = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let answered = Date.now();
  let isLooking = false;

  const look = async () => {
    if (!isOpen || isLooking || document.visibilityState === "hidden") return;
    clearTimeout(timer);
    isLooking = true;
    try {
      connected.seats = await readConnected(session);
      if (connected.lostSince || Date.now() - answered > SLEPT_MS) comeBack();
      answered = Date.now();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) isOpen = false; // the seat is lost
      else if (!(error instanceof ApiError)) {
        lose();
        // The browser opens a few connections at a time. Those that hang would keep this look waiting.
        if (error instanceof DOMException) abandon();
      }
    } finally {
      isLooking = false;
    }
    timer = setTimeout(look, connected.lostSince ? LOST_LOOK_MS : LOOK_MS);
  };
  // The stream of this page opens first, so that people do not see themselves as away.
  timer = setTimeout(() => void look(), 2500);
  const listen = () => void look();
  // A page that is being left may have signed out: it has no seat to ask with.
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(listen, LOOK_MS);
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("online", listen);
  addEventListener("beforeunload", wait);
  return () => {
    isOpen = false;
    clearTimeout(timer);
    removeEventListener("beforeunload", wait);
    document.removeEventListener("visibilitychange", listen);
    removeEventListener("online", listen);
  };
}

/** Count as connected although the page needs no events, by an open stream. Call the result to stop. */
export function stayConnected(session: string): () => void {
  const stream = new EventSource(`/v1/sessions/${session}/stream`);
  stream.addEventListener("end", ({ data }: MessageEvent<string>) => {
    if (JSON.parse(data).code === "token-revoked") stream.close();
  });
  return () => stream.close();
}

/** Note that the server answers again. `except` is not called: its page knows. */
export function comeBack(except?: () => void): void {
  connected.lostSince = undefined;
  abandon();
  for (const listen of returns) if (listen !== except) listen();
}

/** Return the seats that are connected. Any answer of the server shows that it can be reached. */
async function readConnected(session: string): Promise<string[] | undefined> {
  const request = { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(ANSWER_MS) };
  const response = await fetch(`/v1/sessions/${session}/connections`, request);
  if (response.status >= 500) throw new TypeError("no answer");
  const found = (await response.json()) as { seats: string[] };
  if (!response.ok) throw new ApiError(response.status, "", "");
  return found.seats;
}
