// What view, store, asking, a seat's file and its waits do by themselves: {check: null, or what went wrong} on stdout.

import assert from "node:assert/strict";
import { stdout } from "node:process";

const FOLDER = "../../service/web/static";
const MODULES = ["page/view", "page/store", "page/net", "seat/keeping", "seat/waits", "verifier/note", "page/entropy"];
const [{ View }, { Store, segmentOf, SIZE }, { Away, Refusal, get, newKey, send }, { Keeping, readFile },
  { follow }, { vkeyText }, { Entropy, Unexplained }] = await Promise.all(MODULES.map((name) => import(`${FOLDER}/${name}.js`)));

/** The events that a view tells from now on, with how. */
function told(view) {
  const heard = [];
  view.addEventListener("grew", () => heard.push("grew"));
  view.addEventListener("moved", ({ detail }) => heard.push(`moved ${detail.how}`));
  return heard;
}

/** A feed of so many versions, which grows by `more`; version n leaves {n}. `asked` holds the addresses. */
function feed(length) {
  const asked = [];
  const events = (after) => Array.from({ length: Math.max(0, Math.min(SIZE, length - after)) }, (_, nth) =>
    ({ version: after + nth + 1, patch: { n: after + nth + 1 } }));
  const answer = async (address) => {
    asked.push(address);
    const [, number, at] = /\/feed\/(\d+)$|\?version=(\d+)$/.exec(address);
    return number === undefined ? { table: { n: Number(at) } } : { events: events(number * SIZE) };
  };
  return { asked, answer, more: (count) => (length += count) };
}

/** One fetch answered by hand; what was asked. */
async function answered(response, ask) {
  const asked = [], real = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    asked.push(given);
    if (response instanceof Error) throw response;
    return response;
  };
  try {
    return [await ask().catch((error) => error), ...asked];
  } finally {
    globalThis.fetch = real;
  }
}

