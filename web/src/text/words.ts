/** Turns names of the API, such as dhextiny.CheckAside, into words. */

/** Replace ids in braces, such as {ana} or {@gm}, with names, and doubled braces with single ones. */
export function fill(said: string, names: Record<string, string>): string {
  return said.replace(/\{\{|\}\}|\{([^{}]+)\}/g, (found, id: string | undefined, at: number) => {
    if (id === undefined) return found.charAt(0);
    const name = names[id] ?? id.replace(/^@/, "");
    return at === 0 || said.slice(0, at).endsWith(". ") ? name : inside(name);
  });
}

/** Write a name such as "The rat swarm" inside a sentence. */
export function inside(name: string): string {
  return name.replace(/^The /, "the ");
}

/** Turn the name of a command, such as dhextiny.CheckAside, into words. */
export function words(kind: string): string {
  const parts = kind.replace(/^.*\./, "").split(/(?=[A-Z])/).map(lower);
  return capitalised(parts.join(" "));
}

/** Write a part of a name in small letters, or in capitals if it is an abbreviation such as PC. */
function lower(part: string): string {
  return part.length <= 3 && !/[aeiouy]/i.test(part) ? part.toUpperCase() : part.toLowerCase();
}

/** Begin with a capital letter, and leave the rest as it is. */
export function capitalised(said: string): string {
  return said.charAt(0).toUpperCase() + said.slice(1);
}

/** Write a number with its sign. */
export function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}

/** Turn the name of a field, such as ap_max, into words. */
export function label(field: string): string {
  const name = field.split("_").map(lower).join(" ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
