/** A session as the seat of this browser saw it at a moment of the past. No one can act in it. */

import { type Schemas, type Session, type Turn, explain, get } from "../api/client";
import { TableSession } from "../table/session.svelte";
import { type ShownTurn, shownTurns } from "../table/turn-cards";
import { fill, text } from "../text";
import { Feed } from "./feed";
import { type Mark, isWithin } from "./lineage";
import { TimelineMarks } from "./marks.svelte";

export type Branch = Schemas["BranchView"];
/** What differs between two tables for a character. */
export type Difference = Schemas["Difference"];

/** A line of the log: turns that are shown as one, as the log of the table shows them. */
export interface Line {
  /** The mark of the first turn. */
  mark: Mark;
  shown: ShownTurn;
  isHere: boolean;
  isLater: boolean;
}

/** How many turns the log shows before and after the one that is looked at. */
const BEFORE = 7;
const AFTER = 4;
/** How far back the turn is looked for that another one continues. */
const MOST_BEFORE = 56;
/** The API reads at most this many events for a page of turns. */
const MOST_EVENTS = 200;
/** What takes longer than a step waits until the reader pauses. */
const SETTLE_MS = 250;

export class ReviewSession extends TableSession {
  override readonly isPast = true;
  /** The version that is looked at. */
  at = $state(0);
  /** Whether the reader moves quickly. Then only what changes with each step is drawn. */
  isMoving = $state(false);
  newest = $state.raw<Session>();
  branches = $state.raw<Branch[]>([]);
  private cards = $state.raw(new Map<number, Turn>());
  private readonly asPlayed = new WeakMap<Turn, Turn>();
  /** Lines keep their identity, so that a step draws only what is new. */
  private readonly joined = new WeakMap<Turn, ShownTurn[]>();
  private compared = $state.raw<{ at: number; newest: number; changed: Difference[]; since: Difference[] }>();
  /** How many turns before the one that is looked at are read. */
  private reach = $state(BEFORE);
  /** Grows when a segment of the feed has arrived. */
  private arrived = $state(0);
  private settling: ReturnType<typeof setTimeout> | undefined;
  private isFollowing: boolean;
  readonly marks = new TimelineMarks((rest) => this.viewed(rest));
  readonly feed = new Feed((rest) => this.viewed(rest));

  constructor(id: string, moment: string) {
    super(id);
    this.isFollowing = !/^\d{1,15}$/.test(moment);
    this.at = this.isFollowing ? 0 : Number(moment);
  }

  readonly history = $derived(this.marks.history);
  readonly index = $derived(this.history.indexOf(this.at));
  readonly mark = $derived(this.history.marks[this.index]);
  readonly isNewest = $derived(this.at === this.newest?.version);
  readonly lineage = $derived(this.history.lineage(this.at));

  protected override async read(): Promise<void> {
    try {
      const newest = await get<Session>(this.viewed(""));
      await this.marks.read(newest.version);
      const isNew = newest.version !== this.newest?.version;
      this.newest = newest;
      if (this.isFollowing || this.at > newest.version) this.at = newest.version;
      this.at = Math.max(1, this.at);
      await this.draw();
      if (isNew) await Promise.all([this.readBranches(), this.settle()]);
      this.error = "";
    } catch (error) {
      this.failed(error);
    }
  }

  private async readBranches(): Promise<void> {
    const found = await get<Schemas["Branches"]>(this.viewed("/branches?limit=200"));
    this.branches = found.branches;
  }

