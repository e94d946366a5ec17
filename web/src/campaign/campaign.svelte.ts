/** A group's sessions in a row, as one of its members sees them. */

import { addresses } from "../addresses";
import { type Schemas, type Session, ApiError, get, post, remove } from "../api/client";
import { newId } from "../api/ids";
import { readPersonalToken, signIn, signInToCampaign, signedIn, signedInToCampaign } from "../api/sign-in";
import { text } from "../text";
import { forgetCampaign, rememberCampaign } from "./known";

type CampaignData = Schemas["CampaignView"];
export type Person = Schemas["PersonView"];
export type CampaignSession = Schemas["CampaignSessionView"];
export type Report = Schemas["CampaignReport"];
export type Line = Schemas["CampaignLine"];
export type Progress = Schemas["JobProgress"];
type Ticket = Schemas["Ticket"];
type PersonTicket = Schemas["PersonTicket"];

const ASK_AGAIN_MS = 1500;
const COLOURS = 6;

interface Statistics {
  current?: boolean;
  figures?: Report;
  job?: string;
}

export class Campaign {
  data = $state<CampaignData>();
  report = $state<Report>();
  titles = $state<Record<string, string>>({});
  isComputing = $state(false);
  progress = $state<Progress>();
  /** Whether this browser is signed in as no member, so that a personal link is needed. */
  isStranger = $state(false);
  error = $state("");
  /** The sessions with records in which this browser has a seat, by id. */
  readonly seated = $state<Record<string, Session>>({});
  readonly path: string;
  readonly me = $derived(this.data?.people.find((each) => each.id === this.data?.person));
  readonly isGm = $derived(this.me?.role === "gm");
  readonly members = $derived((this.data?.people ?? []).filter((each) => each.left === undefined));
  readonly sessions = $derived([...(this.data?.sessions ?? [])].reverse());
  readonly lines = $derived(
    Object.fromEntries((this.report?.lines ?? []).map((line) => [line.session, line])),
  );

  constructor(readonly id: string) {
    this.path = `/v1/campaigns/${id}`;
  }

  /** Sign in with the token of a personal link, if there is one, and read everything. */
  async begin(token: string): Promise<void> {
    try {
      if (token) await signInToCampaign(this.id, token);
      this.isStranger = (await signedInToCampaign(this.id)) === null;
      if (this.isStranger) forgetCampaign(this.id);
      if (!this.isStranger) await this.read();
    } catch (error) {
      this.isStranger = error instanceof ApiError && error.status < 500;
      this.error = this.isStranger ? text.campaign.linkWrong : text.tryAgain;
    }
  }

  async read(): Promise<void> {
    this.data = await get<CampaignData>(this.path);
    const { title, sessions } = this.data;
    rememberCampaign({ id: this.id, title, sessions: sessions.map((each) => each.id) });
    const found = await get<{ rulesets: { name: string; title: string }[] }>("/v1/rulesets");
    this.titles = Object.fromEntries(found.rulesets.map(({ name, title }) => [name, title]));
  }

