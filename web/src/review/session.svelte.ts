/** A session as the seat of this browser saw it at a moment of the past. No one can act in it. */

import { type Schemas, type Session, type Turn, explain, get } from "../api/client";
import { TableSession } from "../table/session.svelte";
import { fill, text } from "../text";
import { type Difference, differences } from "./differences";
import { Feed } from "./feed";
import { type Mark, isWithin } from "./lineage";
import { TimelineMarks } from "./marks.svelte";

export type Branch = Schemas["BranchView"];

/** A line of the log: a turn, or its mark until its card is read. */
export interface Line {
  mark: Mark;
  turn: Turn;
  isHere: boolean;
  isLater: boolean;
}

/** How many turns the log shows before and after the one that is looked at. */
const BEFORE = 7;
const AFTER = 4;
/** The API reads at most this many events for a page of turns. */
const MOST_EVENTS = 200;
/** What takes longer than a step waits until the reader pauses. */
const SETTLE_MS = 120;

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
      if (isNew) await Promise.all([this.readBranches(), this.readCards()]);
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
    this.isFollowing = this.at === newest;
    this.isMoving = this.settling !== undefined;
    void this.draw();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      this.settling = undefined;
      this.isMoving = false;
      void this.readCards();
    }, SETTLE_MS);
  }

  /** Look at the turn with this index among all turns. */
  goTo(index: number): void {
    const { marks } = this.history;
    const mark = marks[Math.max(0, Math.min(index, marks.length - 1))];
    if (mark) this.go(mark.last);
  }

  step(turns: number): void {
    this.goTo(this.index + turns);
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
    if (this.mark && !this.feed.now(this.mark.first - 1)) {
      await this.feed.load(this.mark.first - 1);
      this.arrived += 1;
    }
  }

  /** Read the cards of the turns around the one that is looked at. */
  private async readCards(): Promise<void> {
    const around = this.around(BEFORE, AFTER);
    const missing = around.filter((mark) => !this.isRead(mark));
    if (!missing.length) {
      this.showTurn();
      return;
    }
    const first = Math.min(...missing.map((mark) => mark.first));
    const next = Math.max(...missing.map((mark) => mark.last)) + 1;
    await this.readTurns(first, next).catch((error: unknown) => (this.error = explain(error)));
    this.showTurn();
  }

  /** Let boards show what the turn that is looked at did, if its card is read. */
  private showTurn(): void {
    const turn = this.mark && this.cards.get(this.mark.turn);
    this.turns = turn ? [{ ...turn, undone: false }] : [];
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

  /** The lines of the log: the turns around the one that is looked at. */
  readonly lines = $derived.by<Line[]>(() => {
    const here = this.mark;
    const found = this.isMoving ? this.around(1, 0) : this.around(BEFORE, AFTER);
    return found.map((mark) => ({
      mark,
      turn: this.turnOf(mark),
      isHere: mark === here,
      isLater: mark !== here && mark.last > this.at,
    }));
  });

  readonly laterTurns = $derived(this.history.marks.length - 1 - this.index);

  /** Return the card of a turn, or what the feed says of it until the card is read. */
  private turnOf(mark: Mark): Turn {
    const isUndone = mark.last <= this.at && !isWithin(this.lineage, mark.last);
    const card = this.cards.get(mark.turn);
    if (card) {
      const undone = (card.undone ?? false) && (isUndone || mark.last > this.at);
      return undone === (card.undone ?? false) ? card : this.restored(card);
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
    const turn = this.cards.get(mark.turn);
    return turn ? this.said(turn) : (this.texts(mark)[0] ?? "");
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

  /** What the turn that is looked at changed. */
  readonly changed = $derived.by<Difference[]>(() => {
    void this.arrived;
    const before = this.mark && this.feed.now(this.mark.first - 1);
    return before && this.session ? this.compare(before, this.session.table) : [];
  });

  /** What has changed since then. */
  readonly since = $derived.by<Difference[]>(() => {
    if (this.isMoving || !this.newest || !this.session || this.isNewest) return [];
    return this.compare(this.session.table, this.newest.table);
  });

  /** Say what differs between two tables. */
  compare(before: Session["table"], after: Session["table"]): Difference[] {
    const name = (id: string) =>
      after.entities?.[id]?.name ?? before.entities?.[id]?.name ?? this.name(id);
    return differences(before, after, name);
  }

  override was(pool: string): number | undefined {
    void this.arrived;
    const before = this.mark && this.feed.now(this.mark.first - 1)?.pools?.[pool]?.now;
    return before === this.session?.table.pools?.[pool]?.now ? undefined : before;
  }

  override heading(panel: string): string {
    return this.mark ? text.review.atTurn(panel, this.mark.turn) : panel;
  }

  override name(id: string): string {
    return this.session?.table.entities?.[id]?.name ?? super.name(id);
  }
}
