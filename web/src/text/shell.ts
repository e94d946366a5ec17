/** Texts that several pages share. */

/** Write a title in small letters, unless it is an abbreviation. */
const inSentence = (title: string): string =>
  /^.[A-Z]/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

const range = (minimum: number | undefined, maximum: number | undefined): string => {
  if (minimum === undefined) return maximum === undefined ? "a whole number" : `a whole number of at most ${maximum}`;
  return maximum === undefined ? `a whole number of at least ${minimum}` : `a number from ${minimum} to ${maximum}`;
};

export const shell = {
  live: "Live",
  offline: "No connection",
  connecting: "Connecting…",
  more: "More",
  you: "you",
  loading: "Loading the session…",
  send: "Send",
  copyByHand: "Copy the link by hand: it is selected.",
  cancel: "Cancel",
  choose: "choose…",
  /** What is wrong with a field of a form. */
  forms: {
    number: (title: string, minimum: number | undefined, maximum: number | undefined, whose: string) =>
      `Give ${whose ? `${whose}’s ${inSentence(title)}` : `“${title}”`} ${range(minimum, maximum)}.`,
    write: (title: string) => `“${title}” is still empty: write something here.`,
    choose: (title: string) => `Choose something for “${title}”.`,
    pointsLeft: (left: number, sum: number) => (left < 0 ? `${-left} more than ${sum} points` : `${left} of ${sum} points left`),
    pointsWrong: (left: number) =>
      left > 0 ? `Give away the ${left === 1 ? "point that is" : `${left} points that are`} left.` : `Take ${-left} away: there are no more points.`,
    refused: (title: string, why: string) => `${title}: ${why}`,
  },
  yes: "yes",
  no: "no",
  copy: "Copy",
  copied: "Copied",
  close: "Close",
  pages: "Pages of this session",
  table: "Table",
  luck: "Luck",
  notFound: "This session cannot be shown. Open your invitation link again, or ask the GM for one.",
  notEncrypted:
    "This connection is not encrypted: others on the network can read what you see and act as your seat. Ask the operator for an https address.",
  updated: "Fairlog was updated. Reload the page.",
  reload: "Reload",
  connectionLost: (time: string) =>
    `No connection since ${time}, trying again. What you send is kept, and sent once the connection is back.`,
  notReached: "The server cannot be reached. The session appears as soon as the server answers.",
  tryAgain: "The server cannot be reached. Try again in a moment.",
};
