import { describe, expect, test } from "vitest";
import type { RollCard, Turn } from "../api/client";
import { joinDeclarations, joinNotes, shownTurns } from "./turn-cards";

/** Make a turn of Ana's: a note, a roll, or what continues it. */
function turn(nth: number, more: Partial<Turn> & { result?: string; continues?: boolean } = {}): Turn {
  const { result, continues, ...rest } = more;
  const blank = { action: "", detail: "", big: "", unit: "", note: "", said: "", drawings: [] };
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

  test("what the GM says of a roll is a part of its card", () => {
    const said = { ...turn(2, { result: " ", continues: true }), seat: "gm" };
    said.cards = [{ ...said.cards![0]!, result: "", said: "It opens." }];
    const [shown, ...others] = shownTurns([turn(1, check), said]);
    expect(others).toEqual([]);
    expect([shown!.cards[0]!.result, shown!.quotes]).toEqual(["Failure", [{ seat: "gm", said: "It opens." }]]);
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

  test("the notes that led to a roll are parts of its card, and words of people stay in sight", () => {
    const open = (nth: number, task: string, more: Partial<Turn> & { result?: string } = {}) =>
      turn(nth, { changes: [{ path: ["tasks", task, "waits"], before: "a", after: "b" }], ...more });
    const said = (kind: string, aim: string) => ({ kind, aim }) as unknown as NonNullable<Turn["command"]>;
    const [aim, limit] = [said("x.Attempt", "with a long pole"), said("x.Limit", "hard")];
    const end = { path: ["tasks", "b", "label"], before: "test" };
    const turns = [
      ...[open(1, "a", { command: aim }), open(2, "b", { command: limit }), open(3, "a", { command: limit })],
      ...[turn(4, { command: limit, changes: [end] }), turn(5), open(6, "b", check), open(7, "a", check)],
    ];
    const shown = joinDeclarations(shownTurns(turns), []);
    expect(shown.map(({ parts }) => parts.map((each) => each.turn))).toEqual([[2], [4], [5], [6], [1, 3, 7]]);
    expect(shown.at(-1)!.declared).toEqual(["text 1"]);
    expect(shown.at(-1)!.texts).toEqual(["text 1", "text 3", "text 7"]);
  });

  test("notes that were undone make one block, apart from those that hold", () => {
    const command = { kind: "dhextiny.Rest" } as NonNullable<Turn["command"]>;
    const turns = [1, 2, 3, 4].map((nth) => turn(nth, { command, undone: nth > 2 }));
    const joined = joinNotes(shownTurns(turns), []);
    expect(joined.map((each) => each.texts)).toEqual([["text 1", "text 2"], ["text 3", "text 4"]]);
  });

  test("notes of people make one block, unless minutes lie between them", () => {
    const command = { kind: "dhextiny.Rest" } as NonNullable<Turn["command"]>;
    const at = (minute: number) => `2026-01-01T20:0${minute}:00.000Z`;
    const turns = [0, 1, 9].map((minute, nth) => turn(nth, { command, at: at(minute), seat: `p${nth}` }));
    expect(joinNotes(shownTurns(turns), []).map(({ parts }) => parts.length)).toEqual([2, 1]);
  });

  test("a sealed roll is one line with what settles it, and with nothing else", () => {
    const sealed = { sealed: true, texts: [] };
    const [roll, settled] = [turn(1, { ...sealed, draw: 1 }), turn(2, sealed)];
    const others = [turn(3, sealed), turn(4, { ...sealed, draw: 2 }), turn(5, { ...sealed, seat: "p2" })];
    const lines = (turns: Turn[]) => joinNotes(shownTurns(turns), []).map(({ parts }) => parts.map((each) => each.turn));
    expect(lines([roll, settled, ...others])).toEqual([[1, 2], [3], [4], [5]]);
    expect(lines([roll, { ...settled, undone: true }])).toEqual([[1], [2]]);
  });
});
