/** The marks of a session's timeline, read from the API and kept up to date. */

import { type Schemas, get } from "../api/client";
import { History, type Mark, joinMarks } from "./lineage";

export class TimelineMarks {
  history = $state.raw(new History([]));
  private version = 0;
  private reading: Promise<void> | undefined;

  /** `viewed` returns an address of the session, as the reader sees it. */
  constructor(private readonly viewed: (rest: string) => string) {}

  /** Read the marks up to a version. Does nothing if they are here already. */
  async read(upto: number): Promise<void> {
    while (this.version < upto) {
      this.reading ??= this.readNext().finally(() => (this.reading = undefined));
      await this.reading;
    }
  }

  private async readNext(): Promise<void> {
    let found: Mark[] = [];
    let version = this.version;
    for (;;) {
      const page = await get<Schemas["Timeline"]>(this.viewed(`/timeline?after=${version}`));
      found = found.concat(page.marks);
      // Earlier turns say more after a secret was opened or a seat got another role.
      const isRevealed = found.some(({ highlight }) => highlight === "opened" || highlight === "handed-over");
      if (this.version && isRevealed) {
        this.version = version = 0;
        this.history = new History([]);
        found = [];
        continue;
      }
      version = page.next ?? page.version;
      if (page.next === undefined) break;
    }
    this.version = version;
    this.history = new History(joinMarks([...this.history.marks, ...found]));
  }
}
