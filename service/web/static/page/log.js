// The log: a window of so many rows on all of it, newest first, or on what the filter finds.
//
// The window stays where it is as long as the version that is shown is in it. Rows are drawn once.

import { pageAt } from "./address.js";
import { el, place, set } from "./nodes.js";
import { saidBy } from "./words.js";

const ROWS = 60;
const PACE = 120; // ms between two windows, while it is scrubbed
const TYPED = 200; // ms behind the last letter
const MARKS = { opened: "secret opened", "handed-over": "GM handed over" };

export const markOf = (mark) => MARKS[mark] ?? mark;

export function start(page) {
  const log = new Log(page);
  page.view.addEventListener("moved", ({ detail: { how } }) => log.follow(how));
  page.view.addEventListener("grew", ({ detail }) => log.grow(detail));
}

class Log {
  constructor(page) {
    this.page = page;
    this.list = page.element.querySelector("#rows");
    this.form = page.element.querySelector("#filter");
    this.drawn = new Map(); // by version: {key, row}
    this.head = page.view.head; // the newest that it knows of
    this.top = page.data.upto ?? (this.#filtering() ? page.data.version : page.view.at);
    for (const name of ["older", "newest", "unfilter"]) this.#press(name);
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.filter(); });
    this.form.addEventListener("input", () => {
      clearTimeout(this.typed);
      this.typed = setTimeout(() => this.filter(), TYPED);
    });
  }

  /** Another version is shown; while it is scrubbed a window full of other rows can wait a little. */
  follow(how) {
    const { at } = this.page.view;
    const isIn = at <= this.top && at > this.top - ROWS;
    if (!this.#filtering() && !isIn) this.top = at;
    if (how === "scrub") this.#lighten();
    if (how !== "scrub" || isIn) this.draw();
    else this.later ??= setTimeout(() => this.draw(), PACE);
  }

  /** Rows out of sight are not laid out as long as it is scrubbed. */
  #lighten() {
    this.list.classList.add("moving");
    clearTimeout(this.moving);
    this.moving = setTimeout(() => this.list.classList.remove("moving"), 2 * PACE);
  }

  /** There are newer events: they are shown where the newest were. `told`: what older ones say has come to light. */
  grow(told) {
    if (this.top >= this.head) this.top = this.page.view.head;
    this.head = this.page.view.head;
    if (!this.page.view.live || told) this.draw();
  }

  /** Takes the form's words. */
  filter() {
    const said = [...new FormData(this.form)].filter(([name, value]) => value !== "" && !["at", "as"].includes(name));
    this.page.data.filter = Object.fromEntries(said);
    this.top = this.#filtering() ? this.page.view.head : this.page.view.at;
    this.page.view.dispatchEvent(new Event("asked"));
    this.draw();
  }

  async draw() {
    clearTimeout(this.later);
    this.later = undefined;
    const turn = this.turn = {};
    try {
      const lines = this.#filtering() ? await this.#found() : this.#now() ?? await this.#window();
      if (this.turn === turn) this.#show(lines);
    } catch (error) {
      this.page.fail(error);
    }
  }

  /** The window's lines at once, undefined where one is not here. */
  #now() {
    const found = [];
    const least = Math.max(0, this.top - ROWS);
    for (let version = this.top; version > least; version -= 1) found.push(this.page.lines.now(version));
    return found.includes(undefined) ? undefined : found;
  }

  async #window() {
    const { store } = this.page;
    if (this.top > 0) await store.events(Math.max(1, this.top - ROWS + 1), this.top);
    return this.#now() ?? [];
  }

  /** The first lines below the top that the filter finds, and one more where there is one. */
  async #found() {
    await this.page.all();
    const { filter } = this.page.data;
    const found = [];
    for (let version = this.top; version > 0 && found.length <= ROWS; version -= 1) {
      const line = await this.page.lines.at(version);
      if (isHit(line, filter)) found.push(line);
    }
    return found;
  }

  #show(lines) {
    const rows = lines.slice(0, ROWS);
    const next = this.#filtering() ? lines[ROWS]?.version ?? 0 : this.top - rows.length;
    place(this.list, rows.map((line) => this.#row(line)));
    for (const [version] of this.drawn) if (this.drawn.size > 4 * ROWS) this.drawn.delete(version);
    this.next = next;
    this.#offer("older", next > 0);
    this.#offer("newest", this.top < this.page.view.head);
    this.#offer("unfilter", this.#filtering());
    const more = next > 0 ? " or more" : "";
    const said = this.#filtering() ? `${rows.length}${more} found, newest first.` : "Newest first. Times are UTC.";
    const note = this.page.element.querySelector("#found");
    if (note.textContent !== said) note.textContent = said;
  }

  #row(line) {
    const { page } = this;
    const key = [line.text, line.undone, line.sealed, JSON.stringify(page.data.filter)].join();
    let drawn = this.drawn.get(line.version);
    if (drawn?.key !== key) {
      drawn = { key, row: row(page, line) };
      this.drawn.set(line.version, drawn);
    }
    set(drawn.row.firstElementChild, { "aria-current": line.version === page.view.at && "true" });
    return drawn.row;
  }

  #press(name) {
    const link = this.page.element.querySelector(`#${name}`);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (name === "unfilter") this.#clear();
      else this.top = name === "older" ? this.next ?? this.top - this.list.children.length : this.page.view.head;
      this.draw();
    });
  }

  #clear() {
    for (const field of this.form.querySelectorAll("input:not([type=hidden]), select")) field.value = "";
    this.filter();
  }

  #offer(name, is) {
    this.page.element.querySelector(`#${name}`).hidden = !is;
  }

  #filtering() {
    return Object.keys(this.page.data.filter).length > 0;
  }
}

/** As the API's search: of a sealed line only who it was is asked. */
function isHit(line, { kind, seat, text }) {
  if (seat !== undefined && line.seat !== seat) return false;
  if (line.sealed) return kind === undefined && text === undefined;
  const says = text === undefined || line.text.toLowerCase().includes(text.toLowerCase());
  return says && (kind === undefined || isOf(line, kind));
}

const isOf = ({ kind }, asked) => kind === asked || kind.startsWith(`${asked}.`) || kind.split(".")[1] === asked;

/** A line of the log, as templates/log.html draws it. */
function row({ data, name }, { version, text, seat, at, highlight: stands, sealed, undone }) {
  const look = ["row", sealed && "sealed", undone && "undone"].filter(Boolean).join(" ");
  return el("li", { class: look, "data-part": `row/${version}` },
    el("a", { href: pageAt(data, version) },
      el("span", { class: "number" }, String(version)),
      el(undone ? "s" : "span", {}, saidBy({ sealed, text }))),
    el("p", { class: "quiet" },
      el("span", {}, name(seat)), el("time", { datetime: at }, at.slice(11, 19)),
      stands !== undefined && el("b", {}, markOf(stands)), undone && el("b", {}, "undone")));
}
