/** Which turns led to a version, and which ones rewinds undid. */

import type { Schemas } from "../api/client";

export type Mark = Schemas["TurnMark"];

/** The first and the last version of a run. */
export type Span = [number, number];

/** The sorts of turns, from the one that says least. A turn in parts has the sort that says most. */
const SORTS = ["sealed", "other", "rewind", "narration", "action", "roll"];

/** Join the parts of turns. Returns the turns in the order in which they ended. */
export function joinMarks(parts: Mark[]): Mark[] {
  const byTurn = new Map<number, Mark>();
  for (const part of parts) {
    const known = byTurn.get(part.turn);
    byTurn.set(part.turn, known ? join(known, part) : part);
  }
  return [...byTurn.values()].sort((a, b) => a.last - b.last);
}

function join(a: Mark, b: Mark): Mark {
  const [early, late] = a.first < b.first ? [a, b] : [b, a];
  const sort = SORTS.indexOf(a.sort) > SORTS.indexOf(b.sort) ? a.sort : b.sort;
  return { ...late, ...early, last: Math.max(a.last, b.last), sort };
}

/** The history of a session as its marks tell it. It never changes. */
export class History {
  private readonly rewinds: Mark[];

  constructor(readonly marks: Mark[]) {
    this.rewinds = marks.filter((mark) => mark.to !== undefined);
  }

  /** Return the index of the turn at a version: the first one that ends at it or later. */
  indexOf(version: number): number {
    let low = 0;
    let high = this.marks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.marks[middle]!.last >= version) high = middle;
      else low = middle + 1;
    }
    return Math.max(0, low);
  }

  /** Return the versions that led to a version, in ascending order. */
  lineage(version: number): Span[] {
    const spans: Span[] = [];
    let last = version;
    while (last > 0) {
      const rewind = this.rewinds.findLast((mark) => mark.last <= last);
      spans.push([rewind?.first ?? 1, last]);
      last = rewind ? Math.min(rewind.to!, rewind.first - 1) : 0;
    }
    return spans.reverse();
  }

  /** Return the turns that led to version `tip` and did not lead to version `to`. */
  beyond(tip: number, to: number): Mark[] {
    const kept = this.lineage(to);
    const left = this.lineage(tip);
    return this.marks.filter(
      (mark) => isPlay(mark) && isWithin(left, mark.last) && !isWithin(kept, mark.last),
    );
  }

  /** Return the turns of the game after a version, also those that are undone. */
  playedAfter(version: number): Mark[] {
    return this.marks.filter((mark) => isPlay(mark) && mark.last > version);
  }

  /** Return for each turn whether it is undone at a version. */
  undone(version: number): boolean[] {
    const spans = this.lineage(version);
    let nth = 0;
    return this.marks.map((mark) => {
      while (nth < spans.length && spans[nth]![1] < mark.last) nth += 1;
      const isKept = nth < spans.length && mark.last >= spans[nth]![0];
      return !isKept && mark.last <= version && isPlay(mark);
    });
  }

  /**
   * Return the rewind that a redo would undo, or undefined if there is none. A redo is a rewind to
   * the version before another rewind. Play after a rewind ends what can be redone.
   */
  redoable(): Mark | undefined {
    const undone = new Set<number>();
    for (const mark of this.marks.toReversed()) {
      if (isPlay(mark) && mark.sort !== "sealed") return undefined;
      if (mark.to === undefined || undone.has(mark.turn)) continue;
      const reverted = this.rewinds.find((each) => each.first - 1 === mark.to && each.turn < mark.turn);
      if (!reverted) return mark;
      undone.add(reverted.turn);
    }
    return undefined;
  }
}

/**
 * Whether the turn is part of the game, which a rewind undoes. It never undoes what people say and who
 * sits where. Sealed turns count, because they may be part of the game.
 */
function isPlay({ sort }: Mark): boolean {
  return sort === "roll" || sort === "action" || sort === "sealed";
}

export function isWithin(spans: Span[], version: number): boolean {
  return spans.some(([first, last]) => version >= first && version <= last);
}
