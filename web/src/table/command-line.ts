/**
 * The command line: what a line means that begins with a slash, and how it can be completed.
 *
 * A game's commands are called by their titles, and their arguments are the values that the API
 * allows now. A line without a slash is said aloud.
 */

import type { Choice, Command } from "../api/client";
import { type CommandSchema, type CommandSchemas, fieldType, isCreation, titleOf } from "../api/command-schemas";
import { label, text, words } from "../text";

type Audience = "gm" | "self";

/** What a line asks for. */
export type Parsed =
  | { act: "say"; words: string; audience?: Audience }
  | { act: "command"; command: Command; audience?: Audience }
  | { act: "form"; kind: string }
  | { act: "undo" }
  | { act: "keys" }
  | { act: "wrong"; why: string };

/** A way to go on with a line. */
export interface Suggestion {
  /** The line with the suggestion. */
  line: string;
  shown: string;
  hint: string;
}

interface Person {
  name: string;
  audience: Audience | undefined;
}

/** What the command line knows of the table. */
export interface Place {
  choices: readonly Choice[];
  schemas: CommandSchemas;
  name: (id: string) => string;
  /** The people and characters of the table, and the audience with which one whispers to them, if there is one. */
  people: readonly Person[];
  /** A few words about commands, by kind. */
  lines: Readonly<Record<string, string>>;
  /** The entity that acts. */
  acting: string | undefined;
  mayUndo: boolean;
}

type Value = Command[string];

interface Argument {
  field: string;
  value: Value;
}

/** The command of every game that rolls by notation. */
export const FREE_ROLL = "rolls.Roll";
const MAX_SUGGESTIONS = 8;
const DICE = /^(?=.*\d|[-+*/()]+$|\d*d[f%])[-+*/()\d.d%khlrf!<>=o]+(\[[^\]]*\])?$/i;

/** Return what a line asks for. */
export function parse(line: string, place: Place): Parsed {
  const typed = line.trim();
  if (!typed.startsWith("/")) return { act: "say", words: typed };
  if (typed.startsWith("//")) return { act: "say", words: typed.slice(1) };
  const [first, rest] = split(typed.slice(1));
  switch (first) {
    case "":
    case "?":
    case "help":
      return { act: "keys" };
    case "undo":
      return place.mayUndo ? { act: "undo" } : wrong(text.playing.undoIsForGm);
    case "me":
      return rest ? { act: "say", words: `${actorOf(place)} ${rest}` } : wrong(text.playing.meHow);
    case "w":
      return whisper(rest, place);
    case "r":
      return freeRoll(rest, place);
  }
  const found = commandOf(typed.slice(1), place);
  if (found) return withArguments(found.choice, found.rest, place);
  if (first === "roll") return freeRoll(rest, place);
  return wrong(text.playing.unknown(first, closest(first, place)));
}

/** Return how a line can go on. */
export function suggest(line: string, place: Place): Suggestion[] {
  if (!line.startsWith("/") || line.startsWith("//")) return [];
  const whispered = /^\/w\s+/i.exec(line)?.[0];
  if (whispered) return suggestWhispers(whispered, line.slice(whispered.length), place);
  const typed = line.slice(1);
  const found = commandOf(typed, place);
  if (found && (typed.endsWith(" ") || found.rest)) return nextValues(line, found.choice, place);
  const start = spaced(typed);
  const builtIn = text.playing.builtIn
    .filter(([name]) => name.startsWith(start) && (name !== "undo" || place.mayUndo))
    .map(([name, hint]) => ({ line: `/${name} `, shown: `/${name}`, hint }));
  const commands = commandsOf(place)
    .filter(({ title }) => title.startsWith(start) || (start && title.includes(` ${start}`)))
    .map(({ choice, title }) => ({ line: `${typedName(title)} `, shown: typedName(title), hint: hintOf(choice, place) }));
  return (start ? [...commands, ...builtIn] : [...builtIn, ...commands]).slice(0, MAX_SUGGESTIONS);
}

/** Suggest to whom one can whisper, or how a whispered command goes on. */
function suggestWhispers(before: string, rest: string, place: Place): Suggestion[] {
  const listener = listenerOf(rest, place);
  const said = listener && rest.slice(listener.name.length).trimStart();
  if (said?.startsWith("/")) {
    const start = before + rest.slice(0, rest.length - said.length);
    return suggest(said, place).map((each) => ({ ...each, line: start + each.line }));
  }
  return listenersOf(place)
    .filter(({ name }) => rest !== "" && name.toLowerCase().startsWith(rest.toLowerCase()) && name.length > rest.length)
    .map(({ name }) => ({ line: `${before}${name} `, shown: name, hint: "" }))
    .slice(0, MAX_SUGGESTIONS);
}

/** Write the name of a command as it stands in lists: without spaces. */
function typedName(title: string): string {
  return `/${title.replaceAll(" ", "-")}`;
}

