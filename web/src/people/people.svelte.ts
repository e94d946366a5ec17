/** The people of a session, and what may be done to their seats. */

import type { Contributor } from "../seat/contributor.ts";
import { rememberMe } from "../join/me";
import { sharedDraws } from "../shell/shared-draws.svelte";
import { text } from "../text";
import { type Schemas, type Session, get, post, remove } from "../api/client";

export type Seat = Session["seats"][string];
export type Invitation = Schemas["InvitationView"];
export type Token = Schemas["TokenView"];
export type AuditRead = Schemas["AuditRead"];
export type Role = "player" | "spectator" | "auditor";

const READ_EVERY_MS = 5000;
const ORDER = ["gm", "player", "spectator", "auditor"];

/** Something that is asked before it is done. */
export interface Question {
  title: string;
  /** What it means, and how to come back. */
  means: string[];
  confirm: string;
  act: () => Promise<void>;
}

export class People {
  session = $state<Session>()!;
  readonly path: string;
  readonly mine = $derived(this.session.you);
  readonly role = $derived(this.mine ? this.session.seats[this.mine]?.role : undefined);
  readonly isGm = $derived(this.role === "gm");
  /** The seats of people: the own one first, then by role, and those who have left last. */
  readonly seats = $derived(
    Object.entries(this.session.seats)
      .filter(([, seat]) => ORDER.includes(seat.role))
      .sort(([id, one], [other, two]) => this.place(id, one) - this.place(other, two)),
  );

  constructor(session: Session) {
    this.session = session;
    this.path = `/v1/sessions/${session.id}`;
  }

  /** Read the session every few seconds. Call the result to stop. */
  follow(): () => void {
    const timer = setInterval(() => void this.read().catch(() => undefined), READ_EVERY_MS);
    return () => clearInterval(timer);
  }

  async read(): Promise<void> {
    this.session = await get<Session>(this.path);
  }

  name(id: string): string {
    return this.session.names[`@${id}`] ?? id;
  }

  private place(id: string, seat: Seat): number {
    return (seat.occupied ? 0 : 10) + (id === this.mine ? -1 : ORDER.indexOf(seat.role));
  }

  /** Whether what this browser's seat does to itself has to be signed by its key. */
  mustSign(id: string): boolean {
    return id === this.mine && this.session.seats[id]?.public_key !== undefined;
  }

  async rename(id: string, name: string): Promise<void> {
    await post(`${this.path}/seats/${id}/name`, { name });
    if (id === this.mine) rememberMe({ name });
    await this.read();
  }

  async setPresent(id: string, present: boolean): Promise<void> {
    if (this.mustSign(id)) await this.sign((contributor) => contributor.setPresence(present));
    else await post(`${this.path}/seats/${id}/presence`, { present });
    await this.read();
  }

  /** Make a seat free: one's own, or another one. */
  async free(id: string): Promise<void> {
    const signed = this.mustSign(id) ? await this.sign((contributor) => contributor.leaving()) : {};
    const query = new URLSearchParams(Object.entries(signed).map(([name, value]) => [name, String(value)]));
    await remove(`${this.path}/seats/${id}${query.size ? `?${query}` : ""}`);
    if (id !== this.mine) await this.read();
  }

  /** Do something that the key of this browser's seat signs. */
  private async sign<T>(act: (contributor: Contributor) => Promise<T>): Promise<T> {
    const { seat } = sharedDraws;
    if (!seat) throw new Error(text.people.keyElsewhere);
    return seat.act(act);
  }

  async handOver(id: string): Promise<void> {
    await post(`${this.path}/hand-over`, { seat: id });
    await this.read();
  }

  /** Make an invitation for as many seats, or for a certain one, and return its link. */
  async invite(role: Role, uses: number, hours: number, seat?: string): Promise<string> {
    const wanted = { role, max_uses: uses, expires_in_hours: hours, ...(seat && { seat }) };
    const made = await post<Invitation>(`${this.path}/invitations`, wanted);
    return made.url!;
  }

  async invitations(): Promise<Invitation[]> {
    return (await get<{ invitations: Invitation[] }>(`${this.path}/invitations`)).invitations;
  }

  async withdraw(id: string): Promise<void> {
    await remove(`${this.path}/invitations/${id}`);
  }

  /** The tokens of this browser's seat. */
  async tokens(): Promise<Token[]> {
    const found = await get<{ tokens: Token[] }>(`${this.path}/tokens`);
    return found.tokens.filter((each) => each.seat === this.mine);
  }

  async revoke(token: string): Promise<void> {
    await remove(`${this.path}/tokens/${token}`);
  }

  /** What auditors have read, newest first. */
  async auditReads(): Promise<AuditRead[]> {
    const found: AuditRead[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Schemas["AuditReads"] = await get(`${this.path}/audit-reads?after=${after}&limit=500`);
      found.push(...page.audit_reads);
      after = page.next;
    }
    return found.reverse();
  }
}
