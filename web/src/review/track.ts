/** Where the marks of a timeline are drawn. Many turns share a bar if there is no space for each. */

import { type History, type Mark } from "./lineage";

/** The width of a turn in pixels. Narrower turns share a bar. */
export const SLOT = { min: 3, max: 28 };

interface Bar {
  mark: Mark;
  x: number;
  width: number;
  height: number;
  isUndone: boolean;
}

/** A run of turns that were undone together. */
interface Lane {
  x: number;
  width: number;
  /** When they were undone. */
  at: string;
}

interface Layout {
  bars: Bar[];
  lanes: Lane[];
  /** The width of one turn. */
  slot: number;
}

const HEIGHTS: Record<Mark["sort"], number> = { roll: 18, action: 12, narration: 8, sealed: 12, rewind: 4, other: 4 };

export function layout(history: History, undone: boolean[], width: number): Layout {
  const { marks } = history;
  // A hidden timeline has no width.
  const slot = Math.min(SLOT.max, Math.max(1, width) / Math.max(1, marks.length));
  const perBar = Math.max(1, Math.ceil(SLOT.min / slot));
  const gap = slot * perBar > 6 ? slot * perBar * 0.22 : 0.5;
  const bars: Bar[] = [];
  for (let first = 0; first < marks.length; first += perBar) {
    const nth = mostTelling(marks, first, Math.min(first + perBar, marks.length));
    const mark = marks[nth]!;
    bars.push({
      mark,
      x: first * slot + gap / 2,
      width: slot * perBar - gap,
      height: HEIGHTS[mark.sort],
      isUndone: undone[nth]!,
    });
  }
  return { bars, lanes: lanes(marks, undone, slot), slot };
}

/** Return the index of the turn with the highest bar: it stands for the others. */
function mostTelling(marks: Mark[], first: number, end: number): number {
  let found = first;
  for (let nth = first + 1; nth < end; nth++) {
    if (HEIGHTS[marks[nth]!.sort] > HEIGHTS[marks[found]!.sort]) found = nth;
  }
  return found;
}

function lanes(marks: Mark[], undone: boolean[], slot: number): Lane[] {
  const found: Lane[] = [];
  for (let nth = 0; nth < marks.length; nth++) {
    if (!undone[nth]) continue;
    let end = nth;
    while (undone[end + 1]) end += 1;
    const rewind = marks.slice(end + 1).find((mark) => mark.to !== undefined);
    found.push({ x: nth * slot, width: (end - nth + 1) * slot, at: (rewind ?? marks[end]!).at });
    nth = end;
  }
  return found;
}

/** Return the index of the turn at a place, in pixels from the left end of the track. */
export function turnAt(history: History, width: number, x: number): number {
  const last = history.marks.length - 1;
  const slot = Math.min(SLOT.max, width / Math.max(1, last + 1));
  return Math.max(0, Math.min(last, Math.floor(x / slot)));
}
