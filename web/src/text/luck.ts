/** Texts of the luck page. */

import type { Schemas } from "../api/client";

/** How a die is loaded of which one value comes so many times as often as each other one. */
const LOADED: Record<string, string> = {
  "1.5": "even a slightly loaded",
  "2": "only a clearly loaded",
  "3": "only a heavily loaded",
  "5": "only a grossly loaded",
};
/** The names of dice and decks for which the API has codes. */
const SOURCES: Record<string, string> = { dF: "Fate die" };
const named = (source: string): string => SOURCES[source] ?? source.replace(/^deck /, "Deck ");
const isOfCards = (source: string): boolean => source.startsWith("deck");
/** Return a number of dice or cards. One roll can have several dice. */
const pieces = (source: string, number: number): string => {
  const [one, many] = isOfCards(source) ? ["card", "cards"] : ["die", "dice"];
  return `${number} ${number === 1 ? one : many}`;
};
const rolls = (number: number): string => `${number} ${number === 1 ? "roll" : "rolls"}`;

/** A test that finds a loaded die in so many of all sessions is said to show it. */
const LIKELY = 0.8;

export const luck = {
  shareLuck: "Copy the link to this page",
  computing: "The figures are being computed. This page updates itself.",
  counted: (turns: number, rolls: number) => `${turns} ${turns === 1 ? "turn" : "turns"}, ${rolls} ${rolls === 1 ? "roll" : "rolls"} that could go well or badly.`,
  unlucky: "unlucky",
  ordinary: "an ordinary session",
  lucky: "lucky",
  howLucky: (share: number) => (share > 0.75 ? "Lucky" : share < 0.25 ? "Unlucky" : "As usual"),
  of: (seen: number, of: number) => `${seen} of ${of}`,
  expected: (number: number) => `${Number(number.toFixed(1))} expected`,
  successes: "Successes",
  course: "Over the session",
  /** `count` is absent on pages that count no rolls. */
  tooFew: (name: string, count?: number) =>
    count === undefined ? `${name}: too few rolls to say.` : `${name}: ${rolls(count)}, too few to say.`,
  moments: "Moments",
  lookAt: "Look at this moment",
  atTurns: (first: number, last: number, time: string) =>
    first === last ? `Turn ${first} · ${time}` : `Turns ${first} to ${last} · ${time}`,
  nothingSuspicious: (isFinal: boolean) => (isFinal ? "Nothing suspicious." : "Nothing suspicious so far."),
  /** Return which loaded die would show, or "" if not even the worst one would surely show. */
  wouldShow: ({ source, draws, weights }: Schemas["Power"]) => {
    const isDeck = isOfCards(source);
    const used = pieces(source, draws) + (isDeck ? ` of ${named(source)}` : ` (${named(source)})`);
    const weight = Object.keys(LOADED).find((each) => (weights[each] ?? 0) >= LIKELY);
    return weight ? `With ${used}, ${LOADED[weight]} ${isDeck ? "deck" : "die"} would show.` : "";
  },
  tooFewToJudge: ({ source }: Schemas["Power"]) =>
    isOfCards(source) ? "Too few cards to judge the decks." : "Too few rolls to judge the dice.",
  tooFewByHand: "Too little was rolled by hand to judge it.",
  eachProven: "Each roll drawn by Fairlog is proven fair",
  onItsOwn: "on its own.",
  momentKinds: {
    rarest: "Rarest roll",
    drought: "Longest drought",
    save: "Best save",
    decisive: "Most decisive",
  } as Record<string, string>,
  /** Return why a moment is one, by its kind. */
  whyMoment: (kind: string, chance: number) => {
    const number = Math.round(1 / chance).toLocaleString();
    if (kind === "rarest") return `Only 1 such roll in\u00a0${number} goes this far.`;
    if (kind === "drought") return `The chance of such a row was 1\u00a0in\u00a0${number}.`;
    if (kind === "save") return `The chance of this defence was 1\u00a0in\u00a0${number}.`;
    return `A life or an injury hung on it, and only 1 such roll in ${number} goes this way.`;
  },
  everyone: "Everyone",
  rolls,
  uses: pieces,
  times: (value: string, number: number) => `${value} came ${number === 1 ? "once" : `${number} times`}`,
  whatShowed: (source: string) => `What ${isOfCards(source) ? "" : "the "}${named(source)} showed`,
  bandLegend: (source: string) => `95 of 100 sessions with fair ${isOfCards(source) ? "decks" : "dice"}`,
  expectedLegend: "expected",
  howCountedTitle: "How luck is counted",
  howCounted: "Luck counts how good each roll was among all that could have come, not only whether it succeeded. “Better than 8 of 10 sessions” means: if the same rolls were made again and again with fair dice, 8 of 10 sessions would go worse.",
  allNumbers: "All charts and numbers (CSV)",
  numbers: "Numbers",
  ofChart: (title: string) => `of ${title}`,
  noCharts: "There are no charts yet, because there are no rolls and no turns.",
};
