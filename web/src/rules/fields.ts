/** What a field of a command or an option takes, in words. */

import { capitalised, text } from "../text";
import { rulesText } from "../text/rules";

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

/** Say which values a command's field takes, and whether it may be left out. */
export function takes(field: Field, isRequired: boolean): string {
  const rest = field.default !== undefined ? rulesText.usually(written(field.default)) : isRequired ? "" : rulesText.optional;
  return sentence([kind(field), rest].filter(Boolean).join("; "));
}

/** Say which values an option takes, and what holds if no one chooses. */
export function offers(field: Field): string {
  const usual = field.default ?? (field.type === "boolean" ? false : undefined);
  const rest = usual === undefined ? rulesText.usuallyUnset : rulesText.usually(written(usual));
  return sentence(`${kind(field)}; ${rest}`);
}

/** Write a description as a sentence of its own. */
export function sentence(description: string): string {
  const said = capitalised(description.replace(/^whether /, "").trim());
  return !said || /[.!?]$/.test(said) ? said : `${said}.`;
}

function kind(field: Field): string {
  if (field.enum) return rulesText.oneOf(field.enum.map(written));
  if (field.anyOf) return [...new Set(field.anyOf.map(kind))].join(rulesText.or);
  if (field.type === "boolean") return `${text.yes}${rulesText.or}${text.no}`;
  if (field.type === "array") return rulesText.several(field.items ? kind(field.items) : "");
  if (field.type === "integer" || field.type === "number") return rulesText.number(field.minimum, field.maximum);
  return rulesText.text;
}
