/** A ruleset's text as parts of a page. It is Markdown with numbered sentences, in the form that rulesets use. */

/** A part of a line. An aside is for readers who want all names: others see `brief` in its place. */
export type Span = Words | { kind: "aside"; whole: Span[]; brief: Span[] };
interface Words {
  kind: "text" | "code" | "em" | "rule";
  text: string;
}
interface Rule {
  number: string;
  spans: Span[];
}
export interface Grid {
  head: Span[][];
  rows: Span[][][];
}
interface Chapter {
  number: string;
  title: Span[];
  parts: (Rule | Grid)[];
}
export interface Rulebook {
  lead: Span[][];
  chapters: Chapter[];
}

/** The names of refusals, in the places in which a sentence can do without them. */
const NAME = "`[a-z]+(?:-[a-z]+)*`";
const NAMES = `${NAME}(?:, ${NAME})*`;
const ASIDE = new RegExp(
  [
    `: ${NAMES}(?=[.;,)]| \\*?\\(|$)`,
    ` \\(${NAMES}\\)`,
    `, ${NAME}(?=[.;,)]| \\*\\()`,
    " \\*\\((?<marks>[^)]*)\\)\\*",
    " \\((?:rulings? [\\d, and]+|[A-Z]+-\\d+(?: and [A-Z]+-\\d+)* of the digest)\\)",
    ", rulings? \\d+(?=\\))",
  ].join("|"),
  "g",
);
/** Marks that refer to a list which readers cannot see. */
const UNSEEN_MARK = /^(?:rulings? [\d, and]+|ours|source)$/;
/** Sentences of the introduction that explain what only readers of all names see. */
const ABOUT_ASIDES = /\*\((?:ruling|ours|source)|backticks|digest|^Section \d+ lists/;
const SPAN = /`([^`]+)`|\*([^*`]+)\*|\bRULES (\d+(?:\.\d+)?)/g;

/** Read the rules. A text in another form, such as that of a package, becomes paragraphs. */
export function readRulebook(text: string): Rulebook {
  try {
    return parse(text);
  } catch {
    return { lead: blocks(text).map((lines) => [{ kind: "text", text: lines.join(" ") }]), chapters: [] };
  }
}

/** Split a line into text, `code`, *emphasis* and citations of rules. */
export function spans(line: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  const add = (kind: Words["kind"], text: string) => text && found.push({ kind, text });
  for (const span of line.matchAll(SPAN)) {
    add("text", line.slice(at, span.index));
    if (span[1]) add("code", span[1]);
    else if (span[2]) add("em", span[2]);
    else add("rule", span[3]!);
    at = span.index + span[0].length;
  }
  add("text", line.slice(at));
  return found;
}

/** Split a rule's line into spans, with asides. */
function ruleSpans(line: string): Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const aside of line.matchAll(ASIDE)) {
    const marks = aside.groups?.["marks"]?.split("; ");
    const seen = marks?.filter((mark) => !UNSEEN_MARK.test(mark)) ?? [];
    if (marks && seen.length === marks.length) continue;
    found.push(...spans(line.slice(at, aside.index)));
    found.push({ kind: "aside", whole: spans(aside[0]), brief: seen.length ? spans(` *(${seen.join("; ")})*`) : [] });
    at = aside.index + aside[0].length;
  }
  return [...found, ...spans(line.slice(at))];
}

/** Split a paragraph of the introduction into its sentences. */
function leadSpans(paragraph: string): Span[] {
  return paragraph.split(/(?<=[.!?]) (?=[A-Z])/).flatMap((sentence): Span[] => {
    const whole = spans(`${sentence} `);
    return ABOUT_ASIDES.test(sentence) ? [{ kind: "aside", whole, brief: [] }] : whole;
  });
}

function parse(text: string): Rulebook {
  const [first, ...others] = blocks(text);
  if (!first?.[0]?.startsWith("# ")) throw new SyntaxError("no title");
  const book: Rulebook = { lead: [], chapters: [] };
  for (const block of others) {
    const chapter = /^## (\d+) (.+)$/.exec(block[0]!);
    const last = book.chapters.at(-1);
    if (chapter && block.length === 1) {
      book.chapters.push({ number: chapter[1]!, title: spans(chapter[2]!), parts: [] });
    } else if (last) last.parts.push(...(block[0]!.startsWith("|") ? [grid(block)] : block.map(rule)));
    else book.lead.push(leadSpans(block.map(plain).join(" ")));
  }
  return book;
}

/** Return the abbreviations that the rules use, such as AP. */
export function abbreviations(text: string): Set<string> {
  const [, ...chapters] = text.split(/^## /m);
  const found = chapters.join(" ").match(/\b[A-Z]{1,4}\b/g) ?? [];
  return new Set(found.filter((each) => each !== "A" && each !== "I"));
}

/** Write words that the rules abbreviate in capitals. */
export function spelled(said: string, abbreviated: Set<string>): string {
  return said.replace(/\b[A-Za-z]{1,4}\b/g, (word) => {
    const capitals = word.toUpperCase();
    return abbreviated.has(capitals) ? capitals : word;
  });
}

/** Whether a table lists the options of a session. */
export function listsOptions({ head: [first] }: Grid): boolean {
  const [span] = first ?? [];
  return span?.kind === "text" && span.text === "option";
}

function blocks(text: string): string[][] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.split("\n").filter(Boolean))
    .filter((lines) => lines.length);
}

function rule(line: string): Rule {
  const found = /^- (\d+\.\d+) (.+)$/.exec(line);
  if (!found) throw new SyntaxError(`no numbered sentence: ${line}`);
  return { number: found[1]!, spans: ruleSpans(found[2]!) };
}

function grid([head, line, ...rows]: string[]): Grid {
  if (!line || !/^\|[ :|-]+\|$/.test(line)) throw new SyntaxError(`no line below the head of a table: ${line}`);
  return { head: cells(head!), rows: rows.map(cells) };
}

function cells(row: string): Span[][] {
  if (!/^\|.*\|$/.test(row)) throw new SyntaxError(`no row of a table: ${row}`);
  return row.slice(1, -1).split("|").map((cell) => ruleSpans(cell.trim()));
}

function plain(line: string): string {
  if (/^[#\-| >]/.test(line)) throw new SyntaxError(`no paragraph: ${line}`);
  return line;
}
