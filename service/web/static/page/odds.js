// The odds of a form as it is filled in, before it is sent: asked for while its fields change.

import { Away, Refusal, send } from "./net.js";
import { el, svg } from "./nodes.js";
import { why } from "./refusals.js";
import { wishOf } from "./wish.js";

const STILL = 200; // ms without a change
const MANY = 12; // so many outcomes are shown at once

export class Odds {
  constructor(page) {
    this.page = page;
    this.asked = new Map(); // by act: the timer of what was asked for last
  }

  /** Asks once nothing has changed for a while. */
  soon(form) {
    const { act } = form.dataset;
    if (form.querySelector(".odds") === null) return;
    clearTimeout(this.asked.get(act));
    const timer = setTimeout(() => this.#look(form, () => this.asked.get(act) === timer), STILL);
    this.asked.set(act, timer);
  }

  async #look(form, isLast) {
    if (!form.isConnected || form.closest("fieldset:disabled")) return;
    if (!form.checkValidity()) {
      say(form, el("p", { class: "quiet" }, "The odds are shown once it is filled in."));
      return;
    }
    const { path } = this.page.data;
    const { body } = wishOf(form);
    try {
      const tried = await send(`${path}/commands/dry-run`, body);
      const drawn = tried.draws && body.faces === undefined;
      const odds = drawn && (await send(`${path}/odds`, { command: body.command })).outcomes;
      const said = tried.allowed ? table(odds, this.page) : await refusal(this.page, tried);
      if (isLast() && form.isConnected) say(form, said);
    } catch (error) {
      if (!(error instanceof Away || error instanceof Refusal)) throw error;
      say(form);
    }
  }
}

async function refusal(page, tried) {
  return el("div", { class: "no" }, el("p", {}, "As filled in, it would be refused."), await why(page, tried));
}

function table(outcomes, { lines }) {
  const all = Object.entries(outcomes || {});
  if (all.length === 0) return el("p", { class: "quiet" }, "Possible as filled in, without chance.");
  const found = el("table", {}, el("caption", {}, "Odds as filled in"),
    el("tbody", {}, all.map(([name, { numerator, denominator, percent }]) =>
      el("tr", {},
        el("th", { scope: "row" }, lines.names[name] ?? name), el("td", { class: "number" }, written(percent)),
        el("td", {}, svg("svg", { viewBox: "0 0 100 10", "aria-hidden": "true" },
          svg("rect", { width: percent.toFixed(1), height: "10" }))),
        el("td", { class: "quiet" }, denominator < 1e6 ? `${numerator}/${denominator}` : "")))));
  if (all.length <= MANY) return found;
  return el("details", { class: "more" }, el("summary", {}, `Odds of ${all.length} outcomes, as filled in`), found);
}

const written = (percent) => `${percent.toFixed(percent >= 0.1 ? 1 : 2).replace(/\.0$/, "")} %`;

function say(form, ...inside) {
  form.querySelector(".odds").replaceChildren(...inside.filter(Boolean));
}
