/**
 * The outbox: what was sent and is not answered yet.
 *
 * A request that gets no answer is sent again with the same key, so that the server does it once. The
 * outbox keeps it over a reload of the page. Requests are sent one after another, so that the log has
 * them in the order in which people sent them.
 */

import { UnexplainedError } from "../seat/entropy.ts";
import { readStoredList, store } from "../shell/storage";
import { ApiError, newKey, post } from "./client";

const STORED = "fairlog-outbox";
const RETRY_MS = 2000;
/** Statuses of a server or a proxy that is starting or stopping. */
const AWAY = [502, 503, 504];

export interface Sent {
  key: string;
  path: string;
  body: unknown;
  /** Milliseconds since 1970. */
  since: number;
  /** Whether it got no answer and will be sent again. */
  isWaiting: boolean;
}

type Request = Pick<Sent, "body" | "key">;

/** Sends a request once. `change` notes that it is sent with another body or key than before. */
type Attempt<T> = (change: (request: Request) => void) => Promise<T>;

class Outbox {
  sent = $state<Sent[]>([]);
  private wakers: (() => void)[] = [];
  /** Ends when everything before the next request is answered. */
  private last: Promise<unknown> = Promise.resolve();

  constructor() {
    addEventListener("online", () => this.retry());
  }

  /** Send, again and again until there is an answer. Raises ApiError or UnexplainedError if the answer is no success. */
  deliver<T>(
    path: string,
    body: unknown,
    key = newKey(),
    attempt: Attempt<T> = () => post<T>(path, body, key),
  ): Promise<T> {
    const sent = this.keep({ key, path, body, since: Date.now(), isWaiting: false });
    const own = this.last.then(() => this.repeat(sent, attempt));
    this.last = own.catch(() => undefined);
    return own;
  }

  private async repeat<T>(sent: Sent, attempt: Attempt<T>): Promise<T> {
    sent.isWaiting = false;
    const change = ({ key, body }: Request) => {
      const before = sent.key;
      Object.assign(sent, { key, body });
      save(stored().map((each) => (each.key === before ? $state.snapshot(sent) : each)));
    };
    try {
      for (;;) {
        try {
          return await attempt(change);
        } catch (error) {
          if (isFinal(error)) throw error;
        }
        sent.isWaiting = true;
        await new Promise<void>((resolve) => {
          this.wakers.push(resolve);
          setTimeout(resolve, RETRY_MS);
        });
      }
    } finally {
      this.drop(sent.key);
    }
  }

  /** Send at once what waits, because the connection may be back. */
  retry(): void {
    for (const wake of this.wakers.splice(0)) wake();
  }

  /** Return what an earlier page of this tab sent to a session without getting an answer. It is kept until it is sent. */
  takeUnanswered(path: string): Sent[] {
    const isOurs = (each: Sent) => each.path.startsWith(`${path}/`);
    const own = stored().filter((each) => isOurs(each) && !this.sent.some(({ key }) => key === each.key));
    for (const each of own) this.keep({ ...each, isWaiting: true });
    return own;
  }

  private keep(sent: Sent): Sent {
    const before = this.sent.find(({ key }) => key === sent.key);
    if (before) return before;
    save([...stored().filter(({ key }) => key !== sent.key), sent]);
    return this.sent[this.sent.push(sent) - 1]!;
  }

  private drop(key: string): void {
    this.sent = this.sent.filter((each) => each.key !== key);
    save(stored().filter((each) => each.key !== key));
  }
}

/** Whether an error is an answer, so that another attempt would fail, too. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError ? !AWAY.includes(error.status) : error instanceof UnexplainedError;
}

function stored(): Sent[] {
  return readStoredList(STORED, "sessionStorage") as Sent[];
}

function save(sent: Sent[]): void {
  store(STORED, sent, "sessionStorage");
}

export const outbox = new Outbox();
