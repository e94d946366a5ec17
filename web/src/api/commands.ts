/** Sends commands with random bytes of this browser, so that the server cannot choose what is drawn. */

import { type CommandBody, type CommandRequest, Entropy } from "../seat/entropy.ts";
import { type Session, ApiError, get, newKey, post } from "./client";
import { outbox } from "./outbox.svelte";

/** Other clients can use the number of a draw first. Then the command is sent again for the next one. */
const MAX_TRIES = 40;

interface Answer {
  events?: { version: number; kind?: string }[];
}

export class CommandSender {
  private entropy: Entropy | undefined;
  private data: { path: string; seat: string; log_format: number; next_draw: number } | undefined;

  /** Take over the number of the next draw. */
  follow(path: string, session: Session): void {
    if (session.you === undefined) return;
    const { you: seat, log_format, next_draw } = session;
    if (this.data) {
      Object.assign(this.data, { seat, next_draw });
      return;
    }
    this.data = { path, seat, log_format, next_draw };
    this.entropy = new Entropy(this.data, (rest) => get(path + rest));
  }

  /** Send the body of a command. Returns what is wrong with its random bytes in the log, if anything is. */
  async send(path: string, body: CommandBody, key = newKey()): Promise<string | undefined> {
    const { entropy } = this;
    const address = `${path}/commands`;
    if (!entropy) {
      await outbox.deliver<Answer>(address, body, key);
      return undefined;
    }
    let request: CommandRequest = { path: "/commands", body, key };
    let left = MAX_TRIES;
    const answer = await outbox.deliver<Answer>(address, body, key, async (change) => {
      // A page before a reload has added the random bytes if it sent the command.
      if (request.body.draw === undefined) {
        request = { ...request, body: await entropy.add(request.path, request.body) };
      }
      for (; ; left--) {
        change(request);
        try {
          return await post<Answer>(address, request.body, request.key);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== "draw-taken" || !left) throw error;
          request = await entropy.again(request, error.facts);
        }
      }
    });
    return entropy.read(answer.events ?? [], request.body);
  }
}
