/** Texts of looking back, of rewinding and of the end of a session. */

const counted = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
const turns = (number: number) => counted(number, "turn", "turns");

export const review = {
  review: {
    turns,
    endSession: "End session…",
    endTitle: "End this session?",
    endMeaning: [
      "Nobody can play, rewind or undo anything in it afterwards. This cannot be taken back.",
      "Everyone can still read it, look back, check its rolls and talk.",
      "The next session can start from its end: characters, points and everything else come along.",
    ],
    endButton: "End the session",
    endedTitle: "This session has ended",
    endedHow: "You can still look back, check the rolls, and talk.",
    recap: "What will be remembered",
    recapComputing: "The recap is being computed.",
    recapLater: "The recap is on the luck page as soon as it is computed.",
    recapMore: "Everything about luck",
    nextSession: "Next session from here",
    nextTitle: "The next session",
    nextHow: "It starts where this one ended: characters, points, boards and decks come along. You run it.",
    nextField: "Title of the new session",
    nextStart: "Start the next session",
    nextStarted: "The next session is open",
    nextInvite: "Send each player their own link. It gives them their seat with their characters.",
    nextOpen: "Go to the table",
    nextName: (title: string) => {
      const [, name, number] = /^(.*?)(?:,? (\d+))?$/.exec(title) ?? [];
      return `${name} ${Number(number ?? 1) + 1}`;
    },
  },
};
