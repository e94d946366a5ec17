// What is said of a table's parts: whose they are, what they are called, and what changed since the version before.
// `shown`: {table, names, before, hint}; ids of entities and seats (@gm) have names.

export const WATCHED = {
  boards: "index", conditions: "rounds", decks: "remaining", dice: "sides", entities: "status", order: "current", pools: "now",
  tasks: "waits",
};
const COUNTED = ["conditions", "decks", "pools"];

/** What a map holds under an id, and not what every object has. */
export const own = (map, id) => (map !== undefined && Object.hasOwn(map, id) ? map[id] : undefined);

/** [id, part] of a map, by id: a patched map has another order than the server's. */
export const rows = (map) => Object.keys(map ?? {}).sort().map((id) => [id, map[id]]);

/** The entities, player characters first. */
export function cast({ table }) {
  const all = rows(table.entities);
  const isPlayed = ([, { kind }]) => kind === "PC";
  return [...all.filter(isPlayed), ...all.filter((each) => !isPlayed(each))];
}

/** The parts of an entity, or those of none where `who` is undefined; if asked for, with what is gone. */
export const belonging = ({ table, before }, kind, who, withGone = false) =>
  rows(withGone ? { ...before?.[kind], ...table[kind] } : table[kind]).filter(([id, part]) => {
    const owner = part.entity ?? id.split(".")[0];
    return (own(table.entities, owner) === undefined ? undefined : owner) === who;
  });

export const nameOf = ({ table, names }, id) => own(table.entities, id)?.name ?? own(names, id) ?? id;

export const seatOf = ({ names }, seat) => own(names, `@${seat}`) ?? seat;

/** "belfry.vesna.distance" in words: "The belfry, Vesna: distance". */
export function label(shown, id, called) {
  const words = id.split(".");
  const who = words.filter((each) => own(shown.table.entities, each) !== undefined);
  const what = called || words.filter((each) => !who.includes(each)).join(" ");
  return [who.map((each) => nameOf(shown, each)).join(", "), what].filter(Boolean).join(": ");
}

/** What follows the owner in an id. */
export const ending = (id) => id.slice(id.indexOf(".") + 1);

/** What changed, in a word or two: "+2", "was PS", "new"; "" where nothing did. */
export function change(shown, kind, id) {
  const { table, before } = shown;
  if (before === undefined) return "";
  const [old, now] = [own(before[kind], id), own(table[kind], id)];
  if (now === undefined) return "gone";
  if (old === undefined) return isOfNew(shown, kind, id, now) ? "" : "new";
  const [was, is] = [old[WATCHED[kind]], now[WATCHED[kind]]];
  if (was === is || was === undefined || is === undefined) return isSame(old, now) ? "" : "changed";
  return COUNTED.includes(kind) ? signed(is - was) : `was ${said(shown, kind, old)}`;
}

/** Whether a part came with its entity, which is marked itself. */
function isOfNew({ table, before }, kind, id, part) {
  const owner = part.entity ?? id.split(".")[0];
  return kind !== "entities" && own(table.entities, owner) !== undefined && own(before.entities, owner) === undefined;
}

function said(shown, kind, old) {
  if (kind === "boards") return old.points[old.index];
  if (kind === "dice") return `d${old.sides}`;
  return kind === "order" ? nameOf(shown, old.current) : old[WATCHED[kind]];
}

const signed = (number) => (number < 0 ? `\u2212${-number}` : `+${number}`);

/** Whether two documents are the same; what was patched shares what stayed. */
function isSame(one, other) {
  if (one === other || typeof one !== "object" || typeof other !== "object") return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], own(other, name)));
}
