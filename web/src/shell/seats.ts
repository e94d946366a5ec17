/** Colours and initials of seats. */

import type { Schemas, Session } from "../api/client";

export type Colour = Schemas["ColourRequest"]["colour"];
type Seats = Session["seats"];

/** The classes of the colours, in the order in which they are offered. */
const CLASSES: Record<Colour, string> = {
  pink: "c-0",
  blue: "c-1",
  gold: "c-2",
  teal: "c-3",
  violet: "c-4",
  orange: "c-5",
  green: "c-6",
  red: "c-7",
  slate: "c-gm",
};
export const COLOURS = Object.keys(CLASSES) as Colour[];

export function colourClass(colour: Colour): string {
  return CLASSES[colour];
}

/**
 * Return the class that gives a seat its colour: the one that its person has chosen. Otherwise the
 * GM has slate, and players get theirs in turn.
 */
export function seatColour(session: Pick<Session, "seats"> | undefined, seat: string): string {
  return colourClass(colourOf(session?.seats ?? {}, seat));
}

export function colourOf(seats: Seats, seat: string): Colour {
  const held = seats[seat];
  if (held?.colour) return held.colour;
  if (held?.role !== "player") return "slate";
  const players = Object.keys(seats).filter((each) => seats[each]!.role === "player");
  return COLOURS[players.indexOf(seat) % 6]!;
}

/** Return the names of the people who have a colour, keyed by colour, without one's own seat. */
export function takenColours(seats: Seats, own = ""): Partial<Record<Colour, string>> {
  const taken: Partial<Record<Colour, string>> = {};
  for (const [seat, held] of Object.entries(seats)) {
    const isSeen = held.occupied && (held.role === "gm" || held.role === "player");
    if (isSeen && seat !== own) taken[colourOf(seats, seat)] = held.name ?? seat;
  }
  return taken;
}

/** Return a seat's name as its person gave it, without the id that tells equal names apart. */
export function givenName(seat: string, { name = "" }: { name?: string }): string {
  const id = ` (${seat})`;
  return name.endsWith(id) ? name.slice(0, -id.length) : name;
}

/** Return the first letter of a name, without "The", with which many names of creatures begin. */
export function initial(name: string): string {
  return [...name.trim().replace(/^the\s+/i, "")][0]?.toUpperCase() ?? "?";
}
