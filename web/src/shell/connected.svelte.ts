/** Who is connected to the session now, so that pages can dim those who are away. */

import { ApiError, get } from "../api/client";

const LOOK_MS = 5000;

export const connected = $state<{ seats: string[] | undefined }>({ seats: undefined });

/** Return true if the seat's holder has no open page of the session, as far as is known. */
export function isGone(seat: string): boolean {
  return connected.seats !== undefined && !connected.seats.includes(seat);
}

/** Follow who is connected while the page is visible. Call the result to stop. */
export function followConnected(session: string): () => void {
  const look = async () => {
    if (document.visibilityState === "hidden") return;
    try {
      connected.seats = (await get<{ seats: string[] }>(`/v1/sessions/${session}/connections`)).seats;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) clearInterval(timer); // the seat is lost
    }
  };
  // The stream of this page opens first, so that people do not see themselves as away.
  const first = setTimeout(() => void look(), 2500);
  const timer = setInterval(() => void look(), LOOK_MS);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
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
