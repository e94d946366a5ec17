/** Sends commands with random bytes of this browser, so that the server cannot choose what is drawn. */

import { type CommandRequest, Entropy } from "../seat/entropy.ts";
import { get } from "../seat/requests.ts";
import { type Command, type Session, ApiError, newKey } from "./client";
import { outbox } from "./outbox.svelte";

/**
 * Other commands can use the number of a draw first. Then the command is sent again for the next one.
 * After an outage, every command that waited is sent at once, and all but one of them lose each time.
 */
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

  /** Send a command. Returns what is wrong with its random bytes in the log, if anything is. */
  async send(path: string, command: Command, more: Record<string, unknown>): Promise<string | undefined> {
    const { entropy } = this;
    const plain = { command, ...more };
    if (!entropy) {
      await outbox.deliver<Answer>(`${path}/commands`, plain);
      return undefined;
    }
    let request: CommandRequest = { path: "/commands", body: await entropy.add("/commands", plain), key: newKey() };
    for (let left = MAX_TRIES; ; left--) {
      try {
        const answer = await outbox.deliver<Answer>(path + request.path, request.body, request.key);
        return entropy.read(answer.events ?? [], request.body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "draw-taken" || !left) throw error;
        request = await entropy.again(request, error.facts);
      }
    }
  }
}
