/** The fields of the command that creates a character, in the two steps in which people fill them in. */

import type { Command } from "../api/client";
import type { CommandSchema } from "../api/command-schemas";
import { plain } from "../home/games";
import { type FormField, type Given, fieldOf, read, readAll, written } from "../table/action-form";

/** Fields that the page fills in by itself. */
const BY_ITSELF = ["kind", "entity", "name", "seat"];

export interface CharacterForm {
  all: FormField[];
  /** Who the character is: what people have to say, and what can stay as it is. */
  who: FormField[];
  whoElse: FormField[];
  /** What it can do, likewise. */
  scores: FormField[];
  rest: FormField[];
}

/** Return the fields that people fill in, apart from the name. */
export function formOf(schema: CommandSchema | undefined): CharacterForm {
  const all = Object.entries(schema?.properties ?? {})
    .filter(([name]) => !BY_ITSELF.includes(name))
    .map(([name, each]) => {
      const hinted = { ...each, description: plain(each.description ?? "") };
      return fieldOf(name, hinted, schema?.required?.includes(name) ?? false, each.enum);
    });
  const isScore = ({ kind }: FormField) => kind === "number" || kind === "tick";
  const isAsked = ({ isRequired, schema: { examples } }: FormField) => isRequired && !examples;
  const who = all.filter((field) => !isScore(field));
  return {
    all,
    who: who.filter(isAsked),
    whoElse: who.filter((field) => !isAsked(field)),
    scores: all.filter((field) => isScore(field) && field.isRequired),
    rest: all.filter((field) => isScore(field) && !field.isRequired),
  };
}

/** Return what people chose in a few words, such as "human · medium". */
export function chosenWords(fields: FormField[], given: Given): string {
  const short = fields.filter(({ kind }) => kind !== "long");
  return short.flatMap((field) => read(field, given[field.name]) ?? []).join(" · ");
}

/** Return the values to begin with: those of an earlier command, or of the ruleset. */
export function givenOf(fields: FormField[], command: Partial<Command> = {}): Given {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = (command[field.name] as string | undefined) ?? field.schema.examples?.[0];
      return value === undefined ? [] : [[field.name, written(field, value)]];
    }),
  );
}

/** Build the command. Fields that were left empty are absent. */
export function commandOf(
  kind: string,
  fields: FormField[],
  given: Given,
  { name, entity, seat }: { name: string; entity: string; seat?: string },
): Command {
  return { kind, entity, name, ...(seat ? { seat } : {}), ...readAll(fields, given) };
}
