// Told lines: ids stand in braces, {ana} and the seat {@gm}; a doubled brace is one that somebody wrote.

const MARK = /\{\{|\}\}|\{(@?[a-z][a-z0-9-]{0,31})\}/g;

/** The line with names for the ids it knows. */
export function fill(told, names) {
  const named = (id) => (Object.hasOwn(names, id) ? names[id] : id.replace(/^@/, ""));
  return told.replace(MARK, (mark, id) => (id === undefined ? mark[0] : named(id)));
}
