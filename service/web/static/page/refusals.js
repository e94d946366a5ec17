// A refusal in words: its sentence, those of the rulebook that name its rule, where they stand, and the facts.

import { written } from "./changed.js";
import { get } from "./net.js";
import { el, facts as list } from "./nodes.js";
import { own } from "./parts.js";

const SENTENCE = /^- (\d+\.\d+) (.+)$/;
let rulebook; // a promise of the rules' text, once it is needed

/** Elements that say why. */
export async function why({ data, lines }, { rule, detail, facts = {} }) {
  const found = (await sentences(data.schema)).filter(([, words]) => words.includes(`\`${rule}\``)).slice(0, 2);
  const page = data.schema.replace("/v1/", "/");
  const told = Object.entries(facts);
  return [
    ...(detail === undefined ? [] : [el("p", {}, detail)]),
    ...found.map(([number, words]) =>
      el("p", {}, el("a", { href: `${page}#rule-${number}` }, `Rule ${number}`), `: ${words.replace(/[`*]/g, "")}`)),
    ...(found.length > 0 ? [] : [el("p", {}, "Rule ", el("code", {}, rule))]),
    ...(told.length === 0 ? [] :
      [list(told.map(([name, value]) => [name.replaceAll("_", " "),
        written(value, (each) => String(own(lines.names, each) ?? own(lines.names, `@${each}`) ?? each))]))]),
  ];
}

async function sentences(schema) {
  rulebook ??= get(schema).then(({ rules }) => rules);
  try {
    return (await rulebook).split("\n").map((line) => SENTENCE.exec(line)).filter(Boolean).map(([, ...parts]) => parts);
  } catch {
    rulebook = undefined; // the refusal is told without its sentence
    return [];
  }
}
