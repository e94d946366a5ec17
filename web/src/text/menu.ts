/** Texts of the header and its menu. */

export const menu = {
  menu: {
    title: "Menu",
    review: "Review",
    proof: "Proof",
    people: "People",
    peopleHere: (number: number) => `${number} ${number === 1 ? "person" : "people"} at the table`,
    invite: "Invite",
    link: "My personal link",
    sitDown: "Sit down with my personal link",
    settings: "Settings",
    transcript: "Transcript",
    download: "Download the log",
    viewAs: "View as…",
    viewing: (name: string) => `You see the table as ${name} sees it. You cannot act here.`,
    stopViewing: "Back to my own view",
    start: "Start a session",
    rules: "The rules of this game",
    home: "All my sessions",
    api: "For programs: the API",
    end: "End session…",
    leave: "Leave the seat…",
    signOut: "Sign out of this browser…",
  },
};
