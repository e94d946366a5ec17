/**
 * Takes a seat with an invitation, also one that this browser had before.
 *
 *     const ticket = await takeSeat(code, { name: "Ana" });
 *     await signIn(ticket.session, ticket.token);
 *     location.assign(addresses.table(ticket.session));
 *
 * Nothing else is needed in a session with shared draws: the first page of the session creates the
 * seat's key and chain (`BrowserSeat`), for the GM after `POST /v1/sessions` as well. Only a seat
 * that was left needs its next chain to come back, and `takeSeat` sends it.
 */

import { readRecordsOf } from "./database.ts";
import { Refusal, get, newKey, send } from "./requests.ts";
import { type RequestedLink, firstChain } from "./statements.ts";
import { StoredSeat } from "./stored-seat.ts";

/** The response to `POST /v1/seats`. `token` is not shown again. */
export interface SeatTicket {
  session: string;
  seat: string;
  role: string;
  token: string;
}

export interface SeatChoice {
  /** The id of the seat; default: the one that the invitation names or that this browser had, or a free seat. */
  seat?: string;
  /** The name to display. */
  name?: string;
  /** The name of the seat's colour on pages. */
  colour?: string;
}

interface Offer {
  session: string;
  role: string;
  seat?: string;
  seats: Record<string, { role: string; occupied: boolean }>;
}

/**
 * Take a seat, and return its ticket. If this browser has the key of the seat, the seat comes back
 * with its next chain. Pass the same `key` again after a lost response, so that one seat is taken.
 * Throws Refusal or Away.
 */
export async function takeSeat(code: string, choice: SeatChoice = {}, key = newKey()): Promise<SeatTicket> {
  const offer = await get<Offer>(`/v1/invitations/${code}`);
  const body = { code, ...choice };
  const stored = await findSeat(offer, choice.seat);
  if (!stored) return send<SeatTicket>("/v1/seats", body, key);
  return comeBack(stored, offer.role, body);
}

/** Return the stored seat with which this browser comes back, or undefined if it has none. */
async function findSeat(offer: Offer, chosen: string | undefined): Promise<StoredSeat | undefined> {
  const named = offer.seat ?? chosen;
  try {
    if (named !== undefined) return await StoredSeat.read(offer.session, named);
    const isLeft = (seat: string) => offer.seats[seat]?.role === offer.role && !offer.seats[seat].occupied;
    const left = (await readRecordsOf(offer.session)).find((record) => isLeft(record.kept.seat));
    return left && (await StoredSeat.read(offer.session, left.kept.seat));
  } catch {
    return undefined; // this browser stores nothing
  }
}

/** Take the seat with its next chain, or without one if it still has its chain. */
async function comeBack(stored: StoredSeat, role: string, choice: object): Promise<SeatTicket> {
  const { data, record } = stored;
  Object.assign(record, { away: false, handed: false });
  // Another client may have used the seat, so older commands need not be those of this browser.
  Object.assign(data, { since: null, asked: [] });
  const body = { ...choice, seat: data.seat };
  const sendWithChain = async (requested?: RequestedLink) => {
    const chain = await firstChain(stored, role, stored.nextNumber, requested);
    return send<SeatTicket>("/v1/seats", { ...body, chain });
  };
  try {
    return await sendWithChain();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.problem.rule === "link-wrong") return sendWithChain(error.problem.facts as RequestedLink);
    if (error.problem.rule === "named-afterwards" || error.problem.rule === "chain-there") {
      return send<SeatTicket>("/v1/seats", body);
    }
    throw error;
  }
}
