/** Texts of the luck page. */

import type { Schemas } from "../api/client";

/** How a die is loaded of which one value comes so many times as often as each other one. */
const LOADED: Record<string, string> = {
  "1.5": "even a slightly loaded",
  "2": "only a clearly loaded",
  "3": "only a heavily loaded",
  "5": "only a grossly loaded",
};
/** A test that finds a loaded die in so many of all sessions is said to show it. */
const LIKELY = 0.8;

export const luck = {
  computing: "The figures are being computed. This page updates itself.",
  counted: (turns: number, rolls: number) => `${turns} ${turns === 1 ? "turn" : "turns"}, ${rolls} ${rolls === 1 ? "roll" : "rolls"} that could go well or badly.`,
  unlucky: "unlucky",
  ordinary: "an ordinary session",
  lucky: "lucky",
  howLucky: (share: number) => (share > 0.75 ? "Lucky" : share < 0.25 ? "Unlucky" : "As usual"),
  of: (seen: number, of: number) => `${seen} of ${of}`,
  expected: (number: number) => `${Number(number.toFixed(1))} expected`,
  successes: "Successes",
  countedRolls: "Rolls",
  tooFew: (name: string) => `${name}: too few rolls to say.`,
  moments: "Moments",
  lookAt: "Look at this moment",
  atTurns: (first: number, last: number, time: string) =>
    first === last ? `Turn ${first} · ${time}` : `Turns ${first} to ${last} · ${time}`,
  nothingSuspicious: (isFinal: boolean) => (isFinal ? "Nothing suspicious." : "Nothing suspicious so far."),
  wouldShow: ({ source, draws, weights }: Schemas["Power"]) => {
    const isDeck = source.startsWith("deck");
    const used = isDeck ? `${draws} cards of the ${source}` : `${draws} rolls of the ${source}`;
    const weight = Object.keys(LOADED).find((each) => (weights[each] ?? 0) >= LIKELY);
    const what = isDeck ? "deck" : "die";
    return weight
      ? `With ${used}, ${LOADED[weight]} ${what} would show.`
      : `With ${used}, not even a grossly loaded ${what} would surely show.`;
  },
  eachProven: "Each roll is proven fair",
  onItsOwn: "on its own.",
  momentKinds: {
    rarest: "Rarest roll",
    drought: "Longest drought",
    save: "Best save",
    decisive: "Most decisive",
  } as Record<string, string>,
  oneIn: (chance: number) => `1 in ${Math.round(1 / chance).toLocaleString()}`,
  everyone: "Everyone",
  rolls: (number: number) => `${number} ${number === 1 ? "roll" : "rolls"}`,
  times: (value: string, number: number) => `${value} came ${number === 1 ? "once" : `${number} times`}`,
  whatShowed: (source: string) => `What the ${source} showed`,
  bandLegend: "95 of 100 sessions with fair dice",
  expectedLegend: "expected",
  howCountedTitle: "How luck is counted",
  howCounted: "Luck counts how good each roll was among all that could have come, not only whether it succeeded.",
  allNumbers: "All charts and numbers, with z and p",
  numbers: "Numbers",
  ofChart: (title: string) => `of ${title}`,
  noCharts: "There are no charts yet, because there are no rolls and no turns.",
};
