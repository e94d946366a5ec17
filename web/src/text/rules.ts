/** Texts of a game's rules and of the options of a session. */

export const rulesText = {
  edition: (edition: string) => `Edition ${edition}, as this server plays it.`,
  start: "Start a session",
  notes: "About this text",
  contents: "On this page",
  commands: "Actions",
  commandsHint: "What people can do at the table. What else an action needs, the rules say.",
  options: "Options",
  optionsHint: "They are chosen when a session begins, and stay as they are.",
  names: "Show the names that programs use",
  namesHint: "Each rule then has the name of its refusal, and marks this server’s own rulings.",
  odds: "Odds in typical situations",
  oddsHint: "Exact chances in moments of an example session. At the table they stand beside each action.",
  chance: (percent: number, numerator: number, denominator: number) =>
    `${percent < 0.01 ? "under 0.01" : percent.toFixed(2)} % (${numerator}/${denominator})`,
  noFields: "It needs nothing more.",
  rule: (number: string) => (number.includes(".") ? `rule ${number}` : `chapter ${number}`),
  table: (chapter: string, number: number) => `Table in chapter ${chapter}, part ${number}`,
  optional: "may be left out",
  usuallyUnset: "usually not set",
  usually: (value: string) => `usually ${value}`,
  oneOf: (values: string[]) => values.join(", "),
  or: " or ",
  several: (what: string) => `several: ${what || "values"}`,
  number: (least?: number, most?: number) =>
    least === undefined && most === undefined
      ? "a number"
      : most === undefined
        ? `a number from ${least}`
        : `a number from ${least ?? "below"} to ${most.toLocaleString()}`,
  text: "a text",
};
