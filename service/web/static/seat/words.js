// What a seat says of itself on the page: how it stands, and what a log that does not hold means for it.

export const STATES = {
  begins: "Your seat reads the log.",
  gives: "This browser gives a link of its own to every roll.",
  tab: "Another tab of this browser gives for you.",
  away: "You are away: draws go on without you.",
  handed: "Your seat's file went to another device: that one gives now, this browser gives nothing.",
  other: "",
  none: "This browser keeps nothing, so your seat can make no key: it plays, and trusts the house with its part.",
  off: "Your seat's token is not good any more: enter with a new one.",
  lost: "The server cannot be reached: a draw may be given up for you.",
  closed: "The evening is closed: nothing more is drawn.",
  caught: "The log does not hold. Nothing was given, and nothing is given any more.",
};

const MEANS = {
  E_CHECKPOINT_SIG: "The checkpoint is not signed by the key of this log.",
  E_UNTRUSTED_LOG: "The checkpoint is signed by another key than when you sat down.",
  E_UNSIGNED: "The checkpoint is not signed by this log, or does not cover the roll.",
  E_TRUNCATED: "The log is shorter than it was: events are gone.",
  E_SPLIT_VIEW: "The log is another one than you have seen before, of the same length.",
  E_INCONSISTENT: "The log is not a longer one of what you have seen before: something was changed.",
  E_ROOT: "The events that the server showed are not those of the log that it signed.",
  E_BODY: "An event that the server showed is not what the log commits to.",
  E_DRAW_INDEX: "A draw was left out or is counted twice.",
  E_POSITION: "A link was asked for that belongs to another roll.",
  E_CONTRIBUTORS: "A seat that is there was left out of a draw.",
  E_CHAIN: "A link is not its seat's.",
  E_SIGNATURE: "A signature is wrong, or is used though it was not just given.",
  E_VALUES: "The faces are not what the links and the asker's random bytes give.",
  E_ORDER: "A draw was given up for you, though the house has signed that it had your link.",
  E_ANCHOR: "A chain was made in your name by somebody else.",
  E_FORK: "Others at this table are shown another log than you are.",
};

export const meaning = (code) => MEANS[code] ?? "The log breaks its own rules.";
