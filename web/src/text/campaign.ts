/** Texts of the campaign page. */

export const campaign = {
  campaign: {
    yours: "Your campaigns",
    start: "Make a campaign of it",
    startMeans:
      "A campaign keeps the evenings of a group in a row: who was there, who was lucky over all of them, and the next one with one click.",
    campaignTitle: "Title of the campaign",
    yourName: "Your name in it",
    key: "Key of this server's operator",
    startIt: "Make it",
    loading: "Loading the campaign…",
    strangerTitle: "Only members see this campaign",
    strangerHow: "Open your personal link to it, or paste it here. If you lost it, ask the person who runs the campaign for a new one.",
    linkField: "Your personal link",
    linkWrong: "This link does not open the campaign. It may be an old one: ask the person who runs the campaign for a new one.",
    enter: "Enter",
    summary: (sessions: number, turns: number, games: number) =>
      sessions === 0
        ? "No session yet."
        : [
            `${sessions} ${sessions === 1 ? "evening" : "evenings"}`,
            ...(turns ? [`${turns.toLocaleString()} turns`] : []),
            ...(games > 1 ? [`${games} games`] : []),
          ].join(", ") + ".",
    private: (members: number) =>
      members === 1 ? "Only you see this page." : `Only the ${members} members see this page.`,
    evenings: "Evenings",
    earlier: (number: number) => `Show ${number} earlier`,
    fewer: "Show fewer",
    next: "Next evening",
    running: (title: string) => `${title} is open.`,
    sitDown: "Sit down",
    nextHow: "Go on where you stopped, or begin something new.",
    nextWaits: "The GM opens the next session. Come back here then.",
    openNext: "Next session",
    turns: (number: number) => `${number} ${number === 1 ? "turn" : "turns"}`,
    there: (names: string[]) => `There: ${names.join(", ") || "no one yet"}`,
    sessionNumber: (number: number) => `Session ${number}`,
    sessionTitle: "Title",
    howToBegin: "It begins with",
    goOn: (title: string) => `where “${title}” stopped`,
    goOnMeans: "characters, points and everything on the table come along",
    afresh: "an empty table",
    afreshMeans: "choose any game",
    game: "Game",
    together: "All browsers roll together",
    togetherMeans: "so that no one, not even the server, can choose a roll",
    openIt: "Open it",
    computing: "The figures of all evenings are being computed. This page updates itself.",
    progress: "Progress of the computation",
    luck: "Luck, all evenings together",
    ordinary: "an ordinary campaign",
    /** `share`: of campaigns with fair dice that are less lucky. */
    verdict: (share: number) => {
      const tenths = Math.min(9, Math.floor(10 * Math.max(share, 1 - share)));
      if (share <= 0.75 && share >= 0.25) return "an ordinary campaign";
      return `${share > 0.5 ? "better" : "worse"} than ${tenths} of 10 campaigns`;
    },
    tooFewPeople: "Too few people have rolled enough to compare them.",
    series: "Evening by evening",
    seriesOf: (name: string) => `Luck of ${name}, evening by evening`,
    records: "Records",
    dice: "Dice",
    rareDice: (number: number, rolls: number) =>
      `${number} more ${number === 1 ? "die" : "dice"} with fewer than ${rolls} rolls`,
    die: {
      drawn: (die: string) => die,
      declared: (die: string) => `${die}, typed in`,
    },
    members: "Members",
    add: "Add a member",
    addIt: "Add, and show the link",
    personName: "Name",
    runsIt: "runs it",
    sessions: (number: number) => `${number} ${number === 1 ? "evening" : "evenings"}`,
    change: "Change",
    changeOf: (name: string) => `Change ${name}`,
    membersHint: (gm: string) => `${gm} adds and removes members. What they rolled stays in the log.`,
    linkOf: (name: string) => `The personal link of ${name}`,
    ownLinkMeans: "Keep this link: it brings you back to the campaign and to your seats, on any device. Share it with no one.",
    linkMeans: (name: string) =>
      `Send this link to ${name} only. It opens this page, and from here ${name} sits down in every session.`,
    renew: "Make a new link",
    renewTitle: (name: string) => `Make a new link for ${name}?`,
    renewMeans: (name: string) => [`The old link of ${name} stops working. Send them the new one.`],
    renewOwnMeans: ["Your old link stops working. Your other devices come back with the new one. This browser stays signed in."],
    handOverTitle: (name: string) => `Make ${name} the GM of the campaign?`,
    handOverMeans: (name: string) => [
      `${name} then opens the next sessions, and adds and removes members. In the sessions so far, the roles stay as they are.`,
      `To run the campaign again, ask ${name} to hand it back.`,
    ],
    removeMeans: (name: string) => [
      `The personal link of ${name} stops working. Their seats in the sessions stay theirs, and what they rolled still counts under their name.`,
      `To bring ${name} back, add a member again.`,
    ],
    signOut: "Sign out of this browser",
    leaveTitle: "Leave this campaign?",
    leaveMeans: [
      "Your personal link stops working. Your seats in the sessions stay yours, and what you rolled still counts under your name.",
      "To come back, ask the GM to add you again.",
    ],
    leave: "Leave the campaign",
  },
};
