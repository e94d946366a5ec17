/** The games of the server, and the options of a session as people choose them. */

import { type Schemas, get } from "../api/client";
import { label } from "../text";

export type Game = Schemas["RulesetLine"];

export async function readGames(): Promise<Game[]> {
  return (await get<Schemas["Rulesets"]>("/v1/rulesets")).rulesets;
}

export interface Option {
  name: string;
  shown: string;
  hint: string;
  type: "boolean" | "integer" | "string";
  values: string[];
  min?: number;
  max?: number;
  usual?: string | number | boolean;
}

interface OptionSchema {
  type?: string;
  enum?: string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: string | number | boolean;
}

/** Options of every session, which the form asks for in its own words or by other means. */
const OF_EVERY_SESSION = ["deadline", "declared_dice", "listed", "take_back"];
/** What the end of the last session says, so that no person has to. */
const CARRIED = ["clock", "point", "last_result"];

/** Return a game's own options. */
export async function readOptions(game: string): Promise<Option[]> {
  const view = await get<Schemas["RulesetView"]>(`/v1/rulesets/${game}`);
  const found = (view.options as { properties: Record<string, OptionSchema> }).properties;
  return Object.entries(found)
    .filter(([name]) => !OF_EVERY_SESSION.includes(name) && !CARRIED.includes(name))
    .map(([name, schema]) => option(name, schema));
}

function option(name: string, schema: OptionSchema): Option {
  const said = plain(schema.description ?? "");
  const isTick = schema.type === "boolean";
  return {
    name,
    shown: isTick && said ? said : label(name),
    hint: isTick ? "" : said,
    type: isTick ? "boolean" : schema.type === "integer" ? "integer" : "string",
    values: schema.enum ?? [],
    min: schema.minimum,
    max: schema.maximum,
    usual: schema.default,
  };
}

/** Return a description without its reference to the rulebook, as a sentence. */
export function plain(description: string): string {
  const said = description
    .replace(/\s*\([^()]*\bRULES\b[^()]*\)/g, "")
    .replace(/\bRULES (?=\d)/g, "the rules, ")
    .replace(/`/g, "")
    .replace(/^whether /, "")
    .trim();
  return said.charAt(0).toUpperCase() + said.slice(1);
}
