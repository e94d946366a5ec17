/** What this browser stores for the pages. Without storage, they work and begin anew each time. */

type Area = "localStorage" | "sessionStorage";

/** Return what is stored under a name. Undefined if that is nothing, or if another program wrote it. */
export function readStored(name: string, area: Area = "localStorage"): unknown {
  try {
    return JSON.parse(window[area].getItem(name) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/** Return the list that is stored under a name. Empty if there is none. */
export function readStoredList(name: string, area?: Area): unknown[] {
  const found = readStored(name, area);
  return Array.isArray(found) ? found : [];
}

/** Store a value, as far as the browser allows it. */
export function store(name: string, value: unknown, area: Area = "localStorage"): void {
  try {
    window[area].setItem(name, JSON.stringify(value));
  } catch {
    // The page goes on without it.
  }
}
