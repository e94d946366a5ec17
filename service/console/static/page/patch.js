// Merge patches (RFC 7396). A document that was merged into is left as it was, and shares what stayed.

/** The document with the patch merged in. By way of a Map: a field may be called __proto__. */
export function merge(document, patch) {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
