/** Which cards the log shows: what leads to a roll or follows it, such as settling it, is a part of its card. */

import type { Change, RollCard, Turn } from "../api/client";

export interface ShownTurn {
  turn: Turn;
  cards: RollCard[];
  changes: Change[];
  texts: string[];
  /** What was said of continuations that were undone, although the turn itself was not. */
  undoneTexts: string[];
  /** What people said of the result, such as the GM. */
  quotes: { seat: string; said: string }[];
  /** What people said before the roll, such as how they go about it, if the card does not say it. */
  declared: string[];
  /** The turns that are shown as this one, from the first on. */
  parts: Turn[];
}

/**
 * Merge the turns that continue an earlier card into the turn of that card, also if both were undone: it
 * stays one card. If only a continuation was undone, the card shows nothing of it but its texts.
 */
export function shownTurns(turns: Turn[]): ShownTurn[] {
  const shown: ShownTurn[] = [];
  for (const turn of turns) {
    const cards = mergeCards(turn.cards ?? []);
    const [first] = cards;
    const isBegun = (each: ShownTurn) =>
      each.cards.some((card) => card.entity === first!.entity) &&
      (turn.undone || !each.turn.undone) &&
      each.turn.audience === turn.audience;
    const begun = first?.continues ? shown.findLast(isBegun) : undefined;
    const changes = turn.changes ?? [];
    const texts = turn.texts ?? [];
    const quotes = cards.flatMap(({ said }) => (said ? [{ seat: turn.seat, said }] : []));
    if (begun) {
      begun.parts.push(turn);
      if (turn.undone && !begun.turn.undone) begun.undoneTexts = [...begun.undoneTexts, ...texts];
      else {
        begun.cards = mergeCards([...begun.cards, ...cards]);
        begun.changes = mergeChanges([...begun.changes, ...changes]);
        begun.texts = [...begun.texts, ...texts];
        begun.quotes = [...begun.quotes, ...quotes];
      }
      continue;
    }
    const own = cards.filter((card) => !card.continues);
    shown.push({ turn, cards: own, changes, texts, undoneTexts: [], quotes, declared: [], parts: [turn] });
  }
  return shown;
}

/**
 * Make the notes that led to a roll parts of its card, such as an attempt and its difficulty: those that
 * opened or changed a task which the roll goes on with. The card shows their texts in its details. Those
 * with words of people that are not on the card, it shows at once.
 */
export function joinDeclarations(shown: ShownTurn[], followed: number[]): ShownTurn[] {
  const notes = new Map<string, ShownTurn[]>();
  const taken = new Set<ShownTurn>();
  const joined = shown.map((each) => {
    const tasks = each.changes.filter(({ path: [part] }) => part === "tasks");
    const ids = [...new Set(tasks.map(({ path: [, id] }) => id!))];
    if (isPlain(each, followed)) {
      for (const id of ids) {
        const isEnd = tasks.some(({ path, after }) => path[1] === id && path[2] === "label" && after === undefined);
        notes.set(id, isEnd ? [] : [...(notes.get(id) ?? []), each]);
      }
      return each;
    }
    if (!each.cards.length || each.turn.audience) return each;
    const led = [...new Set(ids.flatMap((id) => notes.get(id) ?? []))]
      .filter((note) => note.turn.undone === each.turn.undone && !taken.has(note))
      .sort((a, b) => a.turn.turn - b.turn.turn);
    for (const id of ids) notes.delete(id);
    for (const note of led) taken.add(note);
    return {
      ...each,
      changes: mergeChanges([...led, each].flatMap(({ changes }) => changes)),
      declared: led.filter((note) => !isOnCard(note, each.cards)).flatMap(({ texts }) => texts),
      texts: [...led, each].flatMap(({ texts }) => texts),
      parts: [...led, each].flatMap(({ parts }) => parts),
    };
  });
  return joined.filter((each) => !taken.has(each));
}

/** Whether cards say what people wrote in a note's command. A value of one word, such as an id, is no prose. */
function isOnCard({ turn }: ShownTurn, cards: RollCard[]): boolean {
  const said = cards.map(({ action, detail }) => `${action} ${detail}`.toLowerCase()).join(" ");
  const words = Object.values(turn.command ?? {}).filter((value) => typeof value === "string" && value.includes(" "));
  return words.every((value) => said.includes((value as string).trim().replace(/[.\s]+$/, "").toLowerCase()));
}

/** Notes that are further apart keep their own times. */
const MOST_APART_MS = 5 * 60_000;

