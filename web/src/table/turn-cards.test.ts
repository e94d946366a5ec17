import { describe, expect, test } from "vitest";
import type { RollCard, Turn } from "../api/client";
import { joinNotes, shownTurns } from "./turn-cards";

/** Make a turn of Ana's: a note, a roll, or what continues it. */
function turn(nth: number, more: Partial<Turn> & { result?: string; continues?: boolean } = {}): Turn {
  const { result, continues, ...rest } = more;
  const blank = { action: "", detail: "", big: "", unit: "", note: "", drawings: [] };
  const cards: RollCard[] = result ? [{ ...blank, entity: "ana", result, continues: continues ?? false }] : [];
  return {
    ...{ turn: nth, first: nth, last: nth, at: "2026-01-01T20:00:00.000Z", seat: "p1", texts: [`text ${nth}`] },
    ...{ values: [], outcomes: [], results: [], changes: [], cards, missing: [] },
    ...{ pending: false, sealed: false, undone: false },
    ...rest,
  };
}

describe("cards of turns", () => {
  const check = { result: "Failure" };
  const settle = { result: "Success", continues: true };

  test("what continues a card is a part of it, also if both were undone", () => {
    for (const undone of [false, true]) {
      const shown = shownTurns([turn(1, { ...check, undone }), turn(2, { ...settle, undone })]);
      expect(shown.map((each) => [each.cards[0]?.result, each.texts, each.parts.length])).toEqual([
        ["Success", ["text 1", "text 2"], 2],
      ]);
    }
  });

  test("of a continuation that was undone alone, only the text is left", () => {
    const turns = [turn(1, check), turn(2, { ...settle, undone: true })];
    const [shown, ...others] = shownTurns(turns);
    expect(others).toEqual([]);
    expect([shown!.cards[0]!.result, shown!.texts, shown!.undoneTexts]).toEqual(["Failure", ["text 1"], ["text 2"]]);
  });

  test("what holds continues a card that holds, not an undone one after it", () => {
    const turns = [turn(1, check), turn(2, { ...check, undone: true }), turn(3, settle)];
    expect(shownTurns(turns).map((each) => each.texts)).toEqual([["text 1", "text 3"], ["text 2"]]);
  });

  test("notes that were undone make one block, apart from those that hold", () => {
    const command = { kind: "dhextiny.Rest" } as NonNullable<Turn["command"]>;
    const turns = [1, 2, 3, 4].map((nth) => turn(nth, { command, undone: nth > 2 }));
    const joined = joinNotes(shownTurns(turns), []);
    expect(joined.map((each) => each.texts)).toEqual([["text 1", "text 2"], ["text 3", "text 4"]]);
  });
});
