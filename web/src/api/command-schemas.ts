/** The JSON Schemas of commands, as far as forms and the command line need them. */

import { words } from "../text";
import type { Choice } from "./client";

export interface FieldSchema {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
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

/** Whether a command brings a new character: it needs a name, and an id that is not there yet. */
export function isCreation(choice: Choice, schema: CommandSchema | undefined): boolean {
  return (schema?.required ?? []).includes("name") && !(choice.values && "entity" in choice.values);
}
