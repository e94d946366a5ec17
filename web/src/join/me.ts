/** What this browser remembers of its person between sessions: the name, the colour, and characters. */

import type { Command } from "../api/client";
import { COLOURS, type Colour } from "../shell/seats";
import { readStored, store } from "../shell/storage";

const KEY = "fairlog-me";

interface Me {
  name: string;
  colour?: Colour;
  /** The newest character that was created here, by ruleset. */
  characters: Record<string, Command>;
}

export function me(): Me {
  const found = (readStored(KEY) ?? {}) as Partial<Me>;
  const colour = COLOURS.find((each) => each === found.colour);
  return { name: String(found.name ?? ""), colour, characters: found.characters ?? {} };
}

export function rememberMe(known: Partial<Me>): void {
  store(KEY, { ...me(), ...known });
}

export function rememberCharacter(ruleset: string, command: Command): void {
  rememberMe({ characters: { ...me().characters, [ruleset]: command } });
}

/** Return the colour that a person probably wants: their last one, unless another seat has it. */
export function likelyColour(taken: Partial<Record<Colour, string>>): Colour {
  const own = me().colour;
  const isFree = (colour: Colour) => taken[colour] === undefined;
  return own && isFree(own) ? own : (COLOURS.find(isFree) ?? "pink");
}