/** The storage of a browser, as far as it is used. */
function storage() {
  const kept = new Map();
  return { kept, getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
}

/** The random bytes of p1's page of a session in format 2. The server answers each question with these events, and
 * says that `by` declared each draw. `asked` holds the addresses. */
const entropyOf = (events = [], { next = 3, by = "p2", asked = [], path = "/v1/sessions/7c" } = {}) =>
  new Entropy({ data: { path, log_format: 2, next_draw: next, seat: "p1" },
    ask: async (address) => (asked.push(address), { seat: by, events }) });

const declared = (k, entropy) => ({ version: 9, kind: "session.Declared", body: { draw: { k, entropy } } });

const DRAWS_NOTHING = { version: 9, kind: "session.Declared", body: {} };

const CHECKS = {
  async entropy_of_a_draw_is_always_the_same() {
    globalThis.localStorage = storage();
    const page = entropyOf(), first = await page.add("/commands", { command: 1 });
    assert.deepEqual([first.command, first.draw, /^[0-9a-f]{64}$/.test(first.entropy)], [1, 3, true]);
    assert.equal((await page.add("/commands", { command: 2 })).entropy, first.entropy, "after a refusal");
    assert.equal(page.read([declared(3, first.entropy)], first), undefined);
    const second = await page.add("/commands", {});
    assert.equal(second.draw, 4);
    assert.notEqual(second.entropy, first.entropy);
    assert.equal(page.read([DRAWS_NOTHING], second), undefined);
    assert.deepEqual(await page.add("/commands", {}), second, "after a command without a draw");
    assert.equal((await page.add("/commands", { faces: [1] })).entropy, undefined);
    const other = await entropyOf([], { path: "/v1/sessions/8d" }).add("/commands", {});
    assert.notEqual(other.entropy, first.entropy, "in another session");
  },

  async entropy_is_the_same_in_another_tab_and_after_answers_with_other_numbers() {
    globalThis.localStorage = storage();
    const early = entropyOf(), sent = new Map(); // a tab that opened before this browser had a key
    for (const next of [3, 4, 3, 4]) {
      const { entropy } = await entropyOf([], { next }).add("/commands", {});
      assert.equal(entropy, sent.get(next) ?? entropy, `draw ${next}`);
      sent.set(next, entropy);
    }
    assert.equal((await early.add("/commands", {})).entropy, sent.get(3));
  },

  async entropy_is_the_same_after_answers_without_the_command() {
    globalThis.localStorage = storage();
    const page = entropyOf(), first = await page.add("/commands", {});
    for (const events of [[], [{ version: 9, sealed: true }], [{ version: 9, kind: "session.Drawn", body: {} }]]) {
      assert.match(page.read(events, first), /does not show the command/);
      assert.deepEqual(await page.add("/commands", {}), first);
    }
    assert.equal(page.read([{ version: 9, sealed: true }], { ...first, audience: "blind" }), undefined);
    assert.equal(page.read([{ version: 9, kind: "session.Narrated", body: {} }], { text: "" }), undefined);
  },

  async entropy_goes_to_the_next_draw_if_another_command_took_this_one() {
    globalThis.localStorage = storage();
    const page = entropyOf([declared(3, "b1".repeat(32))]), body = await page.add("/commands", {});
    const wish = { path: "/commands", body, key: "old" };
    const again = await page.again(wish, { next: 4, taken_by: 9 });
    assert.equal(again.body.draw, 4);
    assert.notEqual(again.body.entropy, body.entropy);
    await assert.rejects(entropyOf().again(wish, { next: 4, taken_by: 9 }), Unexplained);
    for (const next of [3, 2, undefined]) await assert.rejects(page.again(wish, { next, taken_by: 9 }), Unexplained);
  },

  async entropy_works_in_a_browser_that_stores_nothing() {
    delete globalThis.localStorage;
    const page = entropyOf(), first = await page.add("/commands", {});
    assert.equal((await page.add("/commands", {})).entropy, first.entropy);
  },

  async entropy_has_a_new_key_if_what_is_stored_is_none() {
    const { kept } = globalThis.localStorage = storage(), name = "fairlog-entropy /v1/sessions/7c";
    for (const text of ["", "null", "7", "{}", '{"key":"00","sent":[]}', `{"key":"${"0".repeat(64)}"}`]) {
      kept.set(name, text);
      const { entropy } = await entropyOf().add("/commands", {});
      assert.match(kept.get(name), /"[0-9a-f]{64}"/, text);
      assert.equal((await entropyOf().add("/commands", {})).entropy, entropy, text);
    }
  },

  async entropy_says_that_the_log_has_other_bytes() {
    const page = entropyOf(), sent = await page.add("/commands", {});
    assert.match(page.read([declared(3, "00".repeat(32))], sent), /could choose the values/);
  },

  async entropy_says_once_that_a_command_without_an_answer_has_other_bytes() {
    for (const [events, by, wrong] of [
      [[declared(3, "00".repeat(32))], "p1", true], [[declared(3)], "p1", true], [[], "p1", true],
      [[declared(3, "00".repeat(32))], "p2", false],
    ]) {
      globalThis.localStorage = storage();
      const { entropy } = await entropyOf().add("/commands", {}); // the answer is lost
      const asked = [], page = entropyOf(events, { next: 4, by, asked });
      if (wrong) await assert.rejects(page.add("/commands", {}), /draw 3.* another device/);
      assert.equal((await page.add("/commands", {})).draw, 4);
      assert.deepEqual(asked, ["/draws/3"]);
      const honest = entropyOf([declared(4, (await page.add("/commands", {})).entropy)], { next: 5, by: "p1", asked });
      assert.equal((await honest.add("/commands", {})).draw, 5);
      assert.deepEqual(asked, ["/draws/3", "/draws/4"]);
      assert.equal((await entropyOf().add("/commands", {})).entropy, entropy);
    }
  },

  async entropy_looks_at_no_draw_whose_command_was_answered() {
    globalThis.localStorage = storage();
    const asked = [], page = entropyOf([], { asked }), sent = await page.add("/commands", {});
    page.read([declared(3, sent.entropy)], sent);
    assert.equal((await page.add("/commands", {})).draw, 4);
    assert.deepEqual(asked, []);
  },

  view_live_is_the_absence_of_a_version() {
    const view = new View(undefined, 7);
    assert.deepEqual([view.live, view.at, view.newer], [true, 7, 0]);
    const fixed = new View(7, 7);
    assert.deepEqual([fixed.live, fixed.at], [false, 7]);
    assert.equal(new View(0, 7).at, 0);
  },

  view_keeps_between_start_and_head() {
    const view = new View(undefined, 7);
    for (const [asked, at] of [[-3, 0], [3, 3], [2.6, 3], [99, 7]]) {
      view.go(asked);
      assert.deepEqual([view.at, view.live], [at, false]);
    }
  },

  view_says_what_moved_and_how_and_once() {
    const view = new View(undefined, 7), heard = told(view);
    view.go(3);
    view.go(3);
    view.go(4, "scrub");
    view.go(7, "none");
    view.goLive("none");
    view.goLive();
    assert.deepEqual(heard, ["moved push", "moved scrub", "moved none", "moved none"]);
  },

  view_is_not_moved_from_the_past() {
    const view = new View(3, 7), heard = told(view);
    view.grow(9);
    view.grow(8);
    view.grow(9);
    assert.deepEqual([heard, view.at, view.newer, view.head], [["grew"], 3, 6, 9]);
    view.goLive();
    view.grow(10);
    assert.deepEqual([heard, view.at], [["grew", "moved push", "grew", "moved none"], 10]);
  },

  store_numbers_segments() {
    assert.deepEqual([1, SIZE, SIZE + 1, 2 * SIZE].map(segmentOf), [0, 0, 1, 1]);
  },

  async store_asks_once_for_who_asks_together() {
    const { asked, answer } = feed(SIZE + 20), store = new Store("/s", SIZE + 20, answer);
    const found = await Promise.all([SIZE + 1, SIZE + 20, SIZE + 7].map((version) => store.at(version)));
    assert.deepEqual(found.map(({ table }) => table.n), [SIZE + 1, SIZE + 20, SIZE + 7]);
    assert.deepEqual(asked, [`/s?version=${SIZE}`, "/s/feed/1"]);
  },

  async store_follows_a_session_that_grows() {
    const { asked, answer, more } = feed(SIZE + 20), store = new Store("/s", SIZE + 20, answer);
    const then = await store.at(SIZE + 20);
    more(3);
    assert.equal(store.now(SIZE + 21), undefined);
    const [one, two] = await Promise.all([store.at(SIZE + 22), store.at(SIZE + 23)]);
    assert.deepEqual([one.table.n, two.event.version, store.head], [SIZE + 22, SIZE + 23, SIZE + 23]);
    assert.equal((await store.at(SIZE + 20)).table, then.table);
    assert.deepEqual(asked, [`/s?version=${SIZE}`, "/s/feed/1", "/s/feed/1"]);
  },

  async store_asks_again_where_the_answer_was_on_its_way_before_the_version() {
    const { asked, answer, more } = feed(20);
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const store = new Store("/s", 20, async (address) => {
      const answer_ = await answer(address);
      await held;
      return answer_;
    });
    const first = store.at(20);
    await undefined;
    more(1);
    const second = store.at(21);
    release();
    assert.deepEqual([(await first).table.n, (await second).table.n], [20, 21]);
    assert.deepEqual(asked, ["/s/feed/0", "/s/feed/0"]);
  },

  async store_takes_a_base_from_what_is_here() {
    const { asked, answer } = feed(3 * SIZE), store = new Store("/s", 3 * SIZE, answer);
    await store.at(SIZE);
    assert.equal((await store.at(SIZE + 1)).table.n, SIZE + 1);
    assert.deepEqual(asked, ["/s/feed/0", "/s/feed/1"]);
  },

  async store_knows_a_boundary_from_either_side() {
    const { asked, answer } = feed(2 * SIZE), store = new Store("/s", 2 * SIZE, answer);
    await store.at(SIZE + 1);
    assert.deepEqual(store.now(SIZE)?.table ?? { n: SIZE }, { n: SIZE });
    assert.equal((await store.at(SIZE)).event.version, SIZE);
    assert.deepEqual(asked, [`/s?version=${SIZE}`, "/s/feed/1", "/s/feed/0"]);
  },

  async store_keeps_what_came_by_another_way() {
    const { asked, answer } = feed(SIZE + 5), store = new Store("/s", SIZE + 5, answer);
    const newest = { version: SIZE + 5, table: { n: 1 }, event: { version: SIZE + 5 } };
    store.keep(newest);
    assert.deepEqual([store.now(SIZE + 5), await store.at(SIZE + 5), asked], [newest, newest, []]);
    for (let version = 1; version <= 100; version += 1) store.keep({ version, table: {}, event: { version } });
    assert.equal(store.now(SIZE + 5), undefined);
    assert.equal((await store.at(SIZE + 5)).table.n, SIZE + 5);
  },

  async store_gives_events_across_segments() {
    const { answer } = feed(2 * SIZE + 5), store = new Store("/s", 2 * SIZE + 5, answer);
    const versions = async (first, last) => (await store.events(first, last)).map(({ version }) => version);
    assert.deepEqual(await versions(SIZE - 1, SIZE + 2), [SIZE - 1, SIZE, SIZE + 1, SIZE + 2]);
    assert.deepEqual(await versions(2 * SIZE + 5, 2 * SIZE + 5), [2 * SIZE + 5]);
    assert.deepEqual(await versions(1, 0), []);
    await assert.rejects(versions(2 * SIZE, 2 * SIZE + 6), RangeError);
  },

  async store_tries_again_after_a_failure() {
    const { answer } = feed(5);
    let fails = true;
    const store = new Store("/s", 5, async (address) => {
      if (fails) throw new Away("gone");
      return answer(address);
    });
    await assert.rejects(store.at(3), Away);
    fails = false;
    assert.equal((await store.at(3)).table.n, 3);
  },

  async net_sends_a_key_and_the_version_seen() {
    const response = new Response('{"turn":4}', { status: 201 });
    const [answer, [address, options]] = await answered(response, () => send("/x", { a: 1 }, { key: "k", version: 0 }));
    assert.deepEqual(answer, { turn: 4 });
    assert.equal(address, "/x");
    assert.deepEqual([options.method, options.body, options.credentials], ["POST", '{"a":1}', undefined]);
    assert.deepEqual(options.headers, {
      "Content-Type": "application/json", "Idempotency-Key": "k", "If-Match": '"0"',
    });
  },

  async net_asks_with_a_key_of_its_own_and_without_a_version() {
    const [answer, [, options]] = await answered(new Response('{"token":"t"}'), () => send("/x"));
    assert.deepEqual(answer, { token: "t" });
    assert.deepEqual([options.body, "If-Match" in options.headers], [undefined, false]);
    assert.match(options.headers["Idempotency-Key"], /^[0-9a-f]{32}$/);
  },

  async net_reads_a_text() {
    const headers = { Accept: "text/plain" };
    const [note, [, options]] = await answered(new Response("a\nb\n"), () => get("/x", { as: "text", headers }));
    assert.deepEqual([note, options], ["a\nb\n", { headers }]);
  },

  async net_says_what_was_refused() {
    const problem = { code: "refused", detail: "over amx: cost 5, at most 3. Nothing was changed.", rule: "over-amx" };
    const [refused] = await answered(new Response(JSON.stringify(problem), { status: 409 }), () => get("/x"));
    assert.ok(refused instanceof Refusal);
    assert.deepEqual([refused.status, refused.message, refused.problem], [409, problem.detail, problem]);
    const [bare] = await answered(new Response("<p>", { status: 502, statusText: "Bad Gateway" }), () => get("/x"));
    assert.deepEqual([bare.status, bare.problem], [502, { title: "Bad Gateway" }]);
    assert.ok(bare instanceof Refusal);
  },

  async net_says_that_nobody_answers() {
    const [away] = await answered(new TypeError("Failed to fetch"), () => get("/x"));
    assert.ok(away instanceof Away);
    const [torn] = await answered(new Response('{"a":', { status: 200 }), () => get("/x"));
    assert.ok(torn instanceof Away);
    const gone = new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) }));
    assert.ok((await answered(gone, () => get("/x", { as: "text" })))[0] instanceof Away);
  },

  async waits_hears_of_a_roll_that_falls_while_it_counts() {
    const [heard, view] = [[], Object.assign(new EventTarget(), { head: 0 })];
    for (const name of ["waiting", "grade"]) view.addEventListener(name, ({ detail }) => heard.push(detail));
    const events = [{ version: 1, kind: "session.Declared", body: { draw: { k: 0, contributors: ["p1", "house"] } } }];
    const real = globalThis.fetch;
    globalThis.fetch = async (address) => {
      if (address.includes("/events")) return new Response(JSON.stringify({ events }));
      events.push({ version: 2, kind: "session.Drawn", body: { k: 0 }, grade: "A" });
      view.dispatchEvent(new Event("grew"));
      return new Response(JSON.stringify({ k: 0, status: "drawn", missing: [] }));
    };
    follow({ view, data: { path: "" } });
    await new Promise((done) => { setTimeout(done, 50); });
    globalThis.fetch = real;
    assert.deepEqual(heard, [null, { version: 2, grade: "A" }, null]);
  },

  async seat_file_of_a_chain_that_was_gone_on_from_is_read() {
    const logKey = vkeyText({ name: "example.org/sessions/00", kind: 1, publicKey: new Uint8Array(32) });
    const { kept } = await Keeping.make({ server: "http://x", session: "00".repeat(16), seat: "p1", logKey });
    const chain = { number: 0, length: 9, last: "11".repeat(32), position: 4, request: "rolled over", anchored: true };
    const file = { ...kept, chains: [chain] };
    assert.deepEqual(readFile(JSON.stringify(file)), file);
    for (const bent of [{ last: "11" }, { position: -1 }, { length: null }, { request: 1 }]) {
      assert.throws(() => readFile(JSON.stringify({ ...file, chains: [{ ...chain, ...bent }] })), TypeError);
    }
  },

  net_makes_keys_that_differ() {
    const keys = Array.from({ length: 100 }, newKey);
    assert.equal(new Set(keys).size, 100);
    assert.ok(keys.every((key) => /^[0-9a-f]{32}$/.test(key)));
  },
};

const found = {};
for (const [name, check] of Object.entries(CHECKS)) {
  try {
    await check();
    found[name] = null;
  } catch (error) {
    found[name] = error.stack;
  }
}
stdout.write(JSON.stringify(found));
