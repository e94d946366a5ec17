/** What a field of a command or an option takes, in words. */

import { text } from "../text";

export interface Field {
  type?: string;
  description?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  items?: Field;
  anyOf?: Field[];
}

/** Write a value as people do. */
export function written(value: unknown): string {
  if (typeof value === "boolean") return value ? text.yes : text.no;
  return Array.isArray(value) ? value.map(written).join(", ") : String(value);
}

/** Say which values a field takes, and whether it may be left out. */
export function takes(field: Field, isRequired: boolean): string {
  const rest = field.default !== undefined ? text.rules.usually(written(field.default)) : isRequired ? "" : text.rules.optional;
  return [kind(field), rest].filter(Boolean).join("; ") + ".";
}

function kind(field: Field): string {
  if (field.enum) return text.rules.oneOf(field.enum.map(written));
  if (field.anyOf) return [...new Set(field.anyOf.map(kind))].join(text.rules.or);
  if (field.type === "boolean") return `${text.yes}${text.rules.or}${text.no}`;
  if (field.type === "array") return text.rules.several(field.items ? kind(field.items) : "");
  if (field.type === "integer" || field.type === "number") return text.rules.number(field.minimum, field.maximum);
  return text.rules.text;
}
