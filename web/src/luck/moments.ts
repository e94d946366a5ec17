/** The turns of memorable moments. */

import { type Schemas, type Turn, get } from "../api/client";

export type Moment = Schemas["Highlight"];

export interface MomentTurns {
  first: Turn;
  last: Turn;
}

/** A page of turns ends before a turn that goes on, so what is read reaches beyond the roll. */
const EVENTS_AFTER = 20;

/** Return the turns of a moment's first and last roll, if the API shows them. */
export async function readTurns(session: string, moment: Moment): Promise<MomentTurns | undefined> {
  const last = await readTurn(session, moment.last);
  const first = moment.first === moment.last ? last : await readTurn(session, moment.first);
  return first && last && { first, last };
}

async function readTurn(session: string, version: number): Promise<Turn | undefined> {
  const query = `limit=${EVENTS_AFTER}&before=${version + EVENTS_AFTER}`;
  const { turns } = await get<Schemas["Turns"]>(`/v1/sessions/${session}/turns?${query}`);
  return turns.find(({ first, last }) => first <= version && version <= last);
}
