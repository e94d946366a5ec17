/** The part of this browser in shared draws. It contributes on every page of the session, unasked. */

import type { Session } from "../api/client";
import type { BrowserSeat, SeatStatus } from "../seat/browser-seat.ts";
import type { StoredFault } from "../seat/stored-seat.ts";

export interface SharedDraws {
  status: SeatStatus | undefined;
  fault: StoredFault | undefined;
  /** The number of a draw that was voided because of this seat, although it contributed. */
  missed: number | undefined;
  seat: BrowserSeat | undefined;
}

export const sharedDraws = $state<SharedDraws>({
  status: undefined,
  fault: undefined,
  missed: undefined,
  seat: undefined,
});

/** Return true if the browser of this seat takes part in the draws of the session. */
export function isContributor(session: Session): boolean {
  const role = session.you === undefined ? undefined : session.seats[session.you]?.role;
  const isPlaying = role === "gm" || role === "player";
  return session.draws === "table" && isPlaying && !session.closed && !location.search.includes("as=");
}

/** Take part in the draws of the session while the page is open. Another call does nothing. */
export async function takePart(session: Session): Promise<void> {
  if (sharedDraws.seat || session.you === undefined || !isContributor(session)) return;
  // Pages of other sessions do not load the client that checks the log.
  const { BrowserSeat } = await import("../seat/browser-seat.ts");
  if (sharedDraws.seat) return;
  const seat = new BrowserSeat(session.id, session.you);
  sharedDraws.seat = seat;
  seat.addEventListener("state", () => {
    sharedDraws.status = seat.status;
    sharedDraws.fault = seat.fault;
    sharedDraws.missed = seat.contributor?.stored.record.missed;
  });
  void seat.run();
}
