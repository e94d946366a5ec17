// One form sent: under its key and the version it was drawn at; and what came of it, where it arose.

import { Entropy, Unexplained } from "./entropy.js";
import { Away, Refusal, send } from "./net.js";
import { el, set } from "./nodes.js";
import { why } from "./refusals.js";
import { wishOf } from "./wish.js";
import { saidBy } from "./words.js";

const HOUSE = "house"; // it gives with the last one
const TRIES = 5; // other commands can take the draw first
const AGAIN = "This form was sent before, with something else in it. Send it again if you mean it.";

export class Doing {
  /** `done(form)` is told what form was accepted, or none where all are to be drawn anew. */
  constructor(page, section, done) {
    this.page = page;
    this.section = section;
    this.done = done;
    this.entropy = new Entropy(page);
    this.busy = false;
    this.unsent = new Map(); // by what was asked: the wish without an answer, {path, body, key, version}
    this.waits = undefined; // the wish whose draw waits for its seats
  }

  /** Sends the form; a second press while it is on its way is none. */
  async act(form) {
    if (this.busy) return;
    this.busy = true;
    form.setAttribute("aria-busy", "true");
    clear(form);
    const { path, body } = wishOf(form);
    const asked = `${path} ${JSON.stringify(body)}`;
    const { key, version } = form.elements;
    try {
      const wish = this.unsent.get(asked) ??
        { path, body: await this.entropy.add(path, body), key: key.value, version: Number(version.value) };
      await this.#send(asked, wish);
      this.done(form);
    } catch (error) {
      await this.#failed(form, error);
    } finally {
      this.busy = false;
      form.removeAttribute("aria-busy");
    }
  }

  /** Sends a wish. If another command takes the draw first, it goes again for the next draw, with new random bytes. A
   * wish without an answer is kept, so that it can go again as it was. */
  async #send(asked, first) {
    let wish = first;
    for (let left = TRIES; ; left -= 1) {
      this.unsent.set(asked, wish);
      try {
        const answer = await send(`${this.page.data.path}${wish.path}`, wish.body, wish);
        this.unsent.delete(asked);
        this.waits = answer.waiting && wish;
        return this.tell(answer, wish);
      } catch (error) {
        if (error.problem?.code !== "draw-taken" || !left) {
          if (error instanceof Refusal && error.status < 500) this.unsent.delete(asked);
          throw error;
        }
        wish = await this.entropy.again(wish, error.problem.facts);
      }
    }
  }

  /** What has come of the wish whose draw waited. */
  async look() {
    const { waits } = this;
    if (waits === undefined) return;
    try {
      const answer = await send(`${this.page.data.path}${waits.path}`, waits.body, { key: waits.key });
      if (this.waits !== waits) return;
      this.waits = answer.waiting && waits;
      this.tell(answer, waits);
    } catch {
      // The log tells it as well; the next event asks again.
    }
  }

  /** Says what was done, and whether the log has the random bytes that were sent. */
  tell({ events, waiting }, { body }) {
    const { page } = this;
    const wrong = this.entropy.read(events, body);
    const missing = waiting?.contributors.filter((seat) => seat !== HOUSE).map(page.name).join(", ");
    say(this.section.querySelector("#came"),
      wrong && el("p", { class: "wrong", role: "alert" }, wrong),
      el("p", {}, el("strong", {}, waiting === undefined ? "Done." : "Declared.")),
      told(events),
      waiting !== undefined &&
        el("p", {}, `Draw ${waiting.number} waits for ${missing}, until ${waiting.deadline.slice(11, 19)} UTC at most.`));
  }

  async #failed(form, error) {
    if (error instanceof Away) {
      return this.#say(form, "The server cannot be reached. Send it again: however often, it is done once.");
    }
    if (error instanceof Unexplained) return this.#say(form, error.message);
    if (!(error instanceof Refusal)) throw error;
    const { problem } = error;
    switch (problem.code) {
      case "malformed":
        mark(form, problem.errors);
        return this.#say(form, problem.title);
      case "refused":
        return this.#say(form, "Refused: nothing was done.", await why(this.page, problem));
      case "version-conflict":
        return this.#conflict(form, problem.version);
      case "key-reused":
        this.#say(form, AGAIN);
        return this.done();
      default:
        return this.#say(form, `${problem.title}. ${problem.detail ?? ""}`);
    }
  }

  /** What came in between; sent again, the form has seen it. */
  async #conflict(form, version) {
    const seen = Number(form.elements.version.value);
    let between = [];
    try {
      between = (await this.page.ask(`/events?after=${Math.max(seen, version - 40)}`)).events;
    } catch {
      // It is in the log.
    }
    form.elements.version.value = version;
    this.#say(form, "The session has moved on, and nothing was done. In between:",
      [told(between), el("p", {}, "Send it again if you mean it still.")]);
  }

  #say(form, words, more = []) {
    say(form.querySelector(".came"), el("div", { role: "alert" }, el("p", { class: "wrong" }, words), more));
  }
}

const told = (events) =>
  el("ol", { class: "told" }, events.map((each) =>
    el("li", {}, el("span", { class: "number" }, String(each.version)), " ",
      saidBy(each))));

/** Says it in a place, which is kept when the actions are drawn anew until nothing is said there. */
function say(place, ...inside) {
  place.toggleAttribute("data-mine", inside.length > 0);
  place.replaceChildren(...inside.filter(Boolean));
}

/** What is wrong with each field, behind it. */
function mark(form, errors) {
  const words = new Map();
  for (const { pointer, parameter, detail } of errors) {
    const name = parameter ?? pointer.split("/").findLast((part) => !/^\d+$/.test(part));
    words.set(name, `${words.get(name) ?? ""} ${detail}`.trim());
  }
  for (const [name, said] of words) {
    const field = form.elements[`c.${name}`] ?? form.elements[name];
    const first = field instanceof RadioNodeList ? field[0] : field;
    if (first === undefined) continue;
    const place = first.closest(".field, .several, .tick");
    const id = `${first.id}-wrong`;
    place.after(el("p", { class: "wrong", id, "data-js": "" }, said));
    const described = `${first.getAttribute("aria-describedby") ?? ""} ${id}`;
    set(first, { "aria-invalid": "true", "aria-describedby": described.trim() });
  }
  form.querySelector("[aria-invalid]")?.focus();
}

/** Takes away what was said of the last try. */
function clear(form) {
  for (const each of form.querySelectorAll("p.wrong[data-js]")) {
    const field = form.querySelector(`[aria-describedby~="${each.id}"]`);
    const others = field.getAttribute("aria-describedby").replace(/ ?\S+$/, ""); // the last is this
    set(field, { "aria-invalid": false, "aria-describedby": others !== "" && others });
    each.remove();
  }
  const came = form.querySelector(".came");
  if ("mine" in came.dataset) say(came);
}
