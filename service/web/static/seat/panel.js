// How the seat that this browser holds takes part in draws, in words, and loud where the log does not hold.

import { become, el, facts } from "../page/nodes.js";
import { inWords } from "../page/notes.js";
import { seatOf } from "../page/parts.js";
import { GRADES } from "../page/words.js";
import { Holding } from "./holding.js";
import { follow } from "./waits.js";
import { meaning, STATES } from "./words.js";

const SEATED = ["gm", "player"]; // of others nobody waits for a link
const BEHIND = "h1, nav.among, #closed";

/** Begins to take part. What is drawn goes into #links, which is made below the title where the page has none.
 * The holding, undefined for who has no seat that gives. */
export function sit(page) {
  const { data, view } = page;
  const panel = new Panel(page);
  view.addEventListener("waiting", ({ detail }) => panel.waits(detail));
  view.addEventListener("grade", ({ detail }) => panel.graded(detail));
  follow(page);
  if (!data.seat || !SEATED.includes(data.role)) return undefined;
  const holding = new Holding(data);
  panel.holding = holding;
  holding.addEventListener("state", () => panel.draw());
  holding.hold();
  return holding;
}

class Panel {
  constructor(page) {
    this.page = page;
    this.place = page.element.querySelector("#links");
    this.holding = undefined;
    this.waiting = undefined;
    this.grade = undefined;
  }

  waits(waiting) {
    this.waiting = waiting;
    this.draw();
  }

  graded(grade) {
    this.grade = grade;
    this.draw();
  }

  draw() {
    const parts = [...this.#state(), ...this.#waits(), ...this.#last()];
    if (!this.place && parts.length) this.place = this.#placed();
    if (this.place) become(this.place, el("div", { id: "links", class: this.#look }, parts));
  }

  get #look() {
    return this.holding?.fault ? "links caught" : "links";
  }

  #placed() {
    const place = el("div", { id: "links", class: "links" });
    [...this.page.element.querySelectorAll(BEHIND)].at(-1).after(place);
    return place;
  }

  #state() {
    if (!this.holding) return [];
    const { state, why, fault } = this.holding;
    if (fault) return this.#warning(fault);
    const words = [STATES[state], why].filter(Boolean).join(" ");
    const missed = this.holding.sitting?.keeping.record.missed;
    return [
      el("p", { role: "status", "data-part": "state", "data-state": state }, words),
      missed !== undefined && el("p", { class: "wrong", role: "alert", "data-part": "missed" },
        `Draw ${missed} was given up for you, though this browser gave. The connection may have been lost; ` +
        "if it happens again, somebody drops your links."),
    ].filter(Boolean);
  }

  /** What was found, and what to do with it. */
  #warning({ code, found, expected }) {
    const { data } = this.page;
    return [
      el("div", { role: "alert", "data-part": "caught" },
        el("p", { class: "wrong" }, `${code}: ${meaning(code)}`),
        el("p", {}, STATES.caught),
        el("p", {}, "Stop playing here, and tell the others. Receipts and what was found are in your seat's file: ",
          el("a", { href: `${data.page}/people#own` }, "save it under People"),
          ", and hold the log against it.")),
      el("details", { "data-part": "found" }, el("summary", {}, "What was found"),
        facts([["Found", el("code", {}, found)], ["Expected", el("code", {}, expected)]])),
    ];
  }

  /** On a page that has no place of its own for it. */
  #waits() {
    if (!this.waiting || this.page.element.querySelector("#waiting")) return [];
    const words = inWords(this.waiting, (seat) => seatOf(this.page.data, seat));
    return [el("p", { class: "waits", role: "timer", "data-part": "waits" }, words)];
  }

  #last() {
    if (!this.grade) return [];
    const { version, grade } = this.grade;
    const said = `Last roll, version ${version}: grade ${grade}, ${GRADES[grade]}.`;
    return [el("p", { class: "quiet", "data-part": "grade", "data-grade": grade }, said)];
  }
}
