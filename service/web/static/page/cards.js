// Small pictures: pips and meters, a draw pile, cards in play, a die's chain.

import { el, svg } from "./nodes.js";

const PIPS = 12;
const SIDES = { top: "M6 3H38", right: "M41 6V58", bottom: "M6 61H38", left: "M3 6V58" };

/** `now` of `max` as pips, or beyond 12 as a meter. The numbers stand beside it. */
export function pips(now, max) {
  const most = Math.max(now, max ?? 0);
  const full = Math.max(0, now);
  if (most > PIPS) return meter(full, most);
  const circle = (nth) => `M${14 * nth + 2} 7a5 5 0 1 0 10 0a5 5 0 1 0-10 0`;
  const circles = Array.from({ length: most }, (_, nth) => circle(nth));
  return svg("svg", { class: "pips", viewBox: "0 0 168 14", "aria-hidden": "true" },
    svg("path", { class: "full", d: circles.slice(0, full).join("") }),
    svg("path", { class: "void", d: circles.slice(full).join("") }));
}

const meter = (full, most) =>
  svg("svg", { class: "pips", viewBox: "0 0 168 14", "aria-hidden": "true" },
    svg("rect", { class: "full", x: "1", y: "2", width: (166 * full / most).toFixed(1), height: "10" }),
    svg("rect", { class: "void", x: "1", y: "2", width: "166", height: "10" }));

export const pile = (left) =>
  svg("svg", { class: "pile", viewBox: "0 0 50 68", role: "img" },
    svg("title", {}, `Draw pile: ${cards(left)} left`),
    [6, 3, 0].slice(0, left).map((by) =>
      svg("rect", { x: String(by + 1), y: String(7 - by), width: "42", height: "60", rx: "5" })),
    svg("text", { x: "22", y: "42" }, String(left)));

/** A card in play. `counts`: it is the one that counts; `says`: what it shows; `edge`: the one it is read by. */
export const card = (name, counts, says, edge) =>
  el("li", { class: counts ? "card counts" : "card" },
    svg("svg", { viewBox: "0 0 44 64", "aria-hidden": "true" },
      svg("rect", { x: "2", y: "2", width: "40", height: "60", rx: "5" }),
      edge !== undefined && svg("path", { class: "edge", d: SIDES[edge] }),
      svg("text", { x: "22", y: "37" }, name)),
    el("span", { class: "aside" }, name),
    says !== undefined && el("span", {}, says),
    edge !== undefined && el("span", { class: "aside" }, `by its ${edge} edge`),
    counts && el("strong", {}, "counts"));

export const cards = (count) => (count === 1 ? "1 card" : `${count} cards`);

/** The chain that a usage die goes down; the first of it is the die now, and none is left of one without sides. */
export const chain = ({ sides, chain: left = [] }) =>
  el("ol", { class: "chain" },
    [sides, ...left.slice(1)].map((each, nth) =>
      el("li", { "aria-current": nth === 0 && "true" }, each > 0 ? `d${each}` : "used up")));
