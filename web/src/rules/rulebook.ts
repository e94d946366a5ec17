/** A ruleset's text as parts of a page. It is Markdown with numbered sentences, in the form that rulesets use. */

export type Span = { kind: "text" | "code" | "em" | "rule"; text: string };
interface Rule {
  number: string;
  spans: Span[];
}
interface Grid {
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
  const add = (kind: Span["kind"], text: string) => text && found.push({ kind, text });
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
    else book.lead.push(spans(block.map(plain).join(" ")));
  }
  return book;
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
  return { number: found[1]!, spans: spans(found[2]!) };
}

function grid([head, line, ...rows]: string[]): Grid {
  if (!line || !/^\|[ :|-]+\|$/.test(line)) throw new SyntaxError(`no line below the head of a table: ${line}`);
  return { head: cells(head!), rows: rows.map(cells) };
}

function cells(row: string): Span[][] {
  if (!/^\|.*\|$/.test(row)) throw new SyntaxError(`no row of a table: ${row}`);
  return row.slice(1, -1).split("|").map((cell) => spans(cell.trim()));
}

function plain(line: string): string {
  if (/^[#\-| >]/.test(line)) throw new SyntaxError(`no paragraph: ${line}`);
  return line;
}
