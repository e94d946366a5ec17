// Over the slider how dense the evening was: a high bar is many events in little time. Under it a lane for each branch.

import { left, lineage } from "./lineage.js";
import { svg } from "./nodes.js";

const WIDE = 1000;
const HIGH = 20;
const BARS = 200;
const LANE = 8;
const LANES = 4;

/** Draws both from what is here. */
export function draw({ element, view: { head }, lines }) {
  density(element.querySelector(".density"), lines, head);
  lanes(element.querySelector(".lanes"), lines.rewinds, head);
}

function density(picture, lines, head) {
  const count = Math.min(BARS, head);
  const paces = Array.from({ length: count }, (_, nth) =>
    pace(lines, Math.floor((nth * head) / count), Math.floor(((nth + 1) * head) / count)));
  const most = Math.max(1, ...paces);
  const wide = WIDE / Math.max(1, count);
  const bars = paces.map((each, nth) => each > 0 && bar(nth * wide, wide, HIGH * Math.log1p(each) / Math.log1p(most)));
  picture.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  picture.replaceChildren(svg("path", { d: bars.filter(Boolean).join("") }));
}

/** Events an hour of the versions behind `after` up to `upto`; 0 where they are not here yet. */
function pace(lines, after, upto) {
  const [first, last] = [lines.now(Math.max(1, after)), lines.now(upto)];
  if (first === undefined || last === undefined) return 0;
  const hours = (Date.parse(last.at) - Date.parse(first.at)) / 3_600_000;
  return (upto - after) / Math.max(hours, 1 / 3600);
}

const bar = (x, wide, high) =>
  `M${x.toFixed(1)} ${HIGH}h${(wide * 0.8).toFixed(1)}v${(-high).toFixed(1)}h${(-wide * 0.8).toFixed(1)}z`;

function lanes(picture, rewinds, head) {
  const ends = []; // by lane: the last version in it
  const placed = left(rewinds).filter(({ spans }) => spans.length > 0).map(({ spans }) => {
    const [first, last] = [spans[0][0], spans.at(-1)[1]];
    const free = ends.findIndex((end) => end < first);
    const lane = free >= 0 ? free : Math.min(ends.length, LANES - 1);
    ends[lane] = Math.max(ends[lane] ?? 0, last);
    return spans.map((span) => rect(span, lane + 1, head, "left", last));
  });
  picture.setAttribute("viewBox", `0 0 ${WIDE} ${LANE * (1 + Math.max(1, ends.length))}`);
  const led = lineage(rewinds, head).map((span) => rect(span, 0, head, "led", span[1]));
  picture.replaceChildren(...led, ...placed.flat());
}

const rect = ([first, last], lane, head, name, upto) =>
  svg("rect", {
    class: name, "data-upto": String(upto), x: ((WIDE * (first - 1)) / head).toFixed(2), y: String(lane * LANE + 1),
    width: Math.max(2, (WIDE * (last - first + 1)) / head).toFixed(2), height: String(LANE - 2),
  });
