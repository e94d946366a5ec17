/** Ids of characters and of people, made from their names. */

const MAX_LENGTH = 24;

/** Return an id that is not taken. `fallback` serves for names without a Latin letter. */
export function newId(name: string, taken: readonly string[], fallback: string): string {
  const ascii = name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const base = ascii.replace(/^[^a-z]+|-+$/g, "").slice(0, MAX_LENGTH) || fallback;
  let id = base;
  for (let nth = 2; taken.includes(id); nth++) id = `${base}-${nth}`;
  return id;
}

/** Return an id for a new character among the entities of the table. */
export function newEntityId(name: string, entities: Readonly<Record<string, unknown>> | undefined): string {
  return newId(name, Object.keys(entities ?? {}), "someone");
}
