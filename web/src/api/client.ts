/** Requests to the HTTP API. The browser sends the seat's cookie with each of them. */

import { newKey } from "../seat/requests.ts";
import { text } from "../text";
import { ask } from "./network";
import type { components } from "./schema";

export { newKey };

export type Schemas = components["schemas"];
export type Session = Schemas["SessionView"];
export type Turn = Schemas["TurnView"];
export type Choice = Schemas["ChoiceView"];
export type Change = Schemas["ChangeView"];
export type Outcome = Schemas["TurnOutcome"];
export type Chance = Schemas["OutcomeChance"];
export type Entity = Schemas["Entity"];
export type RollCard = Schemas["RollCard"];
export type Controls = Schemas["Controls"];
export type RepeatControl = Schemas["RepeatControl"];
export type Pool = Schemas["Pool"];
export type Task = Schemas["Task"];
export type Command = { kind: string; [field: string]: unknown };

/** A refused or failed request, with the server's sentence that says what to do. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly facts: Record<string, unknown> = {},
    /** The fields of a command that have no valid value. */
    readonly fields: string[] = [],
  ) {
    super(message);
  }
}

/** Say what went wrong, for people. */
export function explain(error: unknown): string {
  return error instanceof TypeError ? text.tryAgain : error instanceof Error ? error.message : String(error);
}

/** Read from the API. A request that gets no answer is sent again. */
export async function get<T>(path: string): Promise<T> {
  return sendTwice<T>(path, { headers: { Accept: "application/json" } });
}

/**
 * Send to the API. A request that gets no answer is sent again with the same key, so that it is done
 * once. `more`: headers besides the usual ones.
 */
export async function post<T>(
  path: string,
  body: unknown,
  key = newKey(),
  more: Record<string, string> = {},
): Promise<T> {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "Idempotency-Key": key, ...more };
  return sendTwice<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Put something by the API. It is sent again as `post` does. */
export async function put<T = void>(path: string, body?: unknown): Promise<T> {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return sendTwice<T>(path, { method: "PUT", headers, ...sent });
}

/** Delete something by the API. It is sent again as `post` does. */
export async function remove(path: string, key = newKey()): Promise<void> {
  const headers = { Accept: "application/json", "Idempotency-Key": key };
  await sendTwice(path, { method: "DELETE", headers });
}

async function sendTwice<T>(path: string, request: RequestInit): Promise<T> {
  try {
    return await answer<T>(await ask(path, request));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return answer<T>(await ask(path, request));
  }
}

async function answer<T>(response: Response): Promise<T> {
  const found = response.status === 204 ? undefined : await response.json();
  if (!response.ok) {
    const { code = "", title = "", detail = title, facts, errors = [] }: Partial<Schemas["ProblemDetails"]> = found;
    const fields = errors.map(({ pointer = "" }) => /^#\/command\/(\w+)/.exec(pointer)?.[1] ?? "");
    throw new ApiError(response.status, code, detail, facts, fields);
  }
  return found as T;
}
