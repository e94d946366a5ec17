/** The turns of memorable moments. */

import { type Schemas, type Turn, get } from "../api/client";

export type Moment = Schemas["Highlight"];

export interface MomentTurns {
  first: Turn;
  last: Turn;
}

type Card = Schemas["RollCard"];

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

/** Return what a roll was for and how it came out, in the words of its game. */
export function sentenceOf({ entity, action, result, big }: Card): string {
  const came = result ? result.charAt(0).toLowerCase() + result.slice(1) : big;
  return `{${entity}} ${action}: ${came}`;
}

/** Return the text of a moment without its chance, which stands beside it. */
export function shortened(text: string): string {
  return text.replace(/ \(1 in [^)]*\)\.$/, "");
}

/** Return where the roll's token stopped, or what else the roll's card shows largest. */
export function symbolOf({ big, drawings }: Card): string {
  return drawings?.find((each) => each.shape === "path")?.points.at(-1) ?? big ?? "";
}
