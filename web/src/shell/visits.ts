/** The sessions that this browser has shown. It keeps the list for itself, and the server does not know it. */

import type { Session } from "../api/client";
import { seatColour } from "./seats";
import { readStoredList, store } from "./storage";

export interface Visit {
  id: string;
  title: string;
  ruleset: string;
  /** When the newest event was recorded that this browser knows. */
  at: string;
  turn: number;
  closed: boolean;
  /** This browser's seat. Absent if it has none. */
  seat?: string;
  faces: Face[];
  /** The name of the person who runs it. */
  gm?: string;
}

interface Face {
  name: string;
  colour: string;
  away: boolean;
}

const KEY = "fairlog-sessions";
const MAX_VISITS = 30;

/** Return the visited sessions, the latest first. */
export function visits(): Visit[] {
  return readStoredList(KEY).filter(isVisit);
}

function isVisit(found: unknown): found is Visit {
  const { id, title, faces } = (found ?? {}) as Partial<Visit>;
  return /^[0-9a-f]{32}$/.test(id ?? "") && typeof title === "string" && Array.isArray(faces);
}

/** Remember a session as the latest one. */
export function remember(session: Session): void {
  const others = visits().filter((each) => each.id !== session.id);
  store(KEY, [visitOf(session), ...others].slice(0, MAX_VISITS));
}

/** Replace what is known of a session, without a change of the order. */
export function update(session: Session): void {
  store(KEY, visits().map((each) => (each.id === session.id ? visitOf(session) : each)));
}

/** Note that this browser is not signed in to a session any more. */
export function noteSignedOut(id: string): void {
  store(KEY, visits().map((each) => (each.id === id ? { ...each, seat: undefined } : each)));
}

export function forget(id: string): void {
  store(KEY, visits().filter((each) => each.id !== id));
}

function visitOf(session: Session): Visit {
  const faces = Object.entries(session.seats)
    .filter(([, held]) => held.occupied && (held.role === "gm" || held.role === "player"))
    .map(([seat, { away }]) => ({
      name: session.names[`@${seat}`] ?? seat,
      colour: seatColour(session, seat),
      away: away ?? false,
    }));
  const { id, title, ruleset, at, turn, closed, you } = session;
  const gm = Object.keys(session.seats).find((seat) => session.seats[seat]!.role === "gm");
  return { id, title, ruleset, at, turn, closed, seat: you, faces, gm: gm && session.names[`@${gm}`] };
}
