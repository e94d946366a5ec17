/** The fields of the command that creates a character, in the two steps in which people fill them in. */

import type { Choice, Command } from "../api/client";
import { plain } from "../home/games";
import { label } from "../text";

export type Value = string | number | boolean;

export interface FieldSchema {
  type?: string;
  description?: string;
  enum?: string[];
  examples?: Value[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export interface CommandSchema {
  description?: string;
  properties: Record<string, FieldSchema>;
  required?: string[];
}

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

/** Whether a command brings somebody new: it needs a name, and an id that is not there yet. */
export function isCreation(choice: Choice, schema: CommandSchema | undefined): boolean {
  const required = schema?.required ?? [];
  const isNew = !(choice.values && "entity" in choice.values);
  return choice.allowed && isNew && required.includes("name") && required.includes("entity");
}

/** Return the fields that people fill in, apart from the name. */
export function fieldsOf(schema: CommandSchema): Field[] {
  return Object.entries(schema.properties)
    .filter(([name]) => !BY_ITSELF.includes(name))
    .map(([name, each]) => ({
      name,
      shown: label(name),
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

/** Return an id that nobody has, made from a name. */
export function newId(name: string, taken: Record<string, unknown>): string {
  const ascii = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const base = ascii.replace(/^[^a-z]+|-+$/g, "").slice(0, 24) || "someone";
  let id = base;
  for (let nth = 2; id in taken; nth++) id = `${base}-${nth}`;
  return id;
}
