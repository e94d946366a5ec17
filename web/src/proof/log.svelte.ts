/** The check of a session's whole log: three levels in this browser, and two by the server's audit. */

import { type Schemas, ApiError, explain, get, post } from "../api/client";
import { text } from "../text";
import type { Report } from "../verifier/verify.ts";
import { checkFile, type Progress } from "./files";

const POLL_MS = 1000;
const MAX_POLLS = 60;
const LEVELS = ["bytes", "tree", "draws"] as const;

export type State = "next" | "now" | "held" | "broken" | "away";

export class LogCheck {
  report = $state<Report>();
  /** How long the check took, in milliseconds. */
  ms = $state(0);
  error = $state("");
  /** The level that is checked now, and how much of it is done, from 0 to 1. */
  level = $state(0);
  share = $state(0);
  audit = $state<Schemas["AuditView"]>();
  isAuditing = $state(false);
  auditError = $state("");

  constructor(readonly session: string) {}

  get address(): string {
    return `/v1/sessions/${this.session}/export`;
  }

  /** Fetch the log and check it in a worker. */
  async check(): Promise<void> {
    this.report = undefined;
    this.error = "";
    this.level = this.share = 0;
    try {
      const response = await fetch(this.address);
      if (!response.ok) throw new ApiError(response.status, "", text.notFound);
      const found = await checkFile(await response.arrayBuffer(), (progress) => this.#follow(progress));
      if (found.kind !== "log") throw new Error(text.proof.notChecked);
      this.report = found.report;
      this.ms = found.ms;
    } catch (error) {
      this.error = explain(error);
    }
  }

  #follow({ level, done, total }: Progress): void {
    const nth = LEVELS.indexOf(level);
    this.level = done === total ? nth + 1 : nth;
    this.share = done === total ? 0 : done / total;
  }

  /** How far one of the browser's levels is. */
  state(nth: number): State {
    const { report } = this;
    if (!report) return this.error ? "away" : nth < this.level ? "held" : nth === this.level ? "now" : "next";
    const reached = report.reached === null ? 0 : LEVELS.indexOf(report.reached) + 1;
    if (nth < reached) return "held";
    return report.failure && nth === reached ? "broken" : "away";
  }

  /** Read the newest audit of the server. */
  async readAudit(): Promise<void> {
    try {
      const { audits } = await get<Schemas["Audits"]>(`/v1/sessions/${this.session}/audits`);
      this.audit = audits[0];
    } catch (error) {
      this.auditError = explain(error);
    }
  }

  /** Ask the server to audit the newest version, and wait for the result. */
  async askAudit(): Promise<void> {
    this.isAuditing = true;
    this.auditError = "";
    try {
      // The seat's cookie is sent to addresses of the session only, not to that of the job.
      const job = await post<Schemas["JobView"]>(`/v1/sessions/${this.session}/audits`, {});
      for (let left = MAX_POLLS; left; left--) {
        await this.readAudit();
        if (this.auditError || (this.audit?.version ?? 0) >= Number(job.id.split("-").at(-1))) return;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      this.auditError = text.proof.auditWaits;
    } catch (error) {
      this.auditError = explain(error);
    } finally {
      this.isAuditing = false;
    }
  }
}