  /** Read the statistics, and ask again while they are being computed. */
  async readStatistics(isOpen: () => boolean): Promise<void> {
    if (!this.data?.sessions.length) return;
    while (isOpen()) {
      const answer = await get<Statistics>(`${this.path}/statistics`);
      this.report = answer.figures ?? this.report;
      await this.readSeated();
      this.isComputing = !answer.current;
      if (!this.isComputing) return;
      this.progress = await this.readProgress();
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }

  /** Return how far the computation is, if the queue that knows it answers. */
  private async readProgress(): Promise<Progress | undefined> {
    const { queue } = await get<Schemas["StatusView"]>("/v1/status");
    if (queue !== "ok") return undefined;
    return (await get<Schemas["JobView"]>(`/v1/jobs/campaign-${this.id}`)).progress;
  }

  private async readSeated(): Promise<void> {
    const found = new Set(Object.values(this.report?.records ?? {}).map(({ session }) => session));
    for (const id of found) {
      if (!this.seated[id] && (await signedIn(id)) !== null) {
        this.seated[id] = await get<Session>(`/v1/sessions/${id}`);
      }
    }
  }

  /** Return the names in texts about a session. Without a seat there, an id of a creature becomes its name. */
  namesOf(session: string): Record<string, string> {
    if (this.seated[session]) return this.seated[session].names;
    const found = this.data?.sessions.find((each) => each.id === session);
    const seats = Object.entries(found?.seats ?? {}).map(([seat, person]) => [`@${seat}`, this.name(person)]);
    const entities = (this.data?.characters ?? []).map(({ id, name }) => [id, name]);
    const records = Object.values(this.report?.records ?? {}).map(({ moment }) => moment.text);
    const ids = [...records.join(" ").matchAll(/\{([^{}@]+)\}/g)].map(([, id = ""]) => [id, readable(id)]);
    return Object.fromEntries([...ids, ...entities, ...seats]);
  }

  name(person: string): string {
    return this.data?.people.find((each) => each.id === person)?.name ?? person;
  }

  /** Return the class that gives a person a colour, the same in all sessions. */
  colour(person: string): string {
    const players = (this.data?.people ?? []).filter((each) => each.role !== "gm");
    const nth = players.findIndex((each) => each.id === person);
    return nth < 0 ? "c-gm" : `c-${nth % COLOURS}`;
  }

  /** Return who was there: who took a turn, or whose seats are linked if no turn is counted yet. */
  present(session: CampaignSession): string[] {
    const counted = Object.keys(this.lines[session.id]?.people ?? {});
    return counted.length ? counted : [...new Set(Object.values(session.seats))];
  }

  /** Go to a session. A browser that has no seat there takes the seat of this person. */
  async sit(session: CampaignSession): Promise<void> {
    if ((await signedIn(session.id)) === null) {
      const ticket = await post<Ticket>(`${this.path}/sessions/${session.id}/join`, {});
      await signIn(session.id, ticket.token);
    }
    location.assign(addresses.table(session.id));
  }

  /** Open the next session, and sit down in it. Without a ruleset it continues the last one. */
  async openNext(title: string, ruleset: string, isTogether: boolean): Promise<void> {
    const draws = isTogether ? "table" : "house";
    const ticket = await post<Ticket>(`${this.path}/sessions`, {
      title,
      ...(ruleset && { ruleset, draws }),
    });
    await signIn(ticket.session, ticket.token);
    location.assign(addresses.table(ticket.session));
  }

  /** Add a person, and return their personal link. */
  async add(name: string): Promise<string> {
    const person = newId(name, (this.data?.people ?? []).map((each) => each.id), "person");
    const ticket = await post<PersonTicket>(`${this.path}/people`, { person, name });
    await this.read();
    return personLink(this.id, ticket.token);
  }

  /** Make a new personal link for a person. The old one stops working. */
  async renew(person: string): Promise<string> {
    const { token } = await post<PersonTicket>(`${this.path}/people/${person}/token`, undefined);
    if (person === this.me?.id) await signInToCampaign(this.id, token);
    return personLink(this.id, token);
  }

  /** Return the personal link of this browser's person. */
  async ownLink(): Promise<string> {
    return personLink(this.id, await readPersonalToken(this.id));
  }

  async removePerson(person: string): Promise<void> {
    await remove(`${this.path}/people/${person}`);
    if (person !== this.me?.id) await this.read();
  }

  async handOver(person: string): Promise<void> {
    await post(`${this.path}/hand-over`, { person });
    await this.read();
  }
}

/** Turn an id, such as giant-rat, into words. */
function readable(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1).replace(/[-_]/g, " ");
}

function personLink(campaign: string, token: string): string {
  return location.origin + addresses.person(campaign, token);
}
