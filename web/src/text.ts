/** Every text of the console, so that it can be translated. */

export const text = {
  nothingHere: "There is nothing at this address.",
  live: "Live",
  offline: "Connecting…",
  party: "Party",
  others: "Creatures and others",
  log: "Log",
  board: "Board",
  usedUp: "used up",
  token: (point: string) => `The token is on ${point}`,
  left: "left",
  discarded: (number: number) => `${number} discarded`,
  gradeOf: (grade: string) => `Grade ${grade}`,
  act: "Act",
  more: "More",
  you: "you",
  away: "away",
  loading: "Loading the session…",
  older: "Show earlier turns",
  say: "Say something…",
  send: "Send",
  secretTurn: (name: string) => `${name} did something in secret`,
  waiting: "Waiting for the seats to draw",
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
  nobodyYet: "Nobody is here yet. Create a character under Act.",
  copyByHand: "Copy the link by hand: it is selected.",
  unavailable: (number: number) => `Not possible now (${number})`,
  options: "More options",
  cancel: "Cancel",
  doIt: "Do it",
  choose: "choose…",
  unset: "not set",
  yes: "yes",
  no: "no",
  secret: "Secret: only the GM and I see it",
  secretGm: "Secret: only I see it",
  realDice: "I rolled real dice:",
  realDiceHint: "values, such as 4 or 3 5",
  undoLast: "Undo the last turn",
  undoReason: "undone by the GM",
  invite: "Invite",
  inviteText: "Send this link to one player. It can be used once, within a week.",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  oldPages: "All functions",
  pages: "Pages of this session",
  panels: "Panels",
  table: "Table",
  luck: "Luck",
  computing: "The figures are being computed. This page updates itself.",
  tryAgain: "The server cannot be reached. Try again in a moment.",
  counted: (turns: number, rolls: number) => `${turns} turns, ${rolls} rolls with luck`,
  unlucky: "unlucky",
  ordinary: "an ordinary session",
  lucky: "lucky",
  successes: "Successes",
  howLucky: (share: number) => (share > 0.75 ? "Lucky" : share < 0.25 ? "Unlucky" : "As usual"),
  of: (seen: number, of: number) => `${seen} of ${of}`,
  expected: (number: number) => `${number.toFixed(1)} expected`,
  tooFew: (name: string) => `${name}: too few rolls to say.`,
  moments: "Moments",
  momentKinds: {
    rarest: "Rarest roll",
    drought: "Longest drought",
    save: "Best save",
    decisive: "Most decisive",
  } as Record<string, string>,
  oneIn: (chance: number) => `1 in ${Math.round(1 / chance).toLocaleString()}`,
  everyone: "Everyone",
  rolls: (number: number) => `${number} rolls`,
  times: (value: string, number: number) => `${value} came ${number} times`,
  whatShowed: (source: string) => `What the ${source} showed`,
  bandLegend: "Shaded: what 95 of 100 sessions with fair dice show. Dashed: what is expected.",
  howCounted: "Each roll is compared with what else could have come at that moment.",
  allNumbers: "All numbers, with z and p",
  closed: "This session has ended. Nothing more can be done in it.",
  spectating: "You are watching. Only players and the GM can act.",
  notFound: "This session cannot be shown. Open your invitation link again, or ask the GM for one.",
  drawsTogether:
    "In this session, your browser helps to roll the dice. Act on the page of all functions, or keep it open beside this one.",
  allFunctions: "Open it",
};

/** Replace ids in braces, such as {ana} or {@gm}, with names, and doubled braces with single ones. */
export function fill(said: string, names: Record<string, string>): string {
  return said.replace(/\{\{|\}\}|\{([^{}]+)\}/g, (found, id?: string) =>
    id === undefined ? found.charAt(0) : (names[id] ?? id.replace(/^@/, "")),
  );
}

/** Turn the name of a command, such as dhextiny.CheckAside, into words. */
export function words(kind: string): string {
  const parts = kind.replace(/^.*\./, "").split(/(?=[A-Z])/).map(lower);
  const name = parts.join(" ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Write a part of a name in small letters, or in capitals if it is an abbreviation such as PC. */
function lower(part: string): string {
  return part.length <= 3 && !/[aeiouy]/i.test(part) ? part.toUpperCase() : part.toLowerCase();
}

/** Turn the name of a field, such as ap_max, into words. */
export function label(field: string): string {
  const name = field.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
