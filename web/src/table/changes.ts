/** What a turn changed on the table, in words. */

import type { Change } from "../api/client";
import { text } from "../text";
import type { TableSession } from "./session.svelte";

interface Effect {
  said: string;
  from: string;
  to: string;
}

/** Say what changes did to pools, dice and conditions. Other changes are in the turn's texts. */
export function effectsOf(table: TableSession, changes: Change[]): Effect[] {
  const shown = table.session?.table;
  return changes.flatMap(({ path: [part, id, field], before, after }): Effect[] => {
    if (!id) return [];
    const pool = part === "pools" ? shown?.pools?.[id] : undefined;
    if (pool && field === "now" && typeof before === "number" && typeof after === "number") {
      const whose = pool.entity in (shown?.entities ?? {}) ? table.name(pool.entity) : "";
      const said = text.poolChange(whose, after - before, pool.label);
      return [{ said, from: String(before), to: String(after) }];
    }
    if (part === "dice" && field === "sides") {
      const [who, ...what] = id.split(".");
      const said = `${table.name(who!)}: ${what.join(".")}`;
      return [{ said, from: `d${String(before)}`, to: after ? `d${String(after)}` : text.usedUp }];
    }
    return [];
  });
}
