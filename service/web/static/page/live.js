// What happens, as it happens: the stream's events, the newest table, and in words how the connection stands.

import { through } from "./address.js";
import { Away, Refusal } from "./net.js";

const AGAIN = [1000, 2000, 5000, 10_000]; // ms until the next try
const ENDED = {
  "token-revoked": "Your seat's token was revoked: enter with a new one.",
  "token-invalid": "Your seat's token is not known any more: enter with a new one.",
  "token-missing": "This session is not open to everybody: enter with your seat.",
  "not-found": "This session is not there any more.",
  "version-unknown": "The server has lost events that this page has shown. Keep the page, and ask the operator.",
};

export function start(page) {
  const live = new Live(page);
  live.open();
  document.addEventListener("visibilitychange", () => (document.hidden ? live.rest() : live.open()));
  addEventListener("online", () => live.open());
  addEventListener("offline", () => live.lose());
  addEventListener("pagehide", () => live.rest());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) live.open(); });
}

class Live {
  constructor(page) {
    this.page = page;
    this.tries = 0;
    this.since = undefined; // when the connection was lost
    this.over = false;
    this.answered = false; // the session was, before the stream was tried again
  }

  /** Goes on behind the newest version. */
  open() {
    if (this.source !== undefined || this.over || document.hidden) return;
    clearTimeout(this.again);
    const { view, data } = this.page;
    const source = new EventSource(through(data, `${data.path}/stream?after=${view.head}`));
    this.source = source;
    source.addEventListener("open", () => this.#opened());
    source.addEventListener("message", ({ data: text }) => this.#heard(JSON.parse(text)));
    source.addEventListener("draw", () => view.dispatchEvent(new Event("draw")));
    source.addEventListener("end", ({ data: text }) => this.#ended(JSON.parse(text).code));
    source.addEventListener("error", () => this.lose());
  }

  /** Nobody looks: the stream is given back. */
  rest() {
    if (this.over) return;
    this.#close();
    clearTimeout(this.again);
    this.since ??= new Date();
    this.#say("away", `Away since ${clock(this.since)} UTC.`);
  }

  /** The connection is lost, or was refused: tries again, unless it is of no use. */
  lose() {
    if (this.over) return;
    this.#close();
    this.since ??= new Date();
    const why = this.answered ? "The server has no room for another live page. " : "";
    this.#say("lost", `${why}Reconnecting since ${clock(this.since)} UTC.`);
    const delay = AGAIN[Math.min(this.tries, AGAIN.length - 1)];
    this.tries += 1;
    clearTimeout(this.again);
    this.again = setTimeout(() => this.#retry(), delay);
  }

  /** An EventSource does not say why it was refused: a look at the session does. Where that is answered and the
   * stream is still refused, there is no room. */
  async #retry() {
    try {
      await this.page.ask("");
      this.answered = true;
      this.open();
    } catch (error) {
      if (error instanceof Refusal && error.problem.code in ENDED) this.#ended(error.problem.code);
      else {
        this.answered = false;
        this.lose();
      }
    }
  }

  #opened() {
    this.tries = 0;
    this.answered = false;
    this.since = undefined;
    this.#say("live", "Connected.");
  }

  #ended(code) {
    this.#close();
    if (code in ENDED) {
      this.over = true;
      this.#say("over", ENDED[code]);
    } else if (code === "rotate") {
      this.open();
    } else {
      this.lose();
    }
  }

  #heard(event) {
    const { lines, store, view } = this.page;
    lines.keep(event);
    store.grow(event.version);
    this.newest = event.version;
    if (["opened", "handed-over"].includes(event.highlight)) this.#reread(event.version);
    if (!view.live) view.grow(event.version);
    else this.#refresh();
  }

  /** The newest tables, one question at a time; what comes meanwhile is in the next. */
  async #refresh() {
    if (this.asking) return;
    this.asking = true;
    try {
      while (this.newest > this.page.view.head) await this.#bring(this.newest);
    } catch (error) {
      if (error instanceof Away) this.lose();
      else this.page.fail(error);
    } finally {
      this.asking = false;
    }
  }

  async #bring(version) {
    const { store, lines, view, data } = this.page;
    const here = store.now(version - 1) !== undefined;
    const [now, before] = await Promise.all([
      this.page.ask(`?version=${version}`), here ? undefined : this.page.ask(`?version=${version - 1}`),
    ]);
    if (before !== undefined) store.keep({ version: version - 1, table: before.table });
    store.keep({ version, table: now.table });
    lines.names = now.names;
    for (const name of ["closed", "seats", "names", "next_draw", "log_format"]) data[name] = now[name];
    view.grow(version);
  }

  /** What came to light is told anew. */
  async #reread(version) {
    const { lines, view } = this.page;
    try {
      (await this.page.ask(`/events?last=500`)).events.forEach((each) => lines.keep(each));
      view.dispatchEvent(new CustomEvent("grew", { detail: { version } }));
    } catch (error) {
      this.page.fail(error);
    }
  }

  #close() {
    this.source?.close();
    this.source = undefined;
  }

  #say(state, words) {
    const place = this.page.element.querySelector("#connection");
    place.dataset.state = state;
    if (place.textContent !== words) place.textContent = words;
  }
}

const clock = (date) => date.toISOString().slice(11, 19);
