/** The commands that a seat sent lately, so that one click sends one again. They stay in this browser. */

import type { Command } from "../api/client";

const MAX_RECENT = 4;

export interface Recent {
  command: Command;
  more: Record<string, unknown>;
}

/** Return the recent commands of a seat, the newest first. */
export function recentOf(session: string, seat: string): Recent[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storedAt(session, seat)) ?? "[]");
    return Array.isArray(found) ? (found as Recent[]) : [];
  } catch {
    return [];
  }
}

/** Put a command first. The faces of real dice are not kept: they were of one throw. */
export function remember(session: string, seat: string, command: Command, more: Record<string, unknown>): Recent[] {
  const audience = more["audience"] === undefined ? {} : { audience: more["audience"] };
  const sent: Recent = { command, more: audience };
  const same = JSON.stringify(sent);
  const others = recentOf(session, seat).filter((each) => JSON.stringify(each) !== same);
  const recent = [sent, ...others].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(storedAt(session, seat), JSON.stringify(recent));
  } catch {
    // Without storage, they are kept until the page is closed.
  }
  return recent;
}

function storedAt(session: string, seat: string): string {
  return `fairlog-recent ${session} ${seat}`;
}
