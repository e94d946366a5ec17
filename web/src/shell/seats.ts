/** Colours and initials of seats. */

import type { Session } from "../api/client";

/** Return the class that gives a seat its colour: the GM has one, and players get theirs in turn. */
export function seatColour(session: Session | undefined, seat: string): string {
  const seats = session?.seats ?? {};
  if (seats[seat]?.role !== "player") return "c-gm";
  const players = Object.keys(seats).filter((each) => seats[each]!.role === "player");
  return `c-${players.indexOf(seat) % 6}`;
}

export function initial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? "?";
}
