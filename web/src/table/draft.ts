/** What people have written and not sent yet. It stays in this tab over a reload and over Back. */

import { readStored, store } from "../shell/storage";

/** Return what was written at the table of a session. */
export function draftOf(session: string): string {
  return String(readStored(storedAt(session), "sessionStorage") ?? "");
}

/** Keep what is written. */
export function keepDraft(session: string, line: string): void {
  store(storedAt(session), line, "sessionStorage");
}

function storedAt(session: string): string {
  return `fairlog-draft ${session}`;
}
