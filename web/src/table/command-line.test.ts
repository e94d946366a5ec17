import { describe, expect, test } from "vitest";
import type { Choice } from "../api/client";
import { type Parsed, type Place, parse, suggest } from "./command-line";

const chance = { percent: 50, one_in: 2, numerator: "1", denominator: "2" };

function choice(kind: string, example: object, values: object, more: object = {}): Choice {
  return { kind, allowed: true, example: { kind, ...example }, values, ...more } as unknown as Choice;
}

const place: Place = {
  choices: [
    choice("game.Rest", { entity: "ana" }, { entity: ["ana"] }),
    choice("game.Check", { entity: "ana" }, { entity: ["ana"], ability: ["locks", "stealth"] }, { success: chance }),
    choice("game.CheckAside", { entity: "ana", target: "rat" }, { entity: ["ana"], target: ["rat", "rat-2"] }),
    choice("game.Harm", { entity: "ana", points: 1 }, { entity: ["ana"], points: [1, 2] }),
    choice("game.Note", { text: "new" }, {}),
    choice("game.Create", { entity: "new", name: "new" }, {}),
    { kind: "game.Attack", allowed: false } as unknown as Choice,
    choice("rolls.Roll", { notation: "1d20" }, {}),
  ],
  schemas: {
    "game.Rest": { title: "Rest", properties: { kind: {}, entity: {} }, required: ["kind", "entity"] },
    "game.Check": {
      title: "Check",
      description: "Roll a check.",
      properties: { kind: {}, entity: {}, ability: { type: "string" }, aim: { type: "string" } },
      required: ["kind", "entity"],
    },
    "game.CheckAside": {
      title: "Check against someone",
      properties: { kind: {}, entity: {}, target: {} },
      required: ["kind", "entity", "target"],
    },
    "game.Harm": {
      properties: { kind: {}, entity: {}, points: { type: "integer" } },
      required: ["kind", "entity", "points"],
    },
    "game.Note": { properties: { kind: {}, text: { type: "string" } }, required: ["kind", "text"] },
    "game.Create": {
      properties: { kind: {}, entity: {}, name: { type: "string" } },
      required: ["kind", "entity", "name"],
    },
    "rolls.Roll": {
      properties: { kind: {}, notation: { type: "string" }, aim: { type: "string" } },
      required: ["kind", "notation"],
    },
  },
  name: (id) => ({ ana: "Ana", rat: "Rat", "rat-2": "Rat king" })[id] ?? id,
  people: [
    { name: "Gwen", audience: "gm" },
    { name: "Gwen the Elder", audience: undefined },
    { name: "Pia", audience: "self" },
    { name: "Bruno", audience: undefined },
  ],
  lines: { "game.Rest": "a night’s sleep" },
  acting: "ana",
  mayUndo: false,
};

function command(kind: string, fields: object = {}): Parsed {
  return { act: "command", command: { kind, ...fields } };
}

