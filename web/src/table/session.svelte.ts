/** One session as the seat of this browser sees it, kept up to date by the event stream. */

import {
  type Change,
  type Choice,
  type Command,
  type Controls,
  type Session,
  type Turn,
  ApiError,
  explain,
  get,
  post,
} from "../api/client";
import { addresses } from "../addresses";
import { type CommandSchema, isCreation, titleOf } from "../api/command-schemas";
import { CommandSender } from "../api/commands";
import type { CommandBody } from "../seat/entropy";
import { type Sent, outbox } from "../api/outbox.svelte";
import { comeBack, connected, lose as loseConnection, onReturn } from "../shell/connected.svelte";
import { notices } from "../shell/notices.svelte";
import { text } from "../text";
import { type Recent, remember } from "./recent";
import { followedTurn, isPlayed, shownTurns } from "./turn-cards";

const PAGE = 60;
const RECONNECT_MS = 1000;
const LONG_HIDDEN_MS = 60_000;
/** Of so many other entities that wait, the cards offer what follows. */
const MOST_WAITING = 4;

interface TurnPage {
  version: number;
  turns?: Turn[];
  before?: number;
}

export class TableSession {
  /** Replaced as a whole, as are the turns. */
  session = $state.raw<Session>();
  turns = $state.raw<Turn[]>([]);
  choices = $state<Choice[]>([]);
  /** The version of the session in which the choices may be made; 0 while they are not known. */
  choicesVersion = $state(0);
  /** The cards that offer how their turn goes on: first that of the acting entity, if it has one. */
  following = $state.raw<Following[]>([]);
  /** The kinds of commands that have a button on the card of a turn, as far as that is known. */
  private onCards = $state.raw<Record<number, string[]>>({});
  /** The panel that a phone shows, and the kind of command whose form is open. */
  panel = $state("log");
  open = $state("");
  rulesetTitle = $state("");
  before = $state<number>();
  acting = $state<string>();
  isLive = $state(false);
  /** The number of turns that arrived while the log was not shown. */
  unseen = $state(0);
  /** The seat's recent commands, as far as this page sent some. */
  recent = $state<Recent[]>();
  isShowingKeys = $state(false);
  error = $state("");
  schemas = $state<Record<string, CommandSchema>>({});
  controls = $state<Partial<Controls>>({});
  /** How many commands of this page succeeded. */
  acted = $state(0);
  /** A command that waits for people to tap whom it is for. */
  picking = $state<Picking>();
  /** What is wrong with this browser's random bytes in the log. */
  warning = $state("");
  /** The last command of this page, as it was sent. */
  lastRequest: { command: Command; more: Record<string, unknown> } | undefined;
  /** Who is to act as soon as their choices are read. */
  private wanted: string | undefined;
  /** What people last chose about secrecy, and for whom. */
  private secrecy = $state.raw<{ entity: string | undefined; isSecret: boolean }>();
  private readonly sender = new CommandSender();
  private reading: Promise<void> | undefined;
  private rules: Promise<void> | undefined;
  private isStale = false;
  /** Whether this browser has lost its seat, so that requests would fail. */
  private isLost = false;

  readonly path: string;
  /** The seat whose view the GM or an auditor asked for. They cannot act then. */
  readonly viewedAs = new URLSearchParams(location.search).get("as");
  readonly seat = $derived(this.session?.you);
  readonly role = $derived(this.seat ? this.session?.seats[this.seat]?.role : undefined);
  /** Whether this is a moment of the past, in which no one can act. */
  readonly isPast: boolean = false;
  readonly mayAct = $derived(
    (this.role === "player" || this.role === "gm") &&
      !this.session?.closed &&
      !this.viewedAs &&
      !this.isPast,
  );

  /** Whether the GM waits for players. */
  readonly waitsForPlayers = $derived(
    this.role === "gm" &&
      this.mayAct &&
      !Object.values(this.session!.seats).some((seat) => seat.role === "player" && seat.occupied),
  );

  /**
   * Whether what is sent next is for the GM alone. Once chosen this holds, whoever comes to act,
   * until something secret is sent. That somebody hidden acts in public holds for them alone.
   */
  readonly isSecret = $derived.by(() => {
    if (this.secrecy?.isSecret) return true;
    const isHidden = this.acting !== undefined && this.isHidden(this.acting);
    return isHidden && !(this.secrecy && this.secrecy.entity === this.acting);
  });

