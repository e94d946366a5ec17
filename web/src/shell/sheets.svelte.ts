/** Which sheet of a session's pages is open. The header shows it, on every page. */

export type SheetName =
  | "menu"
  | "welcome"
  | "people"
  | "invite"
  | "settings"
  | "campaign"
  | "link"
  | "seat-file"
  | "view-as"
  | "leave"
  | "sign-out"
  | "end";

export const sheets = $state<{ open: SheetName | undefined }>({ open: undefined });

export function openSheet(name: SheetName): void {
  sheets.open = name;
}

export function closeSheet(): void {
  sheets.open = undefined;
}
