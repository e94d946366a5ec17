/** Texts of the first page, of the games, and of starting a session. */

interface About {
  game: string;
  turn: number;
  closed: boolean;
  when: string;
  isLive: boolean;
}

const IN_WORDS = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

export const doors = {
  doors: {
    pages: "Pages",
    games: "Games",
    fair: "How it stays fair",
    api: "API",
  },
  home: {
    pageTitle: "Fairlog: roll together",
    title: "Roll together. No one can cheat, and nothing is lost.",
    lead: "Fairlog keeps the log of your tabletop evening.",
    start: "Start a session",
    facts: ["No account", "Phone or laptop", "Your log is yours to keep"],
    peek: {
      actor: "Bo the Broad",
      verb: "attacks",
      target: "Giant rat",
      time: "20:43",
      result: "Success",
      path: ["F", "PF", "PS"],
      altered: "altered +1 for 3 AP",
      last: "S",
      fair: "Fair",
      drew: "4 seats drew it",
      effect: "Giant rat loses 3 LP",
      change: "4 → 1",
      undone: "Gwen rewound 4 turns. They stay in the log.",
    },
    yours: "Your sessions",
    yoursWhere: "This list is stored in this browser only.",
    all: (number: number) => `Show all ${number}`,
    about: ({ game, turn, closed, when, isLive }: About) =>
      [
        game,
        ...(isLive ? [`turn ${turn}`] : [closed ? `ended ${when}` : when, `${turn} ${turn === 1 ? "turn" : "turns"}`]),
      ].join(", "),
    runs: (gm: string) => `, ${gm} runs it`,
    goOn: "Continue",
    look: "Look back",
    watch: "Watch",
    forgetSome: "Remove some",
    forgetDone: "Done",
    forgetShort: "Remove",
    forget: (title: string) => `Remove ${title} from this list`,
    forgetWhat: "Remove from this list. The session stays, and your personal link brings you back.",
    pick: "Pick a game",
    pickHow: "You run it. Your friends join with a link.",
    public: "Public sessions",
    noPublic: "There are no public sessions yet. A session is listed here if its GM chose that at its start.",
    older: "Show older ones",
    check: "Check a log file",
    checkFile: "Drop a .fairlog or .roll file",
    checkHow: "Or choose one. Your browser checks it, and sends nothing.",
    fairTitle: "How it stays fair",
    fairness: [
      ["No one picks the roll.", "Each roll is mixed from random bytes of the server and of the browsers at the table."],
      ["No one rewrites the log.", "Every event is sealed into one chain. A changed or missing event is found at once."],
      ["Undo leaves a trace.", "The GM can rewind. What was undone stays in the log, struck through, for everyone."],
      ["You can check it yourself.", "Tap the mark on any roll, or download the log and check it at home."],
    ] as [string, string][],
    more: "More",
    rules: "Rules of the games",
    status: "Status of this server",
    programs: "For programs: the API",
    gamesTitle: (number: number) => (number ? `${IN_WORDS[number] ?? number} games, one table` : "The games, one table"),
    gamesLead: "Every table has the same parts: who plays, the log, and the board. A game brings only its own roll and its own board. At a table, each roll carries a mark that proves it fair.",
    chances: "Chances of this roll",
    chanceToPass: "Chance to pass",
    boardOf: (title: string) => `Board of ${title}`,
    rulesOf: "Rules",
  },
  start: {
    title: "Start a session",
    lead: "You run it as the GM. Afterwards you get a link to send to your friends.",
    game: "Game",
    name: "Title of the session",
    proposed: (game: string, day: string) => [game, day].filter(Boolean).join(", "),
    key: "Key of this server",
    keyHint: "The operator of this server gives it to people who may start sessions.",
    needsKey: "This server asks for a key before a session starts. Enter it, then start again.",
    wrongKey: "This is not the key of this server. Ask its operator for it.",
    options: "Options",
    houseRules: "House rules",
    dice: "Who rolls the dice",
    draws: {
      house: [
        "The server, with your browsers.",
        "The server and the browser of the person who acts mix each roll. It is quick, and no one has to stay online.",
      ],
      table: [
        "All browsers together.",
        "Every browser at the table adds to every roll, so that not even the server could cheat. Players must stay online.",
      ],
    },
    table: "At the table",
    listed: "Anyone may watch: list the session publicly, without its secrets",
    takeBack: "Players may take back their last action until it is settled",
    realDice: "Players may roll real dice and type in what they show",
    rulesOf: (game: string) => `Rules of ${game}`,
    go: "Start the session",
    after: "No account needed. You can change your name and colour later.",
  },
};