/**
 * Join plain notes that follow each other, such as changes of a sheet: they take one block with one time,
 * so that they do not push the rolls out. Turns that are followed keep a block of their own. To those who
 * may not see it, a secret roll is one line with what settles it.
 */
export function joinNotes(shown: ShownTurn[], followed: number[]): ShownTurn[] {
  const joined: ShownTurn[] = [];
  for (const each of shown) {
    const before = joined.at(-1);
    const isSame = before !== undefined && before.turn.undone === each.turn.undone;
    if (isSame && (isSettled(before, each) || (isPlain(before, followed) && isPlain(each, followed) && isNear(before, each)))) {
      const [texts, parts] = [[...before.texts, ...each.texts], [...before.parts, ...each.parts]];
      joined[joined.length - 1] = { ...before, texts, parts };
    } else joined.push(each);
  }
  return joined;
}

function isPlain({ turn, cards, texts }: ShownTurn, followed: number[]): boolean {
  return (
    turn.command !== undefined &&
    texts.length > 0 &&
    !cards.length &&
    !(turn.pending || turn.sealed || turn.audience || turn.grade || turn.missing?.length) &&
    !followed.includes(turn.turn)
  );
}

function isNear(before: ShownTurn, each: ShownTurn): boolean {
  return Date.parse(each.turn.at) - Date.parse(before.parts.at(-1)!.at) < MOST_APART_MS;
}

/** Whether a sealed turn settles a sealed roll: its seat's next secret, which draws nothing. */
function isSettled({ turn, parts }: ShownTurn, { turn: next }: ShownTurn): boolean {
  const isRoll = turn.sealed && turn.draw !== undefined && parts.length === 1;
  return isRoll && next.sealed && next.draw === undefined && next.seat === turn.seat;
}

interface Followed {
  turn: number;
  /** The version before what has to be followed: before the newest thing that waits began. */
  since: number;
}

/**
 * The turn whose card offers what follows: the newest of the entity that acts, also after others have
 * acted, as long as something of it is open, which `tasks` lists.
 */
export function followedTurn(
  shown: ShownTurn[],
  acting: string | undefined,
  tasks: string[],
): Followed | undefined {
  const played = shown.filter(({ turn }) => (turn.command || turn.outcomes) && !turn.undone);
  const newest = played.findLast((each) => actorOf(each) === acting);
  if (!newest || !tasks.length) return undefined;
  const begun = played.findLast(({ changes }) =>
    changes.some(
      // Every task has a label.
      ({ path: [part, id, field], before }) =>
        part === "tasks" && field === "label" && before === undefined && tasks.includes(id!),
    ),
  );
  const { turn } = newest;
  return { turn: turn.turn, since: Math.min(turn.first, begun?.turn.first ?? turn.first) - 1 };
}

/** Whether the turn is known to be part of the game. Nobody is told the command of a secret roll. */
export function isPlayed(turn: Turn): boolean {
  return turn.command !== undefined || turn.kind === "session.Declared";
}

/** Whether a turn says nothing to readers, such as that of the server's own seat. */
export function isSilent(turn: Turn): boolean {
  return !turn.texts?.length && !turn.sealed && !turn.pending && turn.kind === "session.SeatTaken";
}

/** Who acts in a turn: an entity, or `@` and the seat. */
export function actorOf({ turn, cards }: ShownTurn): string {
  const named = (turn.command as Record<string, unknown> | undefined)?.["entity"];
  return cards[0]?.entity ?? (typeof named === "string" ? named : `@${turn.seat}`);
}

/** Show a turn on its own. What it did to an earlier card is in its texts. */
export function shownTurn(turn: Turn): ShownTurn {
  return shownTurns([turn])[0]!;
}

/** Merge each card that continues another one of the same entity into it. */
function mergeCards(cards: RollCard[]): RollCard[] {
  const merged: RollCard[] = [];
  for (const card of cards) {
    const at = card.continues ? merged.findLastIndex((each) => each.entity === card.entity) : -1;
    const before = merged[at];
    if (!before) {
      merged.push(card);
      continue;
    }
    const level = card.level ?? before.level;
    merged[at] = {
      ...before,
      ...(card.result ? { result: card.result } : {}),
      ...(card.note ? { note: card.note } : {}),
      ...(level === undefined ? {} : { level }),
      drawings: [...(before.drawings ?? []), ...(card.drawings ?? [])],
    };
  }
  return merged;
}

/** Merge the changes of the same thing: from what it was at first to what it is at last. */
function mergeChanges(changes: Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const key = change.path.join(" ");
    const before = merged.get(key);
    merged.set(key, before ? { ...before, after: change.after } : change);
  }
  return [...merged.values()];
}
