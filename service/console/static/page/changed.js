// What differs between the table before and the table, in words; service/console/changed.py alike.

import { WATCHED, label, nameOf, own } from "./parts.js";

/** [{what, how}] by kind, by id, by field, of a sheet by line. `shown`: {table, before, names}. */
export const changes = (shown) =>
  sorted(shown.before, shown.table).flatMap((kind) =>
    sorted(shown.before?.[kind], shown.table[kind]).flatMap((id) => ofPart(shown, kind, id)));

function ofPart(shown, kind, id) {
  const old = own(shown.before?.[kind], id);
  const now = own(shown.table[kind], id);
  const what = label(shown, id);
  if (old === undefined || now === undefined) return [{ what, how: old === undefined ? "new" : "gone" }];
  return sorted(old, now).flatMap((field) => {
    if (field === "sheet") return ofSheet(shown, what, old.sheet, now.sheet);
    if (JSON.stringify(old[field]) === JSON.stringify(now[field])) return [];
    const called = field === WATCHED[kind] ? what : `${what}, ${field}`;
    return [{ what: called, how: between(said(shown, old, field), said(shown, now, field)) }];
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

/** A value of the log as people read it. */
export function written(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (Array.isArray(value) && value.every(isPlain)) return value.map(written).join(", ") || "none";
  if (!Array.isArray(value) && value !== null && Object.values(value).every(isPlain)) {
    return Object.entries(value).map(([name, each]) => `${name} ${written(each)}`).join(", ") || "none";
  }
  return JSON.stringify(value);
}

const isPlain = (value) => ["string", "number", "boolean"].includes(typeof value);

const sorted = (...maps) => [...new Set(maps.flatMap((map) => Object.keys(map ?? {})))].sort();
