// What differs between the table before and the table, in words; service/web/changed.py alike.

import { WATCHED, label, nameOf, own } from "./parts.js";

/** [{what, how}] by kind, by id, by field, of a sheet by line. `shown`: {table, before, names}. */
export const changes = (shown) =>
  sorted(shown.before, shown.table).flatMap((kind) =>
    sorted(shown.before?.[kind], shown.table[kind]).flatMap((id) => ofPart(shown, kind, id)));

function ofPart(shown, kind, id) {
  const old = own(shown.before?.[kind], id);
  const now = own(shown.table[kind], id);
  const what = label(shown, id, (now ?? old).label);
  if (old === undefined || now === undefined) return [{ what, how: old === undefined ? "new" : "gone" }];
  return sorted(old, now).flatMap((field) => {
    if (field === "sheet") return ofSheet(shown, what, old.sheet, now.sheet);
    if (JSON.stringify(old[field]) === JSON.stringify(now[field])) return [];
    const is = kind !== "decks" && field === WATCHED[kind] ? "" : `, ${field}`;
    return [{ what: what + is, how: between(said(shown, old, field), said(shown, now, field)) }];
  });
}

const ofSheet = (shown, what, old, now) =>
  sorted(old, now).map((line) => [line, own(old, line), own(now, line)])
    .filter(([, was, is]) => was !== is)
    .map(([line, was, is]) => ({
      what: `${what}, ${line}`, how: between(was && nameOf(shown, was), is && nameOf(shown, is)),
    }));

function between(was, now) {
  if (was === undefined) return `now ${now}`;
  return now === undefined ? `no more ${was}` : `${was} to ${now}`;
}

function said(shown, part, field) {
  const value = part[field];
  if (value === undefined) return undefined;
  if (field === "at" && part.points !== undefined) return part.points[value];
  return typeof value === "string" ? nameOf(shown, value) : written(value);
}

/** A value of the log as people read it; `said` words its strings and numbers. */
export function written(value, said = String) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isPlain(value)) return said(value);
  const parts = Array.isArray(value) ? value.map((each) => written(each, said)) :
    Object.entries(value).map(([name, each]) => `${name} ${written(each)}`);
  return parts.join(Object.values(value).every(isPlain) ? ", " : "; ") || "none";
}

const isPlain = (value) => Object(value) !== value;

const sorted = (...maps) => [...new Set(maps.flatMap((map) => Object.keys(map ?? {})))].sort();
