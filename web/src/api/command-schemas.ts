/** The JSON Schemas of commands, as far as forms and the command line need them. */

import { words } from "../text";
import type { Choice } from "./client";

export interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
  pattern?: string;
  examples?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  anyOf?: FieldSchema[];
}

export interface CommandSchema {
  /** The name of the command for people. */
  title?: string;
  description?: string;
  properties: Record<string, FieldSchema>;
  required?: string[];
}

export type CommandSchemas = Readonly<Record<string, CommandSchema>>;

/** Return the title of a command for people. */
export function titleOf(kind: string, schemas: CommandSchemas): string {
  return schemas[kind]?.title ?? words(kind);
}

/** Return the JSON type of a field. That of an optional field is the first of its types. */
export function fieldType(field: FieldSchema | undefined): string | undefined {
  return field?.type ?? field?.anyOf?.[0]?.type;
}

/** How the pattern of an id begins. */
const ID = "^[a-z][a-z0-9-]";

/**
 * Return the field for the id of what a command brings, such as a character or a deck. It needs a
 * name, too, from which pages make the id.
 */
export function newIdFieldOf(choice: Choice, schema: CommandSchema | undefined): string | undefined {
  const required = schema?.required ?? [];
  if (!required.includes("name")) return undefined;
  return required.find(
    (field) => schema?.properties[field]?.pattern?.startsWith(ID) && !(field in (choice.values ?? {})),
  );
}

/** Whether a command brings a new character or another thing with an id of its own. */
export function isCreation(choice: Choice, schema: CommandSchema | undefined): boolean {
  return newIdFieldOf(choice, schema) !== undefined;
}
