/** The table of a game's example, drawn like a session's. No one can act there. */

import type { Schemas, Session, Turn } from "../api/client";
import { TableSession } from "../table/session.svelte";

type Sample = Schemas["SampleTurn"];

export function sampleTable(game: string, sample: Sample): TableSession {
  const table = new TableSession(game);
  const entities = Object.entries(sample.table.entities ?? {});
  const players = entities.map(([, { seat }]) => seat).filter((seat) => seat !== "gm").sort();
  table.session = {
    id: game,
    title: game,
    ruleset: game,
    edition: "",
    version: 1,
    at: "",
    turn: 1,
    closed: true,
    options: {},
    seats: Object.fromEntries(players.map((seat) => [seat, { role: "player", occupied: true, away: false }])),
    names: Object.fromEntries(entities.map(([id, { name }]) => [id, name])),
    // What waits for a next step belongs to a session that goes on.
    table: { ...sample.table, tasks: {} },
    next_draw: 2,
    log_format: 1,
    draws: "table",
    hidden: [],
  } satisfies Session;
  table.turns = [turnOf(sample)];
  table.acting = sample.card.entity;
  return table;
}

function turnOf({ card }: Sample): Turn {
  return {
    turn: 1,
    first: 1,
    last: 1,
    at: "",
    seat: "",
    texts: [],
    values: [],
    outcomes: [],
    cards: [card],
    results: [],
    changes: [],
    sealed: false,
    pending: false,
    undone: false,
    missing: [],
  };
}
