// A board as a picture: a ring of any number of points with its token and the ways it went, or a line.

import { el, svg } from "./nodes.js";

const MIDDLE = 110;
const RADIUS = 80;
const WAYS = [56, 46, 36]; // the radius of each way, the first outside
const ROW = 22; // between their labels, which stand in the middle

/** A ring, with its caption's lines. `ways`: [{from, steps, face?, price?}], of which one with a price is dashed. */
export function ring(board, ways) {
  const at = `${board.points[board.index]}, point ${board.index + 1} of ${board.points.length}`;
  const picture = svg("svg", { class: "ring", viewBox: "0 0 220 220", role: "img" },
    svg("title", {}, `Ring, clockwise from the lowest point: ${board.points.join(", ")}. The token is on ${at}.`),
    svg("polygon", { class: "side", points: board.points.map((_, nth) => spot(board, nth, RADIUS)).join(" ") }),
    ways.map((way, nth) => walked(board, way, WAYS[nth], MIDDLE + ROW * (nth - (ways.length - 1) / 2))),
    board.points.map((label, nth) => point(board, label, nth)));
  return [picture, [`On ${at}`, ...ways.map((way) => said(board, way))]];
}

/** The way in words. */
function said(board, { from, steps, face, price }) {
  const to = board.points[(from + steps) % board.points.length];
  const why = face === undefined ? `altered by ${steps}` : `the die shows ${face}`;
  return `${why}: from ${board.points[from]} to ${to}${price === undefined ? "" : `, for ${price}`}`;
}

/** The ways that end where the token is; others are of another time. */
export function ways(board, id, hint) {
  const found = (hint?.ways ?? []).filter(({ board: on }) => on === id).slice(-WAYS.length);
  const last = found.at(-1);
  const count = board.points.length;
  return last !== undefined && (last.from + last.steps) % count === board.index ? found : [];
}

export const line = (board) =>
  el("ol", { class: "line" },
    board.points.map((label, nth) => el("li", { "aria-current": nth === board.index && "true" }, label)));

function point(board, label, nth) {
  const [x, y] = spot(board, nth, RADIUS);
  const token = nth === board.index;
  return svg("g", { class: token ? "point token" : "point", "data-point": String(nth) },
    token && svg("circle", { class: "halo", cx: x, cy: y, r: "24" }),
    svg("circle", { cx: x, cy: y, r: "19" }),
    svg("text", { x, y, dy: "5" }, label));
}

function walked(board, { from, steps, face, price }, radius, y) {
  const arc = (_, nth) => `A${radius} ${radius} 0 0 1 ${spot(board, from + nth + 1, radius)}`;
  const arcs = Array.from({ length: steps }, arc);
  const label = face === undefined ? price : String(face);
  return svg("g", { class: face === undefined ? "way altered" : "way" },
    svg("path", { d: `M${spot(board, from, radius)}${arcs.join("")}` }),
    svg("path", { class: "tip", d: tip(board, from + steps, radius) }),
    label !== undefined && [
      svg("rect", { x: fixed(MIDDLE - 5 - 3.5 * label.length), y: fixed(y - 9), rx: "3", height: "18",
        width: String(10 + 7 * label.length) }),
      svg("text", { x: String(MIDDLE), y: fixed(y), dy: "4" }, label)]);
}

/** The arrowhead at the end of a way. */
function tip(board, nth, radius) {
  const back = 12 / radius / (2 * Math.PI / board.points.length);
  return `M${spot(board, nth - back, radius - 6)}L${spot(board, nth, radius)}L${spot(board, nth - back, radius + 6)}`;
}

/** [x, y] of a point, or between two: the first is the lowest, the others follow clockwise. */
function spot(board, nth, radius) {
  const angle = Math.PI / 2 + (2 * Math.PI * nth) / board.points.length;
  return [fixed(MIDDLE + radius * Math.cos(angle)), fixed(MIDDLE + radius * Math.sin(angle))];
}

const fixed = (number) => number.toFixed(1);
