// The table of the version that is shown. What the events around it say is added once nobody moves on.

import { hintOf } from "./hints.js";
import { draw } from "./table.js";

const AROUND = 12; // events whose bodies a hint is made from
const STILL = 150; // ms

export function start(page) {
  const { view, element } = page;
  const table = element.querySelector("#table");
  const where = element.querySelector("#where"); // data-version is drawn; data-whole: with all that is said of it
  let waiting;
  const say = () => { where.textContent = `Version ${view.at} of ${view.head}`; };
  const show = () => {
    say();
    drawn(page, table, where);
    clearTimeout(waiting);
    waiting = setTimeout(() => look(page, table, where), STILL);
  };
  view.addEventListener("moved", show);
  view.addEventListener("led", () => { if (ahead(page) !== undefined) drawn(page, table, where); });
  view.addEventListener("grew", say);
}

/** The points ahead that actions.js has found, while the version that they are of is shown live. */
const ahead = ({ view, led }) => (view.live && led?.version === view.at ? led.ways : undefined);

/** What the table shows: {table, names, before}, undefined where it is not here yet. */
export function shown({ view: { at }, store, lines }) {
  const now = store.now(at);
  if (now === undefined) return undefined;
  return { table: now.table, names: lines.names, before: at > 0 ? store.now(at - 1)?.table : undefined };
}

async function drawn(page, table, where) {
  const { view, store, lines } = page;
  const { at } = view;
  const here = shown(page);
  if (here !== undefined) {
    const around = lines.around(at, AROUND);
    draw(table, { ...here, hint: around && { ...hintOf(around, here.table), ahead: ahead(page) } });
    const whole = around !== undefined && (at === 0 || here.before !== undefined);
    Object.assign(where.dataset, { version: at, whole });
    return;
  }
  try {
    await store.at(at);
    if (at > 0) await store.at(at - 1);
    if (view.at === at) drawn(page, table, where);
  } catch (error) {
    page.fail(error);
  }
}

/** Fetches the events around the version, and what is missing for its marks. */
async function look(page, table, where) {
  const { view: { at }, lines, store } = page;
  try {
    const complete = lines.around(at, AROUND) !== undefined;
    if (!complete) {
      const { events } = await page.ask(`/events?after=${Math.max(0, at - AROUND)}&limit=${AROUND}`);
      events.forEach((each) => lines.keep(each));
    }
    const marked = at === 0 || store.now(at - 1) !== undefined;
    if (!marked) await store.at(at - 1);
    if ((!complete || !marked) && page.view.at === at) drawn(page, table, where);
  } catch (error) {
    page.fail(error);
  }
}
