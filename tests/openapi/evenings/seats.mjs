// Seats of @fairlog/client that meet a lost response, a used store and a restart: node seats.mjs URL
import assert from "node:assert/strict";
import process from "node:process";

import { connect } from "@fairlog/client";
import { Away, openSeat, Refusal, sit, takeSeat } from "@fairlog/client/seat";

const server = process.argv[2];
const anyone = connect({ server }).api;

function memory() {
  let stored;
  return {
    read: async () => structuredClone(stored),
    write: async (record) => {
      assert.equal(stored?.rev ?? 0, record.rev);
      record.rev += 1;
      stored = structuredClone(record);
    },
  };
}

const { data: ticket } = await anyone.POST("/v1/sessions", {
  body: { ruleset: "open", title: "Two seats", draws: "table", options: { deadline: 60 } },
});
const path = { session: ticket.session };
const gm = await sit({ server, ticket, store: memory() });
const { data: invitation } = await gm.api.POST("/v1/sessions/{session}/invitations", {
  params: { path },
  body: { role: "player" },
});

const store = memory();
const options = { server, code: invitation.code, name: "Rollo", store };
const losing = async (...request) => {
  await (await fetch(...request)).text();
  throw new TypeError("fetch failed");
};
await assert.rejects(takeSeat({ ...options, fetch: losing }), Away);
await assert.rejects(openSeat({ store }), /has no seat/);
const rollo = await takeSeat(options);
const { data: session } = await gm.api.GET("/v1/sessions/{session}", { params: { path } });
assert.equal(Object.keys(session.seats).length, 3); // with the server's
assert.equal((await takeSeat(options)).seat, rollo.seat);
await assert.rejects(takeSeat({ ...options, code: "another" }), /already has a seat/);
await assert.rejects(sit({ server, ticket, store }), /already has a seat/);
await assert.rejects(takeSeat({ ...options, store: memory() }), Refusal);
assert.equal((await openSeat({ store })).seat, rollo.seat);

const end = new AbortController();
const contributing = Promise.all([gm.run(end.signal), rollo.run(end.signal)]);
const roll = { params: { path }, body: { command: { kind: "open.Roll", notation: "2d6" } } };
let grade;
for (let nth = 0; grade !== "A"; nth++) {
  assert.ok(nth < 20, "no draw has the grade A");
  const { data, error } = await gm.api.POST("/v1/sessions/{session}/commands", roll);
  await new Promise((done) => { setTimeout(done, 500); });
  if (error) continue; // the draw before waits
  const { data: last } = await gm.api.GET("/v1/sessions/{session}/events", {
    params: { path, query: { after: data.version - 1 } },
  });
  grade = last.events.find((event) => event.grade)?.grade;
}
end.abort();
await contributing;
console.log(`grade ${grade}`);
