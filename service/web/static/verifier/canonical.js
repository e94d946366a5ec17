// Canonical JSON: RFC 8785 with ASCII keys, integers below 2^53 and no null (docs/log-format.md).

import { Fault } from "./fault.js";

const LONE = /\p{Surrogate}/u;
const BEYOND_ASCII = /[^\0-\x7f]/;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const SPACE = /[ \t\n\r]*/y;
/** Arrays and objects within one another. */
export const DEEPEST = 200;

/** The canonical text of a value. Throws TypeError on what it may not hold; `nulls` allows null (RFC 8785 itself). */
export function emit(value, nulls = false) {
  if (typeof value === "string") return emitText(value);
  if (typeof value === "number") return emitNumber(value);
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map((each) => emit(each, nulls)).join(",")}]`;
  if (value === null && nulls) return "null";
  if (value === null || typeof value !== "object") throw new TypeError(`no ${value}`);
  let members = "";
  for (const key of Object.keys(value).sort()) members += `${members && ","}${emitKey(key)}:${emit(value[key], nulls)}`;
  return `{${members}}`;
}

function emitText(text) {
  if (LONE.test(text)) throw new TypeError("no lone surrogate");
  return JSON.stringify(text);
}

function emitKey(key) {
  if (BEYOND_ASCII.test(key)) throw new TypeError(`no key ${key}`);
  return JSON.stringify(key);
}

function emitNumber(number) {
  if (!Number.isSafeInteger(number)) throw new TypeError(`no number ${number}`);
  return String(number);
}

/** The value of canonical text that `accepts` takes; `known` is its value where that was parsed already.
 * Throws Fault: E_FORMAT where it is something else, E_NONCANONICAL where the same would be written otherwise. */
export function read(text, accepts, expected, known = quickly(text)) {
  const canonical = reemits(text, known);
  const value = canonical ? known : parse(text);
  if (!accepts(value)) throw new Fault("E_FORMAT", text, expected);
  if (!canonical) throw new Fault("E_NONCANONICAL", text, emit(value));
  return value;
}

function quickly(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reemits(text, value) {
  try {
    return emit(value) === text;
  } catch {
    return false;
  }
}

/** Where the quote stands that ends a JSON text of which all from `from` on is inside; the end of all without one. */
export function endOfText(text, from) {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** The value of JSON that holds nothing that canonical JSON may not, and no key twice. Throws Fault E_FORMAT. */
export function parse(text) {
  return new Parser(text).whole();
}

/** As `parse`, of any JSON: a number that is none here is NaN, and of equal keys the last counts. */
export function parseAny(text) {
  return Object.assign(new Parser(text), { any: true }).whole();
}

/** {value, spans} of a file's line: as `parse`, but any JSON at opening.body, which is read with the event. `spans` say
 * of every object where each member's text stands, [from, to] by key. */
export function parseLine(text) {
  const parser = Object.assign(new Parser(text), { isLine: true });
  return { value: parser.whole(), spans: parser.spans };
}

class Parser {
  at = 0;
  any = false;
  isLine = false;
  spans = new Map();

  constructor(text) {
    this.text = text;
  }

  whole() {
    const value = this.value(0);
    this.space();
    if (this.at !== this.text.length) this.stop();
    return value;
  }

  stop() {
    throw new Fault("E_FORMAT", this.text, `canonical JSON at character ${this.at}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.stop();
    this.at = pattern.lastIndex;
    return found;
  }

  space() {
    this.match(SPACE);
  }

  skips(text) {
    const there = this.text.startsWith(text, this.at);
    if (there) this.at += text.length;
    return there;
  }

  value(depth) {
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (depth === DEEPEST) this.stop();
      return first === "{" ? this.object(depth) : this.array(depth);
    }
    if (this.skips("true")) return true;
    if (this.skips("false")) return false;
    if (this.any && this.skips("null")) return null;
    return this.number();
  }

  number() {
    const [text, fraction, exponent] = this.match(NUMBER);
    const number = Number(text);
    const isHere = !fraction && !exponent && Number.isSafeInteger(number);
    if (!isHere && !this.any) this.stop();
    return isHere ? number : NaN;
  }

  string() {
    const from = this.at;
    if (this.text[from] !== '"') this.stop();
    this.at = endOfText(this.text, from + 1) + 1;
    const text = quickly(this.text.slice(from, this.at));
    if (text === undefined || LONE.test(text)) this.stop();
    return text;
  }

  array(depth) {
    const items = [];
    this.list("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  object(depth) {
    const [object, spans] = [Object.create(null), Object.create(null)];
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

  list(end, item) {
    this.at++;
    this.space();
    if (this.skips(end)) return;
    do item();
    while ((this.space(), this.skips(",")));
    if (!this.skips(end)) this.stop();
  }
}
