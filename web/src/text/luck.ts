/** Texts of the luck page. */

export const luck = {
  computing: "The figures are being computed. This page updates itself.",
  counted: (turns: number, rolls: number) => `${turns} turns, ${rolls} rolls with luck`,
  unlucky: "unlucky",
  ordinary: "an ordinary session",
  lucky: "lucky",
  successes: "Successes",
  howLucky: (share: number) => (share > 0.75 ? "Lucky" : share < 0.25 ? "Unlucky" : "As usual"),
  of: (seen: number, of: number) => `${seen} of ${of}`,
  expected: (number: number) => `${number.toFixed(1)} expected`,
  tooFew: (name: string) => `${name}: too few rolls to say.`,
  moments: "Moments",
  momentKinds: {
    rarest: "Rarest roll",
    drought: "Longest drought",
    save: "Best save",
    decisive: "Most decisive",
  } as Record<string, string>,
  oneIn: (chance: number) => `1 in ${Math.round(1 / chance).toLocaleString()}`,
  everyone: "Everyone",
  rolls: (number: number) => `${number} rolls`,
  times: (value: string, number: number) => `${value} came ${number} times`,
  whatShowed: (source: string) => `What the ${source} showed`,
  bandLegend: "Shaded: what 95 of 100 sessions with fair dice show. Dashed: what is expected.",
  howCounted: "Each roll is compared with what else could have come at that moment.",
  allNumbers: "All numbers, with z and p",
};
