/** Texts of playing by keyboard, of notices, and of the connection. */

const list = (values: readonly string[]): string =>
  values.length ? ` Choose one of: ${values.slice(0, 8).join(", ")}.` : "";

export const playing = {
  say: "Say something, or / for a command",
  sayOrWhisper: "Say something, or / for a command (/w to whisper)",
  commands: "Commands",
  /** The commands of every game, with what they do. */
  builtIn: [
    ["r", "roll any dice: /r 2d6+1 for the door"],
    ["w", "whisper to the GM: /w gm …, or note it for yourself: /w me …"],
    ["me", "say what your character does: /me opens the door"],
    ["undo", "undo the last turn"],
    ["help", "show the keys"],
  ] as [string, string][],
  unknown: (word: string, near: readonly string[]) =>
    `There is no command “/${word}” right now.${near.length ? ` Try ${near.join(", ")}, or type / to see all.` : ""}`,
  unknownWord: (word: string, values: readonly string[]) => `“${word}” does not fit here.${list(values)}`,
  missing: (field: string, values: readonly string[]) => `Add what is missing: ${field}.${list(values)}`,
  rollHow: "Write the dice after /r, such as /r 2d6+1 for the door.",
  noFreeRolls: "This session was started without free rolls. Use the rolls of its game: type / to see them.",
  whisperHow: (names: readonly string[]) =>
    `Write for whom, and what: /w ${names[0] ?? "gm"} I take the ring, or /w ${names[0] ?? "gm"} /r d20.${list(names)}`,
  notHeard: (name: string, names: readonly string[]) =>
    `${name} would not see it: only the GM reads what is whispered.${list(names)}`,
  notInSecret: "That cannot be done in secret. Leave out /w.",
  meHow: "Write what your character does, such as /me opens the door.",
  undoIsForGm: "Only the GM can undo a turn. Ask your GM.",
  average: (mean: string, low: string, high: string) => `${mean} on average, from ${low} to ${high}`,
  again: "Again",
  recent: "Your recent commands",
  secretly: "in secret",
  sending: "sending…",
  kept: "kept, and sent once the connection is back",
  notSent: (what: string, why: string) => `“${what}” was not sent: ${why}`,
  keys: {
    title: "Keys",
    list: [
      ["/", "write a command or say something"],
      ["Tab or Enter", "take the suggestion that is marked"],
      ["↑ and ↓", "choose a suggestion, or call back earlier lines"],
      ["a", "go to the actions"],
      ["l", "go to the log"],
      ["p", "go to the party"],
      ["?", "show these keys"],
      ["Esc", "close what is open, or leave the line"],
    ] as [string, string][],
    commands: "Commands of every game",
    off: "Keyboard shortcuts can be switched off under Settings.",
  },
  news: {
    next: (task: string) => `Next for you: ${task}`,
    rewound: (name: string, undone: string, restored: string) =>
      undone ? `${name} undid ${undone}` : restored ? `${name} brought back ${restored}` : `${name} rewound`,
    turns: (first: number, last: number) => (first === last ? `turn ${first}` : `turns ${first} to ${last}`),
    joined: (name: string) => `${name} joined`,
    rolled: (name: string, what: string) => `${name}: ${what}`,
    affects: (name: string, what: string) => `${name}: ${what}`,
    title: (title: string, isTurn: boolean, unseen: number) =>
      `${isTurn ? "● Your turn · " : unseen ? `(${unseen}) ` : ""}${title} · Fairlog`,
    unseenSuffix: "new",
    close: "Dismiss",
  },
  settings: {
    title: "Notices on this device",
    screen: "Screen and keyboard",
    toasts: "Tell me when it is my turn, and what happens to me",
    sound: "Sound",
    vibration: "Vibration",
    wakeLock: "Keep the screen on while the table is open",
    shortcuts: "Keyboard shortcuts, such as / and ?",
    install: "Fairlog can be installed as an app from your browser's menu.",
  },
};
