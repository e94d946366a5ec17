/** What people have written and not sent yet. It stays in this tab over a reload and over Back. */

/** Return what was written at the table of a session. */
export function draftOf(session: string): string {
  try {
    return sessionStorage.getItem(storedAt(session)) ?? "";
  } catch {
    return "";
  }
}

/** Keep what is written. */
export function keepDraft(session: string, line: string): void {
  try {
    if (line) sessionStorage.setItem(storedAt(session), line);
    else sessionStorage.removeItem(storedAt(session));
  } catch {
    // Without storage, it is kept until the page is closed.
  }
}

function storedAt(session: string): string {
  return `fairlog-draft ${session}`;
}
