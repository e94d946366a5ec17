import { describe, expect, test } from "vitest";
import { ApiError, type Choice } from "../api/client";
import { type FormTable, actionForm, fieldOf, firstGiven, formCommand, pointsLeft, readAll, refusedFields, tappedCommand, withShared, wrongsOf } from "./action-form";

const entity = { type: "string" };
const rank = (title: string) => ({ type: "integer", title, minimum: 1, maximum: 4, examples: [2] });

const table: FormTable = {
  acting: "ana",
  seat: "p1",
  controls: { harmful: ["game.Harm"], sums: { "game.Rank": 6 } },
  session: { table: { entities: { ana: { seat: "p1" }, rat: { seat: "gm" } } } },
  schemas: {
    "game.Check": {
      properties: { kind: {}, entity, ability: { type: "string" }, aim: { type: "string" } },
      required: ["kind", "entity"],
    },
    "game.Harm": {
      properties: { kind: {}, entity, points: { type: "integer", title: "Points", minimum: 1, maximum: 20 } },
      required: ["kind", "entity", "points"],
    },
    "game.Attack": { properties: { kind: {}, entity, target: entity }, required: ["kind", "entity", "target"] },
    "game.Rank": {
      properties: { kind: {}, entity, strength: rank("Strength"), wits: rank("Wits") },
      required: ["kind", "entity", "strength"],
    },
    "game.Create": {
      properties: { kind: {}, entity: { type: "string", pattern: "^[a-z][a-z0-9-]{0,23}$" }, name: { type: "string", title: "Name" } },
      required: ["kind", "entity", "name"],
    },
  },
};

function form(kind: string, example: object, values: object) {
  return actionForm(table, choice(kind, example, values));
}

function choice(kind: string, example: object, values: object): Choice {
  return { kind, allowed: true, example: { kind, ...example }, values } as unknown as Choice;
}

describe("a press of an action", () => {
  test("sends what has only one choice", () => {
    const found = form("game.Check", { entity: "ana" }, { entity: ["ana"], ability: ["locks", "stealth"] });
    expect(found).toMatchObject({ isSimple: true, tapped: undefined, hasOptional: true });
  });

  test("offers the values of the one field that is left as buttons", () => {
    const found = form("game.Attack", { entity: "ana", target: "rat" }, { entity: ["ana"], target: ["rat", "ana"] });
    expect(found).toMatchObject({ isSimple: false, isTargeted: true });
    expect(tappedCommand(found, "rat")).toEqual({ kind: "game.Attack", entity: "ana", target: "rat" });
  });

  test("never chooses another's character for a harmful command", () => {
    const found = form("game.Harm", { entity: "rat", points: 1 }, { entity: ["rat"], points: [1] });
    expect(found.isSimple).toBe(false);
    expect(found.fields.map(({ name }) => name)).toEqual(["entity", "points"]);
  });

  test("adds a shared value that the action allows", () => {
    const check = choice("game.Check", { entity: "ana" }, { ability: ["locks"] });
    const command = { kind: "game.Check", entity: "ana" };
    expect(withShared(check, command, { ability: "locks" })).toEqual({ ...command, ability: "locks" });
    expect(withShared(check, command, { ability: "flying" })).toEqual(command);
  });
});

describe("the form of an action", () => {
  const ranks = form("game.Rank", { entity: "ana", strength: 1 }, { entity: ["ana"], strength: [1, 2], wits: [2] });

  test("asks for several numbers together, and begins with those of the ruleset", () => {
    expect(ranks.fields.map(({ kind }) => kind)).toEqual(["number", "number"]);
    expect(firstGiven(ranks, {})).toEqual({ strength: 2, wits: 2 });
  });

  test("says everything that is wrong at once, in sentences", () => {
    expect(wrongsOf(ranks.fields, { strength: undefined, wits: 5 }, "Ana")).toEqual({
      strength: "Give Ana’s strength a number from 1 to 4.",
      wits: "Give Ana’s wits a number from 1 to 4.",
    });
    expect(wrongsOf(ranks.fields, { strength: "3", wits: NaN })).toEqual({
      wits: "Give “Wits” a number from 1 to 4.",
    });
  });

  test("counts the points that are left to distribute", () => {
    expect(pointsLeft(table, ranks, { strength: 1, wits: "2" })).toBe(3);
    expect(pointsLeft(table, form("game.Harm", {}, {}), { points: 1 })).toBeUndefined();
  });

  test("reads numbers and leaves out what is empty", () => {
    expect(formCommand(table, ranks, { strength: "3", wits: "" })).toEqual({ kind: "game.Rank", entity: "ana", strength: 3 });
  });

  test("makes the id of a new entity from its name, and never shows the one of the example", () => {
    const create = form("game.Create", { entity: "new", name: "new" }, {});
    expect(create.fields.map(({ name }) => name)).toEqual(["name"]);
    expect(firstGiven(create, {})).toEqual({});
    expect(formCommand(table, create, { name: " Ana " })).toEqual({ kind: "game.Create", entity: "ana-2", name: "Ana" });
  });

  test("takes an empty number for 0 if it is usually 0", () => {
    const bonus = fieldOf("bonus", { type: "integer", title: "Bonus", examples: [0] }, true);
    expect(wrongsOf([bonus], { bonus: "" })).toEqual({});
    expect(readAll([bonus], { bonus: "" })).toEqual({ bonus: 0 });
  });

  test("shows a refusal at the field that the server names", () => {
    const refused = new ApiError(409, "refused", "It has 2 already.", { entity: "ana", wits: 2 });
    expect(refusedFields(refused, ranks.fields)).toEqual({ wits: "Wits: It has 2 already." });
    const malformed = new ApiError(422, "malformed", "Some fields are not valid", {}, ["strength"]);
    expect(refusedFields(malformed, ranks.fields)).toEqual({ strength: "Give “Strength” a number from 1 to 4." });
    const valued = new ApiError(409, "refused", "Too high.", { stat: "Wits" });
    expect(refusedFields(valued, ranks.fields)).toEqual({ wits: "Wits: Too high." });
    expect(refusedFields(new ApiError(409, "refused", "Not now.", { sum: 7 }), ranks.fields)).toEqual({});
  });
});