  /** Look at a version. */
  go(version: number): void {
    const newest = this.newest?.version ?? 1;
    this.at = Math.max(1, Math.min(version, newest));
    this.reach = BEFORE;
    this.isFollowing = this.at === newest;
    this.isMoving = this.settling !== undefined;
    void this.draw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      this.isMoving = false;
      void this.settle();
    }, SETTLE_MS);
  }

  /** Look at the turn with this index among all turns. */
  goTo(index: number): void {
    const { marks } = this.history;
    const mark = marks[Math.max(0, Math.min(index, marks.length - 1))];
    if (mark) this.go(mark.last);
  }

  /** Go back or on. Turns that are shown as one are one step. */
  step(turns: number): void {
    const start = turns < 0 ? this.history.indexOf(this.first) : this.index;
    this.goTo(start + turns);
  }

  /**
   * Look at the end of the turns that follow each other and are shown as one, so that the card, the
   * board and the changes are of the same moment.
   */
  private async settle(): Promise<void> {
    let at;
    do {
      ({ at } = this);
      await this.readCards();
      if (this.isMoving || at !== this.at) return;
      const following = this.history.marks.slice(this.index + 1, this.index + 1 + AFTER);
      const asOne = this.join([...this.past, ...following.map((mark) => this.restored(this.turnOf(mark)))]);
      const parts = asOne.find(({ parts }) => parts.some(({ turn }) => turn === this.mark?.turn))?.parts ?? [];
      const next = following.findIndex((mark) => !parts.some(({ turn }) => turn === mark.turn));
      const last = next < 0 ? following.at(-1) : following[next - 1];
      this.at = (last ?? this.mark)?.last ?? at;
      this.isFollowing = this.isNewest;
      await this.draw();
    } while (at !== this.at);
    await this.readDifferences().catch((error: unknown) => (this.error = explain(error)));
  }

  /** Show the table of the version that is looked at, as soon as it is here. */
  private async draw(): Promise<void> {
    const { at } = this;
    if (!this.feed.now(at)) {
      await this.feed.load(at);
      this.arrived += 1;
    }
    const table = this.feed.now(at);
    if (at !== this.at || !table || !this.newest) return;
    this.showTurn();
    this.session = { ...this.newest, table, version: at };
    // The step before is at the end of another segment once in a thousand versions.
    if (this.mark && !this.feed.now(this.versionBefore)) {
      await this.feed.load(this.versionBefore);
      this.arrived += 1;
    }
  }

  /** Read the cards of the turns around the one that is looked at. */
  private async readCards(): Promise<void> {
    const { at } = this;
    for (;;) {
      const missing = this.around(this.reach, AFTER).filter((mark) => !this.isRead(mark));
      if (missing.length) {
        const first = Math.min(...missing.map((mark) => mark.first));
        const next = Math.max(...missing.map((mark) => mark.last)) + 1;
        await this.readTurns(first, next).catch((error: unknown) => (this.error = explain(error)));
      }
      if (at !== this.at || this.reach >= MOST_BEFORE || !this.here || !isRest(this.here, this.upToHere)) break;
      this.reach *= 2;
    }
    this.showTurn();
  }

  /** Let boards show what the turns did that are looked at, if their cards are read and the reader pauses. */
  private showTurn(): void {
    if (this.isMoving) {
      if (this.turns.length) this.turns = [];
      return;
    }
    this.turns = this.here?.parts.filter(({ turn }) => this.cards.has(turn)) ?? [];
  }

  /** Read the turns from version `first` up to version `next`. Returns them. */
  async readTurns(first: number, next: number): Promise<Turn[]> {
    const limit = Math.min(MOST_EVENTS, next - first);
    const before = next > (this.newest?.version ?? 0) ? "" : `&before=${next}`;
    const page = await get<Schemas["Turns"]>(this.viewed(`/turns?limit=${limit}${before}`));
    const cards = new Map(this.cards);
    for (const turn of page.turns) cards.set(turn.turn, turn);
    this.cards = cards;
    return page.turns;
  }

  /** Return the card of a turn if it is read. */
  card(mark: Mark): Turn | undefined {
    return this.cards.get(mark.turn);
  }

  private isRead(mark: Mark): boolean {
    return this.cards.get(mark.turn)?.last === mark.last;
  }

  private around(before: number, after: number): Mark[] {
    return this.history.marks.slice(Math.max(0, this.index - before), this.index + after + 1);
  }

  /** While the reader moves quickly: the turn that is looked at, and the one before. */
  readonly passing = $derived(this.around(1, 0));

  /** The turns up to the one that is looked at, as they were then. */
  private readonly past = $derived(this.around(this.reach, 0).map((mark) => this.turnOf(mark)));

  /** Join turns as the log of the table does, but not notes: each of them is a moment to go back to. */
  private join(turns: Turn[]): ShownTurn[] {
    return shownTurns(turns).map((shown) => this.same(shown));
  }

  /** Return the same turns that were joined before, if there are any. */
  private same(shown: ShownTurn): ShownTurn {
    const known = this.joined.get(shown.turn) ?? [];
    const isSame = ({ parts }: ShownTurn) =>
      parts.length === shown.parts.length && parts.every((part, nth) => part === shown.parts[nth]);
    const found = known.find(isSame);
    if (!found) this.joined.set(shown.turn, [...known, shown]);
    return found ?? shown;
  }

  private readonly upToHere = $derived(this.join(this.past));

  /** What is looked at: the turns up to this moment that are shown as one. */
  readonly here = $derived(
    this.upToHere.find(({ parts }) => parts.some(({ turn }) => turn === this.mark?.turn)),
  );

  /** The first version of what is looked at that follows without another turn in between. */
  private readonly first = $derived.by(() => {
    let { index } = this;
    const isPart = (mark: Mark | undefined) => this.here?.parts.some(({ turn }) => turn === mark?.turn);
    while (isPart(this.history.marks[index - 1])) index -= 1;
    return this.history.marks[index]?.first ?? 1;
  });

  /** The version before what is looked at, or before one turn while the reader moves quickly. */
  private readonly versionBefore = $derived((this.isMoving ? (this.mark?.first ?? 1) : this.first) - 1);

  /** The lines of the log: what is shown around the turn that is looked at. */
  readonly lines = $derived.by<Line[]>(() => {
    const later = this.around(-1, AFTER).map((mark) => this.turnOf(mark));
    const after = later.length ? this.join([...this.past, ...later]).filter(({ turn }) => later.includes(turn)) : [];
    const found = [...this.upToHere, ...after];
    const marks = new Map(this.around(this.reach, AFTER).map((mark) => [mark.turn, mark]));
    return found
      .filter((shown) => shown === this.here || !isRest(shown, found))
      .slice(-BEFORE - 1 - after.length)
      .map((shown) => ({
        mark: marks.get(shown.turn.turn)!,
        shown,
        isHere: shown === this.here,
        isLater: after.includes(shown),
      }));
  });

  /** How many turns came later, and how many more of them are undone. */
  readonly later = $derived.by(() => {
    const later = this.history.marks.slice(this.index + 1);
    const kept = this.history.lineage(this.newest?.version ?? 0);
    const left = later.filter((mark) => isWithin(kept, mark.last)).length;
    return { left, undone: later.length - left };
  });

  /** Return the card of a turn, or what the feed says of it until the card is read. */
  private turnOf(mark: Mark): Turn {
    const isUndone = mark.last <= this.at && !isWithin(this.lineage, mark.last);
    const card = this.cards.get(mark.turn);
    if (card) {
      return isUndone || mark.last > this.at ? card : this.restored(card);
    }
    const { turn, first, last, at, seat } = mark;
    const blank: Partial<Turn> = {
      ...{ turn, first, last, at, seat, texts: this.texts(mark), sealed: mark.sort === "sealed" },
      ...{ values: [], outcomes: [], results: [], changes: [], cards: [], pending: false, undone: false },
    };
    return blank as Turn;
  }

  /** Return the card of a turn that was not undone yet. */
  private restored(card: Turn): Turn {
    if (!card.undone) return card;
    const found = this.asPlayed.get(card) ?? { ...card, undone: false };
    this.asPlayed.set(card, found);
    return found;
  }

  /** Return what a turn's events say, without the command and its draw if there is more. */
  texts(mark: Mark): string[] {
    void this.arrived;
    const found = [];
    for (let version = mark.first; version <= mark.last; version++) {
      const event = this.feed.event(version);
      if (event?.turn === mark.turn && event.text !== undefined) found.push(event);
    }
    const shown = found.filter((event) => event.kind !== "session.Declared" && event.kind !== "session.Drawn");
    return (shown.length ? shown : found).map((event) => {
      const said = fill(event.text!, this.newest?.names ?? {});
      return said.charAt(0).toUpperCase() + said.slice(1);
    });
  }

  /** Say in one line what happened in a turn. */
  headline(mark: Mark): string {
    if (mark.to !== undefined) return this.rewound(mark, mark.to);
    if (mark.sort === "sealed") return text.secretTurn(this.name(`@${mark.seat}`));
    const turn = this.cards.get(mark.turn);
    return turn ? this.said(turn) : (this.texts(mark)[0] ?? "");
  }

  /** Whether a rewind to a version only brought turns back. */
  isRedo(mark: Mark, to: number): boolean {
    const { history } = this;
    return !history.beyond(mark.first - 1, to).length && history.beyond(to, mark.first - 1).length > 0;
  }

  /** Say what a rewind to a version did: what it undid, or what it brought back. */
  rewound(mark: Mark, to: number): string {
    const name = this.name(`@${mark.seat}`);
    const undone = this.history.beyond(mark.first - 1, to).length;
    if (undone) return text.review.undid(name, undone);
    const restored = this.history.beyond(to, mark.first - 1).length;
    return restored ? text.review.broughtBack(name, restored) : text.review.rewound(name);
  }

  /** Say in one line what a seat did in a turn. */
  said(turn: Turn): string {
    const [card] = turn.cards ?? [];
    if (turn.narration !== undefined || !card?.action) return turn.narration ?? turn.texts?.[0] ?? "";
    const action = `{${card.entity}} ${card.action}`;
    const line = card.detail ? `${action} · ${card.detail}` : action;
    return line.replace(/\{([^{}]+)\}/g, (_, id: string) => this.name(id));
  }

  /** What is looked at changed, and what has changed since. Absent until it is read. */
  readonly differing = $derived(
    this.compared?.at === this.at && this.compared.newest === this.newest?.version ? this.compared : undefined,
  );

  private async readDifferences(): Promise<void> {
    const { at, first } = this;
    const newest = this.newest?.version ?? at;
    const before = Math.max(1, first - 1); // the session begins with version 1
    const [changed, since] = await Promise.all([this.compare(before, at), this.compare(at, newest)]);
    this.compared = { at, newest, changed, since };
  }

  /** Read what differs between two versions: first in the party, and there the largest differences first. */
  async compare(from: number, to: number): Promise<Difference[]> {
    if (from === to) return [];
    const found = await get<Schemas["Comparison"]>(this.viewed(`/compare?from=${from}&to=${to}`));
    const isParty = ({ entity }: Difference): boolean => {
      const seat = this.session?.table.entities?.[entity ?? ""]?.seat;
      return this.session?.seats[seat ?? ""]?.role === "player";
    };
    return [...found.sentences.filter(isParty), ...found.sentences.filter((each) => !isParty(each))];
  }

  override was(pool: string): number | undefined {
    void this.arrived;
    const before = this.mark && this.feed.now(this.versionBefore)?.pools?.[pool]?.now;
    return before === this.session?.table.pools?.[pool]?.now ? undefined : before;
  }

  override heading(panel: string): string {
    return this.mark ? text.review.atTurn(panel, this.mark.turn) : panel;
  }

  override name(id: string): string {
    return this.session?.table.entities?.[id]?.name ?? super.name(id);
  }
}

/** Whether a turn is the rest of an earlier card that is not among the cards shown. */
function isRest({ turn, cards }: ShownTurn, shown: ShownTurn[]): boolean {
  const [first] = turn.cards ?? [];
  if (!first?.continues || cards.length || turn.undone) return false;
  const begun = (each: ShownTurn) => each.cards.some(({ entity }) => entity === first.entity);
  return !shown.some((each) => each.turn.turn < turn.turn && begun(each));
}
