/**
 * The outbox: what was sent and is not answered yet.
 *
 * A request that gets no answer is sent again with the same key, so that the server does it once. The
 * outbox keeps it over a reload of the page.
 */

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

class Outbox {
  sent = $state<Sent[]>([]);
  private wakers: (() => void)[] = [];

  constructor() {
    addEventListener("online", () => this.retry());
  }

  /** Send, again and again until there is an answer. Raises ApiError if the answer is a refusal. */
  async deliver<T>(path: string, body: unknown, key = newKey()): Promise<T> {
    this.keep({ key, path, body, since: Date.now(), isWaiting: false });
    try {
      for (;;) {
        try {
          return await post<T>(path, body, key);
        } catch (error) {
          if (error instanceof ApiError && !AWAY.includes(error.status)) throw error;
        }
        this.keep({ key, path, body, since: Date.now(), isWaiting: true });
        await new Promise<void>((resolve) => {
          this.wakers.push(resolve);
          setTimeout(resolve, RETRY_MS);
        });
      }
    } finally {
      this.drop(key);
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

  private keep(sent: Sent): void {
    const before = this.sent.find(({ key }) => key === sent.key);
    if (before) before.isWaiting = sent.isWaiting;
    else this.sent.push(sent);
    store([...stored().filter(({ key }) => key !== sent.key), { ...sent, since: before?.since ?? sent.since }]);
  }

  private drop(key: string): void {
    this.sent = this.sent.filter((each) => each.key !== key);
    store(stored().filter((each) => each.key !== key));
  }
}

function stored(): Sent[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as Sent[];
  } catch {
    return [];
  }
}

function store(sent: readonly Sent[]): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(sent));
  } catch {
    // Without storage, what is sent does not survive a reload.
  }
}

export const outbox = new Outbox();
