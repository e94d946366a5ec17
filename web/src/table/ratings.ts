/** How good a character is at something: its rank, bonus or die beside the name. */

import type { TableSession } from "./session.svelte";

/** The first number of a line of a sheet, such as 3, 41 %, +4 or 1d12. */
const NUMBER = /[+−-]?\d[\dd+−-]*(?: %)?/;

/** Return a value of a command for people, with what the acting character has it at. */
export function rated(table: TableSession, value: string): string {
  const { entities = {}, dice = {} } = table.session?.table ?? {};
  const { sheet = {}, stats = {} } = entities[table.acting ?? ""] ?? {};
  const sides = dice[`${table.acting}.${value}`]?.sides;
  const rating = sides ? `d${sides}` : (stats[value] ?? NUMBER.exec(sheet[value] ?? "")?.[0] ?? "");
  return `${table.name(value)} ${rating}`.trim();
}
