/** Canonical JSON: RFC 8785 with ASCII keys, integers below 2^53 and no null (docs/log-format.md). */

import { Fault } from "./fault.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Where each member of an object stands in the text, [from, to] by key. */
export type Spans = Map<object, Record<string, [number, number]>>;

const LONE = /\p{Surrogate}/u;
const BEYOND_ASCII = /[^\0-\x7f]/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
/** How deep arrays and objects can be nested. */
export const MAX_DEPTH = 200;

/**
 * Return the canonical text of a value. Throws TypeError if the value cannot be written. `nulls`
 * allows null, as RFC 8785 itself does.
 */
export function emit(value: unknown, nulls = false): string {
  if (typeof value === "string") return emitText(value);
  if (typeof value === "number") return emitNumber(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => emit(each, nulls)).join(",")}]`;
  if (value === null && nulls) return "null";
  if (value === null || typeof value !== "object") throw new TypeError(`no ${value}`);
  const object = value as Record<string, unknown>;
  let members = "";
  for (const key of Object.keys(object).sort())
    members += `${members && ","}${emitKey(key)}:${emit(object[key], nulls)}`;
  return `{${members}}`;
}

function emitText(text: string): string {
  if (LONE.test(text)) throw new TypeError("no lone surrogate");
  return JSON.stringify(text);
}

function emitKey(key: string): string {
  if (BEYOND_ASCII.test(key)) throw new TypeError(`no key ${key}`);
  return JSON.stringify(key);
}

function emitNumber(number: number): string {
  if (!Number.isSafeInteger(number)) throw new TypeError(`no number ${number}`);
  return String(number);
}

/**
 * Return the value of canonical text that `accepts` takes. `known` is its value if it was parsed
 * already. Throws Fault: E_FORMAT if the text is something else, E_NONCANONICAL if the same value
 * would be written in another way.
 */
export function read<T>(
  text: string,
  accepts: (value: unknown) => value is T,
  expected: string,
  known: unknown = quickly(text),
): T {
  const isCanonical = reemits(text, known);
  const value: unknown = isCanonical ? known : parse(text);
  if (!accepts(value)) throw new Fault("E_FORMAT", text, expected);
  if (!isCanonical) throw new Fault("E_NONCANONICAL", text, emit(value));
  return value;
}

function quickly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reemits(text: string, value: unknown): boolean {
  try {
    return emit(value) === text;
  } catch {
    return false;
  }
}

/** Return where the quote stands that ends a JSON text whose inside begins at `from`, or the text's length. */
export function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** Return the value of JSON without repeated keys and other things that canonical JSON lacks. Throws Fault E_FORMAT. */
export function parse(text: string): Json {
  return new Parser(text).whole();
}

/** Return the value of any JSON. A number that canonical JSON lacks is NaN, and of equal keys the last counts. */
export function parseAny(text: string): Json {
  const parser = new Parser(text);
  parser.any = true;
  return parser.whole();
}

/** Parse a file's line as `parse` does, but accept any JSON at opening.body, which is read with the event. */
export function parseLine(text: string): { value: Json; spans: Spans } {
  const parser = new Parser(text);
  parser.isLine = true;
  return { value: parser.whole(), spans: parser.spans };
}

class Parser {
  at = 0;
  any = false;
  isLine = false;
  spans: Spans = new Map();
  text: string;

  constructor(text: string) {
    this.text = text;
  }

  whole(): Json {
    const value = this.value(0);
    this.space();
    if (this.at !== this.text.length) this.stop();
    return value;
  }

  stop(): never {
    throw new Fault("E_FORMAT", this.text, `canonical JSON at character ${this.at}`);
  }

  match(pattern: RegExp): RegExpExecArray {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.stop();
    this.at = pattern.lastIndex;
    return found;
  }

  space(): void {
    this.match(SPACE);
  }

  skips(text: string): boolean {
    const isThere = this.text.startsWith(text, this.at);
    if (isThere) this.at += text.length;
    return isThere;
  }

  value(depth: number): Json {
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth === MAX_DEPTH) this.stop();
      return first === "{" ? this.object(depth) : this.array(depth);
    }
    if (this.skips("true")) return true;
    if (this.skips("false")) return false;
    if (this.any && this.skips("null")) return null;
    return this.number();
  }

  number(): number {
    const [text, fraction, exponent] = this.match(NUMBER);
    const number = Number(text);
    const isInteger = !fraction && !exponent && Number.isSafeInteger(number);
    if (!isInteger && !this.any) this.stop();
    return isInteger ? number : NaN;
  }

  string(): string {
    const from = this.at;
    if (this.text[from] !== '"') this.stop();
    this.at = endOfText(this.text, from + 1) + 1;
    const text = quickly(this.text.slice(from, this.at));
    if (typeof text !== "string" || LONE.test(text)) this.stop();
    return text;
  }

  array(depth: number): Json[] {
    const items: Json[] = [];
    this.list("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  object(depth: number): { [key: string]: Json } {
    // Without a prototype, so that "__proto__" is a key like any other.
    const object: { [key: string]: Json } = Object.create(null);
    const spans: Record<string, [number, number]> = Object.create(null);
    this.list("}", () => {
      this.space();
      const key = this.string();
      if (!this.any && (BEYOND_ASCII.test(key) || key in object)) this.stop();
      this.space();
      if (!this.skips(":")) this.stop();
      this.space();
      const [from, any] = [this.at, this.any];
      this.any ||= this.isLine && depth === 1 && key === "body";
      object[key] = this.value(depth + 1);
      this.any = any;
      spans[key] = [from, this.at];
    });
    this.spans.set(object, spans);
    return object;
  }

  list(end: string, item: () => void): void {
    this.at++;
    this.space();
    if (this.skips(end)) return;
    do item();
    while ((this.space(), this.skips(",")));
    if (!this.skips(end)) this.stop();
  }
}
