import { describe, expect, test } from "vitest";
import { History, type Mark, joinMarks } from "./lineage";

/** Make a turn of two events, or a rewind of one. */
function marks(...turns: (Mark["sort"] | number)[]): Mark[] {
  let version = 0;
  return turns.map((each, nth) => {
    const first = version + 1;
    version += typeof each === "number" ? 1 : 2;
    const more = typeof each === "number" ? { sort: "rewind" as const, to: each } : { sort: each };
    return { turn: nth + 1, first, last: version, at: "2026-01-01T20:00:00.000Z", seat: "gm", ...more };
  });
}

describe("lineage", () => {
  test("a rewind leaves the versions after its target", () => {
    const history = new History(marks("roll", "roll", "narration", 2, "action"));
    expect(history.lineage(9)).toEqual([[1, 2], [7, 9]]);
    expect(history.undone(9)).toEqual([false, true, false, false, false]);
    expect(history.undone(6)).toEqual([false, false, false, false, false]);
    expect(history.beyond(6, 2).map((mark) => mark.turn)).toEqual([2]);
  });

  test("a rewind into a branch brings it back", () => {
    const history = new History(marks("roll", "roll", 2, 4));
    expect(history.undone(6)).toEqual([false, false, false, false]);
    expect(history.beyond(4, 5).map((mark) => mark.turn)).toEqual([2]);
  });

  test("the turn at a version is the first one that ends at it or later", () => {
    const history = new History(marks("roll", "roll", 2));
    expect([1, 2, 3, 4, 5].map((version) => history.indexOf(version))).toEqual([0, 0, 1, 1, 2]);
  });
});

describe("redo", () => {
  test.each([
    ["nothing was undone", marks("roll"), undefined],
    ["the last rewind", marks("roll", "roll", 2), 3],
    ["the last of two rewinds", marks("roll", "roll", 2, 0), 4],
    ["the first of two rewinds after the last was redone", marks("roll", "roll", 2, 0, 5), 3],
    ["both were redone", marks("roll", "roll", 2, 0, 5, 4), undefined],
    ["play went on", marks("roll", "roll", 2, "roll"), undefined],
    ["talk went on", marks("roll", "roll", 2, "narration"), 3],
  ])("%s", (_, found, turn) => {
    expect(new History(found).redoable()?.turn).toBe(turn);
  });
});

test("a turn in parts has the sort that says most", () => {
  const [one, other] = marks("action", "roll");
  const [joined] = joinMarks([one!, { ...other!, turn: 1 }]);
  expect(joined).toMatchObject({ turn: 1, first: 1, last: 4, sort: "roll" });
});
