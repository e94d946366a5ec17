/** The fields of the command that creates a character, in the two steps in which people fill them in. */

import type { Command } from "../api/client";
import type { CommandSchema, FieldSchema } from "../api/command-schemas";
import { plain } from "../home/games";
import { label } from "../text";

export type Value = string | number | boolean;

export interface Field {
  name: string;
  shown: string;
  hint: string;
  kind: "text" | "long" | "choice" | "number" | "tick";
  required: boolean;
  values: string[];
  schema: FieldSchema;
}

/** A text of more characters than this gets several lines. */
const LONG_TEXT = 200;
/** Fields that the page fills in by itself. */
const BY_ITSELF = ["kind", "entity", "name", "seat"];

/** Return the fields that people fill in, apart from the name. */
export function fieldsOf(schema: CommandSchema): Field[] {
  return Object.entries(schema.properties)
    .filter(([name]) => !BY_ITSELF.includes(name))
    .map(([name, each]) => ({
      name,
      shown: each.title ?? label(name),
      hint: plain(each.description ?? ""),
      kind: kindOf(each),
      required: schema.required?.includes(name) ?? false,
      values: each.enum ?? [],
      schema: each,
    }));
}

function kindOf({ type, enum: values, maxLength }: FieldSchema): Field["kind"] {
  if (values) return "choice";
  if (type === "boolean") return "tick";
  if (type === "integer") return "number";
  return (maxLength ?? 0) > LONG_TEXT ? "long" : "text";
}

/** Return the values to begin with: those of the ruleset. */
export function firstValues(fields: Field[]): Record<string, Value> {
  return Object.fromEntries(
    fields.flatMap(({ name, schema }) => {
      const [first] = schema.examples ?? [];
      return first === undefined ? [] : [[name, first]];
    }),
  );
}

/** Build the command. Fields that were left empty are absent. */
export function commandOf(
  kind: string,
  fields: Field[],
  given: Record<string, Value | null | undefined>,
  who: { name: string; entity: string; seat?: string },
): Command {
  const command: Command = { kind, entity: who.entity, name: who.name };
  if (who.seat) command["seat"] = who.seat;
  for (const { name, kind: sort } of fields) {
    const value = given[name];
    if (value === undefined || value === null || value === "" || (sort === "tick" && !value)) continue;
    command[name] = typeof value === "string" ? value.replace(/\s*\n\s*/g, " ").trim() : value;
  }
  return command;
}
