// The draw that waits, second by second, and the grade of every roll that falls: events of the page's view.
//
// "waiting": detail {k, missing: [seats], seconds}, null when it is over. "grade": detail {version, grade}.

import { get } from "../page/net.js";

const RECENT = 20; // events behind which no draw is looked for
const BEAT = 1000; // ms

/** From now on. `page`: {view, data}. */
export function follow({ view, data }) {
  const waits = new Waits(view, data.path);
  for (const name of ["grew", "draw"]) view.addEventListener(name, () => waits.look());
  waits.look();
}

class Waits {
  constructor(view, path) {
    Object.assign(this, { view, path, graded: view.head, draw: undefined, looking: false, again: false });
  }

  /** What the newest events say, one question at a time. */
  async look() {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    try {
      do {
        this.again = false;
        this.#read((await get(`${this.path}/events?last=${RECENT}`)).events);
        if (!this.again) await this.#count();
      } while (this.again);
    } catch {
      // the page says that the server is away; what comes next is read with what was missed
    } finally {
      this.looking = false;
      clearTimeout(this.timer);
      if (this.draw) this.timer = setTimeout(() => this.look(), BEAT);
    }
  }

  #read(events) {
    for (const { version, kind, body, grade } of events) {
      if (kind === "session.Declared" && body?.draw?.contributors.length > 1) this.draw = { k: body.draw.k };
      if (["session.Drawn", "session.DrawVoided"].includes(kind) && body?.k === this.draw?.k) this.draw = undefined;
      if (grade === undefined || version <= this.graded) continue;
      this.graded = version;
      this.#say("grade", { version, grade });
    }
  }

  /** Whom the draw still waits for, and how long. */
  async #count() {
    const found = this.draw && (await this.#state(this.draw.k));
    if (found?.status !== "waiting") this.draw = undefined;
    this.#say("waiting", this.draw ? { k: found.number, missing: found.missing, seconds: found.seconds } : null);
  }

  /** By the server's clock: a phone's may be minutes away from it. */
  async #state(k) {
    const response = await fetch(`${this.path}/draws/${k}`);
    if (!response.ok) return undefined;
    const told = await response.json();
    const left = Date.parse(told.deadline) - Date.parse(response.headers.get("Date") ?? new Date().toUTCString());
    return { ...told, seconds: Math.max(0, Math.ceil(left / 1000)) };
  }

  #say(name, detail) {
    this.view.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
