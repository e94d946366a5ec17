// The page of a session: builds what its parts share from the data block, and starts them.
//
// A part is a module with start(page). `page`: {data, view, store, lines, element, ask, name, say, fail, all, settle},
// and `led` where the token can be led (actions.js). An async start is one that loads more.

import * as actions from "./actions.js";
import { through } from "./address.js";
import * as event from "./event.js";
import * as history from "./history.js";
import * as keys from "./keys.js";
import { Lines } from "./lines.js";
import * as live from "./live.js";
import * as log from "./log.js";
import { Refusal, get } from "./net.js";
import * as notes from "./notes.js";
import { seatOf } from "./parts.js";
import * as scrub from "./scrub.js";
import * as seat from "./seat.js";
import * as stage from "./stage.js";
import { segmentOf, SIZE, Store } from "./store.js";
import { View } from "./view.js";

const PARTS = [history, stage, event, log, notes, scrub, keys, live, seat, actions];
const PAUSE = 30; // ms between two segments that are fetched beforehand

const data = JSON.parse(document.getElementById("page").textContent);
const element = document.getElementById("main");
const view = new View(data.at ?? undefined, data.version);
const ask = (path) => get(through(data, `${data.path}${path}`));
const store = new Store(data.path, data.version, (address) => get(through(data, address)));
const lines = new Lines(store, data);
let everything;

const page = {
  data, element, view, store, lines, ask,
  name: (seat) => seatOf(lines, seat),
  /** Says something once, aloud too. */
  say: (words) => { element.querySelector("#said").textContent = words; },
  /** What went wrong, in words: a page that cannot be brought up to date stays as it is. */
  fail: (error) =>
    page.say(error instanceof Refusal ? error.message : `The server cannot be reached: ${error.message}`),
  /** Resolves when every version is here. */
  all: () => (everything ??= learn().finally(() => { everything = undefined; })),
  /** The place that was come to by scrubbing is kept. */
  settle: () => view.dispatchEvent(new Event("settled")),
};

for (const [version, table] of [[view.at - 1, data.before], [view.at, data.table]]) {
  if (version > 0) store.keep({ version, table });
}
for (const part of PARTS) part.start(page)?.catch(page.fail);
document.documentElement.dataset.ready = "true";
performance.mark("ready");
setTimeout(() => page.all().catch(page.fail), PAUSE);

/** Fetches the feed segment by segment, each once it is complete. */
async function learn() {
  for (let number = 0; number <= segmentOf(store.head); number += 1) {
    const before = store.segments.get(number);
    const segment = await store.segment(number, Math.min(store.head, (number + 1) * SIZE));
    if (segment === before) continue;
    lines.learn(segment.events);
    view.dispatchEvent(new Event("learned"));
    await new Promise((done) => { setTimeout(done, PAUSE); });
  }
  document.documentElement.dataset.whole = "true";
}
