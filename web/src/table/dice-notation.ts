/** What dice give on average, by their notation. */

const TERM = /([+-]?)(?:(\d*)d(\d+)(?:k([hl])(\d*))?(?:\[[^\]]*\])?|(\d+))/gy;

/** Return the average of dice such as 2d20kh1+7; undefined if the notation has more than that. */
export function average(notation: string): number | undefined {
  const terms = [...notation.replace(/\s/g, "").matchAll(TERM)];
  if (!terms.length || terms.map(([term]) => term).join("") !== notation.replace(/\s/g, "")) return undefined;
  let sum = 0;
  for (const [, sign, count, sides, keep, kept, constant] of terms) {
    if (keep && Number(kept || 1) !== 1) return undefined;
    const dice = Number(count || 1);
    const size = Number(sides);
    const best = bestOf(dice, size);
    const value = constant ? Number(constant) : !keep ? (dice * (size + 1)) / 2 : keep === "h" ? best : size + 1 - best;
    sum += sign === "-" ? -value : value;
  }
  return sum;
}

/** Write dice such as 1d8[slashing]+3 for people: 1d8 + 3 slashing. Each of several kinds stays at its own dice. */
export function written(notation: string): string {
  const parts = notation.split(/\[([^\]]*)\]/);
  const dice = parts.map((part, nth) => (nth % 2 ? "" : part.replace(/\s*([-+*/])\s*/g, " $1 ").replaceAll("-", "−")));
  const kinds = parts.map((part, nth) => (nth % 2 ? ` ${part}` : ""));
  const isOne = kinds.filter(Boolean).length === 1;
  const mixed = parts.map((_, nth) => dice[nth]! + (isOne ? "" : kinds[nth]!)).join("");
  return (mixed + (isOne ? kinds.join("") : "")).trim();
}

/** Return the average of the best of some dice. */
function bestOf(dice: number, sides: number): number {
  let sum = 0;
  for (let below = 0; below < sides; below++) sum += 1 - (below / sides) ** dice;
  return sum;
}
