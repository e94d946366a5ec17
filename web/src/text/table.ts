/** Texts of the table. */

import type { Schemas } from "../api/client";
import { signed } from "./words";

export const table = {
  party: "Party",
  others: "Creatures and others",
  log: "Log",
  board: "Board",
  usedUp: "used up",
  token: (point: string) => `The token is on ${point}`,
  left: "left",
  discarded: (number: number) => `${number} discarded`,
  act: "Act",
  away: "away",
  older: "Show earlier turns",
  say: "Say something…",
  secretTurn: (name: string) => `${name} did something in secret`,
  undone: "undone",
  grade: {
    A: ["Fair", "all seats drew it"],
    B: ["Fair", "with random bytes of the player"],
    C: ["Logged", "the server drew it"],
    D: ["Typed in", "a real die"],
  } as Record<string, [string, string]>,
  actionsOf: (name: string) => `${name}: actions`,
  yourActions: "Actions",
  nextForYou: "Next for you",
  noActions: "Nothing can be done here right now.",
  overrides: "GM overrides",
  withReason: "With a reason",
  secretTag: "secret",
  audience: {
    gm: "Only the GM and whoever did it can see this.",
    self: "Only whoever did it can see this.",
  } as Record<string, string>,
  reveal: "Show to everyone",
  details: "Details",
  detailsAt: (time: string) => `Details of ${time}`,
  turnOf: (turn: number, name: string) => `Turn ${turn}, by ${name}`,
  chanceOf: (outcome: string, percent: number) => `Chance of ${outcome}: ${percent} %`,
  poolChange: (name: string, by: number, label: string) =>
    name
      ? `${name} ${by < 0 ? "loses" : "gains"} ${Math.abs(by)} ${label}`
      : `${label} ${signed(by)}`,
  moreDice: (number: number) => `and ${number} more`,
  onScale: (value: number, goal: string) => `Rolled ${value} against a goal of ${goal}`,
  goal: (goal: string) => `goal ${goal}`,
  cardShows: (card: Schemas["DrawnCard"]) =>
    `${card.name}: ${(card.edges ?? []).map((edge) => `${edge.side} ${edge.symbol}`).join(", ")}`,
  counts: "counts",
  notTaken: "not taken",
  nobodyYet: "Nobody is here yet. Create a character under Act.",
  unavailable: (number: number) => `Not possible now (${number})`,
  options: "More options",
  doIt: "Do it",
  unset: "not set",
  secret: "Secret: only the GM and I see it",
  secretGm: "Secret: only I see it",
  realDice: "I rolled real dice:",
  realDiceHint: "values, such as 4 or 3 5",
  undoLast: "Undo the last turn",
  undoReason: "undone by the GM",
  seatLost:
    "You are signed out of this seat: it was left, or it got a new link. Open your newest personal link, or ask the GM for one.",
  panels: "Panels",
  spectating: "You are watching. Only players and the GM can act.",
};
