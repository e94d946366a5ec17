/** Texts that several pages share. */

export const shell = {
  live: "Live",
  offline: "Connecting…",
  more: "More",
  you: "you",
  loading: "Loading the session…",
  send: "Send",
  copyByHand: "Copy the link by hand: it is selected.",
  cancel: "Cancel",
  choose: "choose…",
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
    `No connection since ${time}. What you send is kept, and sent once the connection is back.`,
  notReached: "The server cannot be reached. The session appears as soon as the server answers.",
  tryAgain: "The server cannot be reached. Try again in a moment.",
};
