// An evening that is played with the generated TypeScript client: node evening.js URL
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

type Roll = components["schemas"]["open.Roll"];
type StreamEvent = components["schemas"]["StreamEvent"];

const ROLLS = 30;
const url = process.argv[2]!;
const bearer = (token: string) => createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const roll = (fields: Omit<Roll, "kind">) => ({ command: { kind: "open.Roll" as const, ...fields } });

function check(holds: unknown, what: unknown): asserts holds {
  if (!holds) throw new Error(`not as documented: ${JSON.stringify(what)}`);
}

function data<T>(answer: { data?: T; error?: unknown; response: Response }, status = 201): T {
  check(answer.response.status === status && answer.data !== undefined, answer.error ?? answer.response.status);
  return answer.data;
}

async function stream(token: string, session: string, after: number, upto: number): Promise<StreamEvent[]> {
  const found: StreamEvent[] = [];
  const cut = new AbortController();
  const answer = await bearer(token).GET("/v1/sessions/{session}/stream", {
    params: { path: { session }, query: { after } },
    headers: { Accept: "application/x-ndjson" },
    parseAs: "stream",
    signal: cut.signal,
  });
  check(answer.response.status === 200 && answer.data, answer.error);
  let rest = "";
  const decoder = new TextDecoder();
  reading: for await (const part of answer.data as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as StreamEvent | { after: number };
      if ("version" in message) found.push(message);
      if (found.at(-1)?.version === upto) break reading;
    }
  }
  cut.abort();
  return found;
}

const anyone = createClient<paths>({ baseUrl: url });
const ticket = data(await anyone.POST("/v1/sessions", { body: { ruleset: "open", title: "An evening in TypeScript" } }));
const session = ticket.session;
const path = { session };
const gm = bearer(ticket.token);
const invitation = data(await gm.POST("/v1/sessions/{session}/invitations", { params: { path }, body: { role: "player" } }));
check(invitation.code, invitation);
const seat = data(await anyone.POST("/v1/seats", { body: { code: invitation.code } }));
const player = bearer(seat.token);

let turn = data(await player.POST("/v1/sessions/{session}/commands", { params: { path }, body: roll({ notation: "1d20" }) }));
for (let nth = 1; nth < ROLLS; nth++) {
  const header = { "If-Match": `"${turn.version}"` };
  turn = data(
    await player.POST("/v1/sessions/{session}/commands", { params: { path, header }, body: roll({ notation: "2d6+1" }) }),
  );
}
const late = await player.POST("/v1/sessions/{session}/commands", {
  params: { path, header: { "If-Match": '"3"' } },
  body: roll({ notation: "1d6" }),
});
check(late.response.status === 412 && late.error?.code === "version-conflict", late.error);

const header = { "Idempotency-Key": crypto.randomUUID() };
const request = { params: { path, header }, body: roll({ notation: "4d6kh3" }) };
const rolled = data(await player.POST("/v1/sessions/{session}/commands", request));
const again = await player.POST("/v1/sessions/{session}/commands", request);
check(JSON.stringify(data(again).events) === JSON.stringify(rolled.events), again.data);
check(again.response.headers.get("Idempotency-Replayed") === "true", "the repeat is not marked");

const refused = await player.POST("/v1/sessions/{session}/commands", { params: { path }, body: roll({ name: "no such roll" }) });
check(refused.response.status === 409 && refused.error?.rule, refused.error);

const secret = data(
  await gm.POST("/v1/sessions/{session}/narrate", { params: { path }, body: { text: "A trap.", audience: "gm" } }),
);
const [sealed] = await stream(seat.token, session, secret.version - 1, secret.version);
check(sealed?.sealed, sealed);
const opened = data(await gm.POST("/v1/sessions/{session}/open-secret", { params: { path }, body: { turn: secret.turn } }));
const [opening] = await stream(seat.token, session, opened.version - 1, opened.version);
check(opening?.opens?.length === 1 && opening.opens[0]?.text === secret.events[0]?.text, opening);

const rewound = data(
  await gm.POST("/v1/sessions/{session}/rewind", { params: { path }, body: { to: rolled.version, reason: "Again." } }),
);
const head = data(await player.GET("/v1/sessions/{session}", { params: { path } }), 200);
check(head.version === rewound.version, head);

const middle = Math.floor(rewound.version / 2);
const parts = [
  ...(await stream(seat.token, session, 0, middle)),
  ...(await stream(seat.token, session, middle, rewound.version)),
];
check(parts.every((event, nth) => event.version === nth + 1) && parts.length === rewound.version, parts.length);

for (const until = Date.now() + 60_000; ; ) {
  const counted = await player.GET("/v1/sessions/{session}/statistics", { params: { path } });
  if (counted.response.status === 200) {
    console.log(`${parts.length} events, statistics`, JSON.stringify(counted.data).length > 100);
    break;
  }
  check(counted.response.status === 202 && Date.now() < until, counted.error);
  await new Promise((done) => setTimeout(done, 200));
}
