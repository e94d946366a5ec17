/** News: what of the log concerns the seat of this browser. */

import type { Entity, Session, Task, Turn } from "../api/client";
import { text, words } from "../text";
import { isPlayed } from "./turn-cards";

/** Return what others did in these turns that concerns the seat, as short sentences. */
export function newsOf(turns: readonly Turn[], session: Session, seat: string, isLogShown: boolean, rewound: RewoundTurns): string[] {
  const name = (id: string): string => session.names[id] ?? id.replace(/^@/, "");
  return turns.flatMap((turn) => {
    if (turn.seat === seat) return [];
    if (turn.kind === "session.Rewound") {
      return [text.playing.news.rewound(name(`@${turn.seat}`), span(rewound.undone), span(rewound.restored))];
    }
    if (turn.kind === "session.SeatTaken") return [text.playing.news.joined(name(`@${turn.seat}`))];
    if (!turn.command) return [];
    const who = name(actorOf(turn) ?? `@${turn.seat}`);
    const what = turn.outcomes?.[0]?.outcome ?? turn.texts?.at(-1) ?? words(turn.kind ?? "");
    if (touches(turn, session, seat)) return [text.playing.news.affects(who, turn.texts?.at(-1) ?? what)];
    if (!isLogShown && turn.values?.length) return [text.playing.news.rolled(who, what)];
    return [];
  });
}

/** The numbers of the turns that rewinds have undone or brought back. */
interface RewoundTurns {
  undone: number[];
  restored: number[];
}

/** Return what rewinds did to the commands of these turns, of which those in `before` were undone before. */
export function rewoundTurns(turns: readonly Turn[], before: ReadonlySet<number>): RewoundTurns {
  const played = turns.filter(isPlayed);
  return {
    undone: played.filter((turn) => turn.undone && !before.has(turn.turn)).map((turn) => turn.turn),
    restored: played.filter((turn) => !turn.undone && before.has(turn.turn)).map((turn) => turn.turn),
  };
}

function span(turns: number[]): string {
  return turns.length ? text.playing.news.turns(turns[0]!, turns.at(-1)!) : "";
}

/** A task belongs to the player who began it, also while its next step is the GM's. */
const GMS_STEP = /^the G[A-Z]\b/;

/** Return the tasks whose next step is the seat's. */
export function tasksOf(session: Session | undefined, seat: string | undefined): Task[] {
  return Object.values(session?.table.tasks ?? {}).filter(
    (task) => task.seat === seat && seat !== undefined && !GMS_STEP.test(task.waits),
  );
}

/** Return whether the game waits for the seat: by a task, or because its entity has the turn. */
export function isTurnOf(session: Session | undefined, seat: string | undefined): boolean {
  if (!session || seat === undefined || session.closed) return false;
  const entities: Record<string, Entity> = session.table.entities ?? {};
  const current = Object.values(session.table.order ?? {}).map((order) => order.current);
  return (
    tasksOf(session, seat).length > 0 || current.some((id) => id !== undefined && entities[id]?.seat === seat)
  );
}

function actorOf(turn: Turn): string | undefined {
  const command = turn.command as Record<string, unknown> | undefined;
  const entity = command?.["entity"] ?? turn.outcomes?.[0]?.entity;
  return typeof entity === "string" ? entity : undefined;
}

/** Return whether a turn names or changes an entity of the seat. */
function touches(turn: Turn, session: Session, seat: string): boolean {
  const { entities, pools, conditions } = session.table;
  const own = new Set(Object.keys(entities ?? {}).filter((id) => entities![id]!.seat === seat));
  const named = Object.values((turn.command ?? {}) as Record<string, unknown>).flat();
  if (named.some((value) => typeof value === "string" && own.has(value))) return true;
  return (turn.changes ?? []).some(({ path: [part, id] }) => {
    if (id === undefined) return false;
    if (part === "entities") return own.has(id);
    const parts = part === "pools" ? pools : part === "conditions" ? conditions : undefined;
    return own.has(parts?.[id]?.entity ?? "");
  });
}
