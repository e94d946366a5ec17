/** The commands that a seat sent lately, so that one click sends one again. They stay in this browser. */

import type { Command } from "../api/client";
import { readStoredList, store } from "../shell/storage";

const MAX_RECENT = 4;

export interface Recent {
  command: Command;
  more: Record<string, unknown>;
}

/** Return the recent commands of a seat, the newest first. */
export function recentOf(session: string, seat: string): Recent[] {
  return readStoredList(storedAt(session, seat)) as Recent[];
}

/** Put a command first. The faces of real dice are not kept: they were of one throw. */
export function remember(session: string, seat: string, command: Command, more: Record<string, unknown>): Recent[] {
  const audience = more["audience"] === undefined ? {} : { audience: more["audience"] };
  const sent: Recent = { command, more: audience };
  const same = JSON.stringify(sent);
  const others = recentOf(session, seat).filter((each) => JSON.stringify(each) !== same);
  const recent = [sent, ...others].slice(0, MAX_RECENT);
  store(storedAt(session, seat), recent);
  return recent;
}

function storedAt(session: string, seat: string): string {
  return `fairlog-recent ${session} ${seat}`;
}