  constructor(readonly id: string) {
    this.path = `/v1/sessions/${id}`;
  }

  /** Read the session, then follow its stream. Call the result to stop. */
  follow(): () => void {
    let stream: EventSource | undefined;
    let isOpen = true;
    let isFirst = true;
    const lose = () => {
      isOpen = false;
      this.isLost = true;
      stream?.close();
      this.isLive = false;
      this.warning = text.seatLost;
    };
    const listen = () => {
      if (!isOpen) return;
      // From the version that was read, so that nothing is missed.
      const opened = new EventSource(this.viewed(`/stream?after=${this.session?.version ?? 0}`));
      stream = opened;
      stream.onopen = () => {
        this.isLive = true;
        if (connected.lostSince) comeBack(returned);
        outbox.retry();
        // While the stream was broken, a read may have failed.
        if (!isFirst) void this.refresh();
        isFirst = false;
      };
      stream.onmessage = ({ data }: MessageEvent<string>) => {
        const { kind, body }: { kind: string; body?: { seat?: string } } = JSON.parse(data);
        if (kind === "session.SeatLeft" && body?.seat === this.seat && !this.viewedAs) lose();
        else void this.refresh();
      };
      stream.addEventListener("end", ({ data }: MessageEvent<string>) => {
        if (JSON.parse(data).code === "token-revoked") lose();
      });
      stream.onerror = () => {
        this.isLive = false;
        loseConnection();
        if (opened.readyState !== EventSource.CLOSED) return;
        setTimeout(() => {
          if (stream === opened) listenAnew();
        }, RECONNECT_MS);
      };
    };
    const listenAnew = () => {
      if (!isOpen || !stream) return;
      stream.close();
      listen();
    };
    const returned = () => {
      outbox.retry();
      listenAnew();
    };
    const stopReturns = onReturn(returned);
    const start = async () => {
      while (isOpen && !this.session && !this.error) {
        await this.refresh();
        if (!this.session) await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    };
    void start().then(() => {
      if (!this.session || !isOpen) return;
      listen();
      void this.sendUnanswered();
    });
    // After sleep, a stream can be dead without an error: open a new one.
    let hiddenAt = 0;
    const wake = () => {
      if (document.visibilityState === "hidden") {
        hiddenAt = Date.now();
      } else if (isOpen && stream && Date.now() - hiddenAt > LONG_HIDDEN_MS) {
        hiddenAt = Date.now();
        listenAnew();
      }
    };
    const online = () => {
      hiddenAt = 0;
      wake();
    };
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", online);
    return () => {
      isOpen = false;
      stream?.close();
      stopReturns();
      document.removeEventListener("visibilitychange", wake);
      removeEventListener("online", online);
    };
  }

  /** Read what is new. Requests that come while one runs are answered by one more. */
  async refresh(): Promise<void> {
    if (this.isLost) return;
    if (this.reading) {
      this.isStale = true;
      return this.reading;
    }
    this.reading = this.read().finally(() => (this.reading = undefined));
    await this.reading;
    if (this.isStale) {
      this.isStale = false;
      await this.refresh();
    }
  }

  protected async read(): Promise<void> {
    try {
      const [session, page] = await Promise.all([
        get<Session>(this.viewed("")),
        get<TurnPage>(this.viewed(`/turns?limit=${PAGE}`)),
      ]);
      this.session = session;
      this.rules ??= this.readRules(session.ruleset);
      if (!this.viewedAs) this.sender.follow(this.path, session);
      this.merge(page);
      this.wanted = this.chooseActing(session);
      if (!this.acting || !(this.acting in (session.table.entities ?? {}))) this.acting = this.wanted;
      await this.readChoices();
      this.error = "";
    } catch (error) {
      this.failed(error);
    }
  }

  private async readRules(ruleset: string): Promise<void> {
    try {
      const found = await get<RulesetParts>(`/v1/rulesets/${ruleset}`);
      this.schemas = found.commands;
      this.controls = found.controls;
      this.rulesetTitle = found.title;
    } catch {
      this.rules = undefined; // the next read tries again
    }
  }

  protected failed(error: unknown): void {
    const isHidden = error instanceof ApiError && [401, 403, 404].includes(error.status);
    if (isHidden) this.error = text.notFound;
    else if (error instanceof ApiError && error.status < 500) this.error = explain(error);
    else loseConnection();
  }

  /** Return an address of this session, as the seat sees it whose view is shown. */
  viewed(rest: string): string {
    const mark = rest.includes("?") ? "&" : "?";
    return this.path + rest + (this.viewedAs ? `${mark}as=${encodeURIComponent(this.viewedAs)}` : "");
  }

  private merge(page: TurnPage): void {
    const found = page.turns ?? [];
    const first = found[0]?.turn ?? 0;
    const older = this.turns.filter((turn) => turn.turn < first);
    const isGap = older.length > 0 && older[older.length - 1]!.turn < first - 1;
    if (!older.length || isGap) this.before = page.before;
    this.turns = isGap ? found : [...older, ...found];
  }

  /** Show the turns before those that are shown. */
  async readOlder(): Promise<void> {
    if (!this.before) return;
    const page = await get<TurnPage>(this.viewed(`/turns?limit=${PAGE}&before=${this.before}`));
    this.turns = [...(page.turns ?? []), ...this.turns];
    this.before = page.before;
  }

  private chooseActing(session: Session): string | undefined {
    const entities = session.table.entities ?? {};
    if (this.wanted && this.wanted in entities) return this.wanted;
    const ids = Object.keys(entities);
    const own = ids.filter((id) => entities[id]!.seat === session.you);
    const able = own.filter((id) => entities[id]!.status === "ok");
    const acted = this.turns.flatMap(({ undone, cards = [] }) => (undone ? [] : cards.map(({ entity }) => entity)));
    // A GM also acts without a figure, but not with one that has left the story.
    const last = this.role === "gm" ? undefined : own[0];
    return acted.findLast((id) => able.includes(id)) ?? able[0] ?? last;
  }

  /** Choose who acts. */
  async act(entity: string): Promise<void> {
    this.wanted = entity;
    await this.readChoices();
  }

  /** Read what may be done by whoever is to act. They act once it is known: no choice is another's. */
  private async readChoices(): Promise<void> {
    const acting = this.wanted;
    if (!this.mayAct) {
      this.acting = acting;
      this.choices = [];
      this.following = [];
      this.choicesVersion = this.session?.version ?? 0;
      return;
    }
    const shown = shownTurns(this.turns);
    const waiting = [acting, ...this.waiting(acting)].flatMap((entity) => {
      const turn = followedTurn(shown, entity, this.openTasks(entity));
      return turn ? [{ entity, ...turn }] : [];
    });
    const ask = (entity: string | undefined, since = 0) => {
      const parts = ["values=true"];
      if (entity) parts.push(`entity=${entity}`);
      if (since > 0) parts.push(`since=${since}`);
      return get<{ version: number; commands: Choice[] }>(`${this.path}/commands?${parts.join("&")}`);
    };
    const own = waiting.find(({ entity }) => entity === acting);
    const others = waiting.filter((each) => each !== own).slice(-MOST_WAITING);
    const [found, ...more] = await Promise.all([
      ask(acting, own?.since),
      ...others.map(({ entity, since }) => ask(entity, since)),
    ]);
    if (acting !== this.wanted) return;
    if (acting !== this.acting) this.choices = [];
    this.acting = acting;
    // If the session has moved on meanwhile, what became possible cannot be told from these turns.
    if ([found, ...more].some(({ version }) => version !== this.session?.version)) {
      this.choicesVersion = 0;
      this.isStale = true;
      if (!this.reading) void this.refresh();
      return;
    }
    this.choices = found.commands;
    this.choicesVersion = found.version;
    const offer = ({ entity, turn }: Omit<Following, "choices">, { commands }: typeof found) => ({
      ...{ entity, turn },
      choices: commands.filter((each) => each.opened && each.allowed),
    });
    this.following = [...(own ? [offer(own, found)] : []), ...others.map((each, nth) => offer(each, more[nth]!))];
  }

  /** Return the other entities for which this seat acts and of which something is open. */
  private waiting(acting: string | undefined): string[] {
    const entities = Object.entries(this.session?.table.entities ?? {});
    return entities
      .filter(([id, { seat }]) => id !== acting && (this.role === "gm" || seat === this.seat) && this.openTasks(id).length)
      .map(([id]) => id);
  }

  /** The kinds of commands that the newest roll of the acting entity made possible. */
  readonly followUps = $derived(
    this.following.find(({ entity }) => entity === this.acting)?.choices.map(({ kind }) => kind) ?? [],
  );

  /** Tell which commands have a button on a card. */
  showOnCard({ turn }: Following, kinds: string[]): void {
    this.onCards = { ...this.onCards, [turn]: kinds };
  }

  /** Whether a choice has a button on a card, or may get one. */
  isOnCard({ kind, example }: Choice): boolean {
    const whose = (example as Record<string, unknown> | undefined)?.["entity"];
    return this.following.some(
      ({ turn, entity, choices }) =>
        (whose === undefined || whose === entity) &&
        (this.onCards[turn]?.includes(kind) ?? choices.some((each) => each.kind === kind)),
    );
  }

  /**
   * What is open of an entity, such as a check to settle. If nothing is, what became
   * possible does not follow from its newest roll: it only had to wait until that was done.
   */
  openTasks(entity: string | undefined): string[] {
    if (entity === undefined) return [];
    return Object.entries(this.session?.table.tasks ?? {})
      .filter(([id, { sheet }]) =>
        sheet?.["entity"] ? sheet["entity"] === entity : [...id.split("."), ...Object.values(sheet ?? {})].includes(entity),
      )
      .map(([id]) => id);
  }

  /** Send a command. The answer arrives by the stream, too. */
  async command(command: Command, more: Record<string, unknown> = {}): Promise<void> {
    this.lastRequest = { command, more };
    const { secrecy } = this;
    const isFollowUp = this.following.some(({ choices }) => choices.some(({ kind }) => kind === command.kind));
    const wrong = await this.sender.send(this.path, { command, ...more });
    this.warning = wrong ?? this.warning;
    if (this.seat && !isFollowUp) this.recent = remember(this.id, this.seat, command, more);
    // What was chosen while this was under way is for the next command.
    const isUsed = secrecy?.isSecret ? more["audience"] !== undefined : true;
    if (isUsed && this.secrecy === secrecy) this.secrecy = undefined;
    this.acted++;
    await this.refresh();
  }

  /** Choose whether what is sent next is secret. */
  keepSecret(isSecret: boolean): void {
    this.secrecy = { entity: this.acting, isSecret };
  }

  /** Return the audience of what is sent next, unless people name another. */
  get audience(): { audience?: string } {
    return this.isSecret ? { audience: "gm" } : {};
  }

  /** What was sent to this session and is not answered yet. */
  readonly unsent = $derived(outbox.sent.filter((each) => each.path.startsWith(`${this.path}/`)));

  /** Send what the page before a reload sent without an answer. The server does it once, whichever arrived. */
  private async sendUnanswered(): Promise<void> {
    const send = async (sent: Sent) => {
      const { path, body, key } = sent;
      const name = this.unsentName(sent);
      try {
        if (path !== `${this.path}/commands`) await outbox.deliver(path, body, key);
        else this.warning = (await this.sender.send(this.path, body as CommandBody, key)) ?? this.warning;
      } catch (error) {
        this.warning = text.playing.notSent(name, explain(error));
      }
    };
    const unanswered = outbox.takeUnanswered(this.path);
    await Promise.all(unanswered.map(send));
    if (unanswered.length) await this.refresh();
  }

  /** Return what people call a request that is not answered yet. */
  unsentName({ body }: Sent): string {
    const { command, text: said } = body as { command?: Command; text?: string };
    return command ? this.title(command.kind) : (said ?? text.undoLast);
  }

  /** Whether a key of one letter is meant for the page, and not for a field or a dialog. */
  isShortcut(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement | null;
    return (
      notices.settings.shortcuts &&
      !(event.ctrlKey || event.metaKey || event.altKey) &&
      !target?.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, dialog')
    );
  }

  /** Return what a command would change, or undefined if it is not allowed. */
  async tryCommand(command: Command): Promise<Tried | undefined> {
    const found = await post<{ allowed: boolean; draws?: boolean; changes?: Change[]; level?: number }>(
      `${this.path}/commands/dry-run`,
      { command },
    );
    const { allowed, draws = false, changes = [], level } = found;
    return allowed ? { draws, changes, level } : undefined;
  }

  /** Return what the seat may do now if this entity acts. */
  async choicesOf(entity: string): Promise<Choice[]> {
    if (entity === (this.acting ?? "")) return this.choices;
    const query = entity ? `?entity=${entity}` : "";
    return (await get<{ commands: Choice[] }>(`${this.path}/commands${query}`)).commands;
  }

  /** Whether not everyone knows the entity, so that what it does is secret unless people choose. */
  isHidden(entity: string): boolean {
    return this.session?.hidden?.includes(entity) ?? false;
  }

  /** The name of a command for people. */
  title(kind: string): string {
    return titleOf(kind, this.schemas);
  }

  /** Take an entity as the target of the command that waits for one. */
  pick(entity: string): void {
    this.picking?.chosen(entity);
    this.picking = undefined;
  }

  /** Show the form of a command. */
  ask(kind: string): void {
    this.open = kind;
    this.panel = "act";
  }

  /** Overrides of the rules are the commands that need a reason. */
  isOverride(kind: string): boolean {
    return this.schemas[kind]?.required?.includes("reason") ?? false;
  }

  /** Whether a command brings a new character: it needs a name, and an id that is not there yet. */
  isCreation(choice: Choice): boolean {
    return isCreation(choice, this.schemas[choice.kind]);
  }

  async say(said: string, audience?: "gm" | "self"): Promise<void> {
    await outbox.deliver(`${this.path}/narrate`, { text: said, ...(audience ? { audience } : {}) });
    await this.refresh();
  }

  /** The free rolls that the ruleset has, if this seat may make one now. */
  readonly trays = $derived(
    this.mayAct
      ? (this.controls.rolls ?? []).filter(({ command }) => this.choices.some((each) => each.kind === command && each.allowed))
      : [],
  );

  readonly undoable = $derived(this.turns.findLast((turn) => isPlayed(turn) && !turn.undone));

  /** Whether this seat may undo the newest turn. Sessions can let players take back their own. */
  readonly mayUndo = $derived(
    this.undoable !== undefined &&
      (this.role === "gm" || (this.session?.options["take_back"] === true && this.undoable.seat === this.seat)),
  );

  /**
   * Undo the newest turn of the game that is not undone. If a turn after it is hidden, show what would
   * be undone first, because a rewind may undo that, too.
   */
  async undo(): Promise<void> {
    const last = this.undoable;
    if (!last) return;
    if (this.turns.some((turn) => turn.turn > last.turn && turn.sealed && !turn.undone)) {
      location.assign(addresses.review(this.id, last.first - 1));
      return;
    }
    await outbox.deliver(`${this.path}/rewind`, { to: last.first - 1, reason: text.undoReason });
    await this.refresh();
  }

  /** Return the names of seats as a list in words. */
  names(seats: string[]): string {
    return new Intl.ListFormat("en").format(seats.map((seat) => this.name(`@${seat}`)));
  }

  /** Return what a pool was before the turn that is looked at, if that changed it. */
  was(_pool: string): number | undefined {
    return undefined;
  }

  /** Return the heading of a panel. */
  heading(panel: string): string {
    return panel;
  }

  /** Return the name of a seat or an entity. */
  name(id: string): string {
    const seat = id.replace(/^@/, "");
    const isGm = seat !== id && this.session?.seats[seat]?.role === "gm";
    return this.session?.names[id] ?? (isGm ? text.draws.gm : seat);
  }
}

/** What an allowed command would do. Of a command that draws values, only that is known. */
interface Tried {
  draws: boolean;
  changes: Change[];
  /** How good the result would be, from 1 (worst) to 4. */
  level: number | undefined;
}

/** A turn whose card offers how it goes on, and for whom. */
export interface Following {
  turn: number;
  entity: string | undefined;
  choices: Choice[];
}

interface Picking {
  kind: string;
  values: string[];
  chosen: (entity: string) => void;
}

interface RulesetParts {
  title: string;
  commands: Record<string, CommandSchema>;
  controls: Controls;
}