describe("a line", () => {
  test.each<[string, Parsed]>([
    ["Hello there", { act: "say", words: "Hello there" }],
    ["//shrug", { act: "say", words: "/shrug" }],
    ["/me opens the door", { act: "say", words: "Ana opens the door" }],
    ["/r 2d6+1", command("rolls.Roll", { notation: "2d6+1" })],
    ["/r 2d6 + 1 for the door", command("rolls.Roll", { notation: "2d6+1", aim: "the door" })],
    ["/roll 4d6kh3", command("rolls.Roll", { notation: "4d6kh3" })],
    ["/r 4dF to jump", command("rolls.Roll", { notation: "4dF", aim: "to jump" })],
    ["/w gm I take the ring", { act: "say", words: "I take the ring", audience: "gm" }],
    ["/w me /r d20", { act: "command", command: { kind: "rolls.Roll", notation: "d20" }, audience: "self" }],
    ["/w gwen I take the ring", { act: "say", words: "I take the ring", audience: "gm" }],
    ["/w Pia /r d20", { act: "command", command: { kind: "rolls.Roll", notation: "d20" }, audience: "self" }],
    ["/check locks", command("game.Check", { entity: "ana", ability: "locks" })],
    ["/Check", command("game.Check", { entity: "ana" })],
    ["/check stealth past the guard", command("game.Check", { entity: "ana", ability: "stealth", aim: "past the guard" })],
    ["/check against someone Rat king", command("game.CheckAside", { entity: "ana", target: "rat-2" })],
    ["/check against someone rat", command("game.CheckAside", { entity: "ana", target: "rat" })],
    ["/check-against-someone rat", command("game.CheckAside", { entity: "ana", target: "rat" })],
    ["/harm 7", command("game.Harm", { entity: "ana", points: 7 })],
    ['/note "The bell rings"', command("game.Note", { text: "The bell rings" })],
    ["/harm", { act: "form", kind: "game.Harm" }],
    ["/create", { act: "form", kind: "game.Create" }],
    ["/help", { act: "keys" }],
  ])("%s", (line, expected) => {
    expect(parse(line, place)).toEqual(expected);
  });

  test.each([
    ["/dance", "There is no command “/dance” right now."],
    ["/attack rat", "There is no command “/attack” right now."],
    ["/r", "Write the dice after /r"],
    ["/r hello", "Write the dice after /r"],
    ["/w bo hello", "Write for whom"],
    ["/w gm", "Write for whom"],
    ["/w bo hello", "Choose one of: Gwen, Pia."],
    ["/w bruno hello", "Bruno would not see it: only the GM reads what is whispered."],
    ["/w gwen the elder hello", "Gwen the Elder would not see it"],
    ["/w gm /undo", "Only the GM can undo"],
    ["/me", "Write what your character does"],
    ["/undo", "Only the GM can undo"],
    ["/check against someone Bo", "Choose one of: Rat, Rat king."],
    ["/harm many", "“many” does not fit here."],
  ])("%s says what to do", (line, why) => {
    const parsed = parse(line, place);
    expect(parsed.act).toBe("wrong");
    expect(parsed).toHaveProperty("why", expect.stringContaining(why));
  });

  test("of the GM can undo", () => {
    expect(parse("/undo", { ...place, mayUndo: true })).toEqual({ act: "undo" });
  });

  test("of a game with its own rolls by notation uses them", () => {
    const own = choice("own.Roll", {}, {});
    const schema = { properties: { kind: {}, entity: {}, notation: {} }, required: ["kind"] };
    const game = { ...place, choices: [...place.choices, own], schemas: { ...place.schemas, "own.Roll": schema } };
    expect(parse("/r d20", game)).toEqual(command("own.Roll", { notation: "d20", entity: "ana" }));
  });

  test("with a roll needs a session with free rolls", () => {
    const game = { ...place, choices: place.choices.filter((each) => each.kind !== "rolls.Roll") };
    expect(parse("/r d20", game)).toHaveProperty("why", expect.stringContaining("without free rolls"));
  });
});

describe("a suggestion", () => {
  const lines = (line: string) => suggest(line, place).map((each) => each.line);

  test("comes only after a slash", () => {
    expect(lines("check")).toEqual([]);
    expect(lines("//")).toEqual([]);
  });

  test("names commands that are allowed now", () => {
    expect(lines("/ch")).toEqual(["/check ", "/check-against-someone "]);
    expect(lines("/check-a")).toEqual(["/check-against-someone "]);
    expect(lines("/att")).toEqual([]);
    expect(lines("/")).toContain("/r ");
  });

  test("says how likely a success is", () => {
    expect(suggest("/check", place)[0]?.hint).toBe("50 %");
  });

  test("completes the allowed values", () => {
    expect(lines("/check ")).toEqual(["/check locks ", "/check stealth "]);
    expect(lines("/check st")).toEqual(["/check stealth "]);
    expect(lines("/check against someone ra")).toEqual([
      "/check against someone Rat ",
      "/check against someone Rat king ",
    ]);
    expect(lines("/check-against-someone ra")).toEqual([
      "/check-against-someone Rat ",
      "/check-against-someone Rat king ",
    ]);
    expect(lines("/check locks ")).toEqual([]);
  });

  test("works behind a whisper", () => {
    expect(lines("/w gm /check l")).toEqual(["/w gm /check locks "]);
    expect(lines("/w Gwen /check l")).toEqual(["/w Gwen /check locks "]);
  });

  test("names those to whom one can whisper", () => {
    expect(lines("/w g")).toEqual(["/w Gwen "]);
    expect(lines("/w b")).toEqual([]);
  });

  test("says in a few words what a command does", () => {
    expect(suggest("/rest", place)[0]?.hint).toBe("a night’s sleep");
  });
});
