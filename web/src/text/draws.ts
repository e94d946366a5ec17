/** Texts of shared draws, in which every seat's browser takes part. */

export const draws = {
  draws: {
    notice: "Rolling the dice together",
    waitsFor: (names: string) => `Waiting for ${names}`,
    notConnected: (names: string) => `Not connected: ${names}`,
    secondsLeft: (seconds: number) => (seconds === 1 ? "1 second left" : `${seconds} seconds left`),
    gm: "the GM",
    finishing: "Rolling…",
    rollCancelled: (names: string, number: number) =>
      number === 1 ? `Roll cancelled: ${names}’s device did not respond.` : `Roll cancelled: the devices of ${names} did not respond.`,
    rollAgain: "Roll again",
    movedAway: "The keys of your seat went to another device, which now helps to roll the dice.",
    continueHere: "Use this browser again",
    stopOther: "Stop the other device first.",
    keysElsewhere:
      "You play here, but this browser cannot help to roll the dice: the keys of your seat are in another browser or in a file.",
    bringFile: "Bring the keys here",
    noStorage:
      "This browser stores nothing, so it cannot help to roll the dice. You can play, and the others roll for you.",
    missedDraw: (draw: number) =>
      `Draw ${draw} was cancelled because of you, although this browser answered. Your connection may have failed. If it happens again, something blocks your answers.`,
    invalidLog: "Stop playing here, and tell the others.",
    invalidLogWhat: "The log of this session is not valid. This browser rolls no more dice for it.",
    found: "What was found",
    expected: "Expected",
    saveEvidence: "Save your seat’s file: it holds the evidence",
    seatFile: "Keys of your seat",
    seatFileWhat:
      "Your browser helps to roll the dice with keys of its own. Save them in a file to move your seat to another device, and open the file there.",
    seatFileSecret: "Anyone who has the file can play as you. Delete it when it has moved.",
    saveFile: "Save the file, and stop here",
    openFile: "Open a seat file",
    openFileWhat: "A file that another device or the command fairlog sit has saved.",
    otherSession: "This file belongs to another session.",
    faults: {
      E_CHECKPOINT_SIG: "The checkpoint is not signed by the key of this log.",
      E_UNTRUSTED_LOG: "The checkpoint is signed by another key than when you sat down.",
      E_UNSIGNED: "The checkpoint is not signed by this log, or does not cover the roll.",
      E_TRUNCATED: "The log is shorter than before: events are missing.",
      E_SPLIT_VIEW: "The log differs from the one that you saw before, at the same length.",
      E_INCONSISTENT: "The log does not continue the one that you saw before.",
      E_ROOT: "The server shows other events than those of the log that it signed.",
      E_BODY: "The server shows an event that the log does not commit to.",
      E_DRAW_INDEX: "A draw was left out or is counted twice.",
      E_POSITION: "A link was requested that belongs to another roll.",
      E_CONTRIBUTORS: "A seat that is here was left out of a draw.",
      E_CHAIN: "A link does not belong to its seat’s chain.",
      E_SIGNATURE: "A signature is wrong, or was not given for this.",
      E_VALUES: "The dice do not follow from the links and the random bytes.",
      E_ORDER: "A draw was cancelled because of you, although the server signed that it had your link.",
      E_ANCHOR: "A chain was made in your name by someone else, or another seat’s chain was exchanged.",
      E_FORK: "The others see another log than you do.",
    } as Record<string, string>,
    otherFault: "The log breaks its own rules.",
  },
};