/** Write what was typed in small letters, with spaces for hyphens: both are accepted in names of commands. */
function spaced(typed: string): string {
  return typed.toLowerCase().replaceAll("-", " ");
}

function wrong(why: string): Parsed {
  return { act: "wrong", why };
}

/** Split a text into its first word, in small letters, and the rest. */
function split(typed: string): [string, string] {
  const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(typed) ?? [];
  return [first.toLowerCase(), rest.trim()];
}

function actorOf(place: Place): string {
  return place.name(place.acting ?? "");
}

/** Understand what follows /w: for whom, and what is said or done in secret. */
function whisper(typed: string, place: Place): Parsed {
  const listener = listenerOf(typed, place);
  const rest = typed.slice(listener?.name.length ?? 0).trim();
  const named = listenersOf(place).map(({ name }) => name);
  if (!listener || !rest) return wrong(text.playing.whisperHow(named));
  const { audience } = listener;
  if (!audience) return wrong(text.playing.notHeard(listener.name, named));
  const inner = parse(rest, place);
  if (inner.act === "say" || inner.act === "command") return { ...inner, audience };
  return inner.act === "wrong" ? inner : wrong(text.playing.notInSecret);
}

/** Return the one with whose name a text begins. Of several, it is the longest name. */
function listenerOf(typed: string, place: Place): Person | undefined {
  const lower = typed.toLowerCase();
  const isNamed = ({ name }: Person) => lower === name.toLowerCase() || lower.startsWith(`${name.toLowerCase()} `);
  return [{ name: "gm", audience: "gm" as const }, { name: "me", audience: "self" as const }, ...place.people]
    .filter(isNamed)
    .sort((a, b) => b.name.length - a.name.length)[0];
}

/** Return those to whom one can whisper. */
function listenersOf({ people }: Place): Person[] {
  return people.filter(({ audience }) => audience !== undefined);
}

/** Understand a roll by notation, such as `2d6+1 for the door`. */
function freeRoll(typed: string, place: Place): Parsed {
  const kind = freeRollKind(place);
  if (!kind) return wrong(text.playing.noFreeRolls);
  const parts = typed.split(/\s+/).filter(Boolean);
  let number = parts.findIndex((part) => !DICE.test(part));
  if (number < 0) number = parts.length;
  if (!number) return wrong(text.playing.rollHow);
  const command: Command = { kind, notation: parts.slice(0, number).join("") };
  const aim = parts.slice(number).join(" ").replace(/^for\s+/i, "");
  if (aim) command["aim"] = aim;
  const fields = place.schemas[kind]?.properties ?? {};
  if (place.acting && "entity" in fields) command["entity"] = place.acting;
  return { act: "command", command };
}

/** Return the command that rolls by notation: the game's own, or that of every game. */
function freeRollKind({ choices, schemas }: Place): string | undefined {
  const allowed = choices.filter((each) => each.allowed).map((each) => each.kind);
  const isOwn = (kind: string) =>
    "notation" in (schemas[kind]?.properties ?? {}) && required(schemas[kind]).length === 0;
  return allowed.find(isOwn) ?? allowed.find((kind) => kind === FREE_ROLL);
}

function required(schema: CommandSchema | undefined): string[] {
  return (schema?.required ?? []).filter((field) => field !== "kind");
}

/** Return the allowed commands with their titles, rolls first. */
function commandsOf(place: Place): { choice: Choice; title: string }[] {
  const isRoll = (choice: Choice) => (choice.odds || choice.success ? 0 : 1);
  return place.choices
    .filter((each) => each.allowed && each.kind !== FREE_ROLL)
    .sort((a, b) => isRoll(a) - isRoll(b))
    .map((choice) => ({ choice, title: spaced(titleOf(choice.kind, place.schemas)) }));
}

/** Find the command with which a text begins, and what follows it. */
function commandOf(typed: string, place: Place): { choice: Choice; rest: string } | undefined {
  const lower = spaced(typed);
  const named = commandsOf(place)
    .flatMap(({ choice, title }) => [
      { choice, title },
      { choice, title: spaced(words(choice.kind)) },
    ])
    .filter(({ title }) => lower.trim() === title || (lower.startsWith(title) && typed.charAt(title.length) === " "))
    .sort((a, b) => b.title.length - a.title.length)[0];
  return named && { choice: named.choice, rest: typed.slice(named.title.length).trim() };
}

function closest(word: string, place: Place): string[] {
  const titles = commandsOf(place).map(({ title }) => title);
  const near = titles.filter((title) => title.startsWith(word) || word.startsWith(title.slice(0, 3)));
  return (near.length ? near : titles).slice(0, 3).map(typedName);
}

