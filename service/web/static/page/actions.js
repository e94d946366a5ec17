// What a seat does: the forms that the server draws, sent without leaving the page, and drawn anew as things change.

import { through } from "./address.js";
import { Doing } from "./doing.js";
import { get } from "./net.js";
import { become } from "./nodes.js";
import { Odds } from "./odds.js";

const SOON = 60; // ms: several events of a turn are one change
const STILL = 300; // ms without another version shown

export function start(page) {
  const section = page.element.querySelector("#actions");
  if (section === null || page.data.seat === null) return;
  const forms = new Forms(page, section);
  const { view } = page;
  section.addEventListener("submit", (event) => forms.submit(event));
  section.addEventListener("input", ({ target }) => forms.changed(target.form));
  section.addEventListener("click", (event) => forms.click(event));
  page.element.querySelector("#table").addEventListener("click", ({ target }) => {
    const button = target.closest(".ahead button");
    if (button !== null) forms.lead(button);
  });
  forms.look();
  view.addEventListener("grew", () => { if (view.live) forms.soon(SOON); });
  view.addEventListener("grew", () => forms.doing.look());
  view.addEventListener("moved", ({ detail: { how } }) => {
    forms.stop();
    if (how !== "none" || !view.live) forms.soon(STILL);
  });
}

class Forms {
  constructor(page, section) {
    this.page = page;
    this.section = section;
    this.odds = new Odds(page);
    this.doing = new Doing(page, section, (form) => this.#done(form));
    this.touched = new Set(); // acts whose forms somebody has begun to fill in
    this.nth = 0;
  }

  submit(event) {
    const form = event.target;
    if (form.dataset.act === undefined) return;
    event.preventDefault();
    this.doing.act(form).catch(this.page.fail);
  }

  changed(form) {
    if (form?.dataset.act === undefined) return;
    this.touched.add(form.dataset.act);
    this.odds.soon(form);
  }

  /** The way back to the newest version leaves no page. */
  click(event) {
    if (event.target.closest("#stop a") === null || this.page.data.as !== null) return;
    event.preventDefault();
    this.page.view.goLive();
    this.section.querySelector("summary")?.focus();
  }

  /** While somebody looks at the past, nothing can be sent; why not stands above. */
  stop() {
    const { view, data } = this.page;
    const past = !view.live || data.as !== null;
    const stop = this.section.querySelector("#stop");
    stop.hidden = !past;
    if (!view.live) {
      stop.querySelector("p").textContent =
        "You look at the past. What is done is done at the newest version.";
    }
    for (const each of this.section.querySelectorAll("fieldset.acts")) each.disabled = past || "no" in each.dataset;
  }

  /** Draws anew in a while, once for all that comes until then. */
  soon(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.draw().catch(this.page.fail), delay);
  }

  async draw() {
    const { page, section } = this;
    const { view, data } = page;
    const nth = this.nth += 1;
    const at = view.live ? "" : `?at=${view.at}`;
    const text = await get(through(data, `${data.page}/actions${at}`), { as: "text" });
    if (nth !== this.nth) return;
    const fresh = section.cloneNode(false);
    fresh.append(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
    const focused = section.contains(document.activeElement) ? document.activeElement : undefined;
    become(section, fresh);
    for (const form of section.querySelectorAll("form[data-act]")) {
      if (this.touched.has(form.dataset.act)) this.odds.soon(form);
    }
    this.stop();
    this.look();
    if (focused !== undefined && document.activeElement !== focused) this.#refocus(focused.id);
  }

  /** Where the token can be led: the picture shows it as buttons. */
  look() {
    const { view } = this.page;
    const ways = [...this.section.querySelectorAll(".way-ahead")].map(({ dataset, textContent }) => ({
      ...dataset, point: Number(dataset.point), label: textContent, refused: dataset.refused || undefined,
    }));
    const version = Number(this.section.querySelector("[name=version]")?.value);
    this.page.led = { version, ways };
    view.dispatchEvent(new Event("led"));
  }

  /** A button of the picture: the form is filled in as it says, and looked at before it is sent. */
  lead({ dataset: { board, point } }) {
    const way = this.page.led?.ways.find((each) => each.board === board && each.point === Number(point));
    const details = way && this.section.querySelector(`[data-part="act/${way.act}"]`);
    if (!details || way.refused !== undefined) return;
    details.open = true;
    const form = details.querySelector("form");
    for (const field of form.elements) {
      if (field.name === way.field && field.value === way.value) field.checked = true;
    }
    this.changed(form);
    form.querySelector("button[type=submit]").focus();
  }

  #refocus(id) {
    const found = document.getElementById(id);
    found?.focus();
    if (!found?.matches(":focus")) this.section.querySelector("#came").focus(); // it is disabled now, or folded away
  }

  #done(form) {
    if (form !== undefined) {
      this.touched.delete(form.dataset.act);
      form.reset();
    }
    this.soon(SOON);
  }
}
