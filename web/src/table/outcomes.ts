/** How outcomes are coloured: four levels from the worst to the best, in every game. */

import type { Chance, Outcome } from "../api/client";

export type Level = "f" | "pf" | "ps" | "s" | "";

const LEVELS: Level[] = ["f", "pf", "ps", "s"];

/** The class that colours something of a level from 1 (worst) to 4. */
export function levelClass(level: number | undefined): string {
  return level ? `r-${LEVELS[level - 1]}` : "";
}

/** Return the level of an outcome by its rank within the successes or the failures, if it is one. */
export function level(outcome: Outcome): Level {
  // More of something, such as abilities, is neither a success nor a failure.
  if (outcome.rank === undefined || outcome.outcomes === undefined || outcome.success === undefined) return "";
  const share = outcome.outcomes > 1 ? (outcome.rank - 1) / (outcome.outcomes - 1) : 1;
  if (outcome.success) return share === 1 || outcome.outcomes === 2 ? "s" : "ps";
  return share === 0 ? "f" : "pf";
}

/** The levels of outcomes, if they are listed from the worst to the best. */
export function levels(
  odds: Record<string, Chance>,
  isRanked: boolean,
): { name: string; level: Level; percent: number }[] {
  const names = Object.keys(odds);
  return names.map((name, nth) => ({
    name,
    level: !isRanked ? "" : LEVELS[Math.min(3, Math.floor((nth / Math.max(1, names.length - 1)) * 4))]!,
    percent: odds[name]!.percent,
  }));
}

/** Draw check marks with the strokes of the console's font, which has no heavy ones. */
export function thin(symbol: string): string {
  return symbol.replaceAll("✔", "✓");
}