/** Build a command of the words that follow its title. */
function withArguments(choice: Choice, typed: string, place: Place): Parsed {
  const { schema, example } = details(choice, place);
  if (!schema || isCreation(choice, schema)) return { act: "form", kind: choice.kind };
  const { given, rest } = readArguments(choice, typed, place);
  if (rest) {
    const open = openFields(choice, given, place);
    return wrong(text.playing.unknownWord(rest, open.flatMap((field) => shownValues(field, choice, place))));
  }
  const command: Command = { kind: choice.kind };
  if (place.acting && example["entity"] === place.acting) command["entity"] = place.acting;
  for (const { field, value } of given) command[field] = value;
  for (const field of required(schema)) {
    if (field in command) continue;
    const values = choice.values?.[field] ?? [];
    if (values.length === 1) command[field] = values[0];
    else return typed ? wrong(text.playing.missing(label(field), shownValues(field, choice, place))) : { act: "form", kind: choice.kind };
  }
  return { act: "command", command };
}

function details(choice: Choice, place: Place): { schema: CommandSchema | undefined; example: Command } {
  return { schema: place.schemas[choice.kind], example: choice.example as Command };
}

/** Return the fields that are not given yet, those that are needed first. */
function openFields(choice: Choice, given: readonly Argument[], place: Place): string[] {
  const { schema, example } = details(choice, place);
  const needed = required(schema);
  return [...needed, ...Object.keys(schema?.properties ?? {}).filter((field) => !needed.includes(field))].filter(
    (field) =>
      field !== "kind" &&
      !(field === "entity" && example["entity"] === place.acting) &&
      !given.some((each) => each.field === field),
  );
}

/**
 * Read as many arguments as there are. The rest is what could not be understood. Without `freely`, only the values that
 * are listed are read.
 */
function readArguments(
  choice: Choice,
  typed: string,
  place: Place,
  freely = true,
): { given: Argument[]; rest: string } {
  const given: Argument[] = [];
  let rest = typed.trim();
  while (rest) {
    const found = nextArgument(choice, rest, given, place, freely);
    if (!found) break;
    given.push({ field: found.field, value: found.value });
    rest = rest.slice(found.length).trim();
  }
  return { given, rest };
}

function nextArgument(
  choice: Choice,
  rest: string,
  given: readonly Argument[],
  place: Place,
  freely: boolean,
): (Argument & { length: number }) | undefined {
  const open = openFields(choice, given, place);
  const lower = rest.toLowerCase();
  const listed = open
    .flatMap((field) =>
      (choice.values?.[field] ?? []).map((value) => ({ field, value, shown: shownValue(value, place).toLowerCase() })),
    )
    .filter(({ shown }) => lower === shown || lower.startsWith(`${shown} `))
    .sort((a, b) => b.shown.length - a.shown.length)[0];
  if (listed) return { field: listed.field, value: listed.value, length: listed.shown.length };
  if (!freely) return undefined;
  const properties = place.schemas[choice.kind]?.properties ?? {};
  const number = /^[-+]?\d+(?=\s|$)/.exec(rest)?.[0];
  const whole = number && open.find((field) => fieldType(properties[field]) === "integer");
  if (number && whole) return { field: whole, value: Number(number), length: number.length };
  const free = open.find((field) => fieldType(properties[field]) === "string" && !choice.values?.[field]);
  if (!free) return undefined;
  const quoted = /^"([^"]*)"/.exec(rest);
  return { field: free, value: quoted ? quoted[1]! : rest, length: quoted ? quoted[0].length : rest.length };
}

/** Return the values that can follow. */
function nextValues(line: string, choice: Choice, place: Place): Suggestion[] {
  const typed = line.slice(1);
  const { rest: after } = commandOf(typed, place)!;
  const { given, rest } = readArguments(choice, after, place, false);
  if (!rest && !line.endsWith(" ")) return [];
  const before = rest ? line.slice(0, line.trimEnd().length - rest.length) : line;
  return openFields(choice, given, place)
    .flatMap((field) => shownValues(field, choice, place).map((shown) => ({ field, shown })))
    .filter(({ shown }) => shown.toLowerCase().startsWith(rest.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ field, shown }) => ({ line: `${before}${shown} `, shown, hint: label(field) }));
}

function shownValues(field: string, choice: Choice, place: Place): string[] {
  return (choice.values?.[field] ?? []).map((value) => shownValue(value, place));
}

function shownValue(value: unknown, place: Place): string {
  if (typeof value === "boolean") return value ? text.yes : text.no;
  if (Array.isArray(value)) return value.map((each) => shownValue(each, place)).join(", ");
  return typeof value === "string" ? place.name(value) : String(value);
}

function hintOf(choice: Choice, place: Place): string {
  if (choice.success) return `${Math.round(choice.success.percent)} %`;
  return place.lines[choice.kind] ?? place.schemas[choice.kind]?.description?.split("\n")[0] ?? "";
}
