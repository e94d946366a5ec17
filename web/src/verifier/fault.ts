/** What breaks a check, and where. */

/**
 * A proof that does not hold: the code (docs/fairness.md), what was found and what was expected. The
 * version is set once it is known.
 */
export class Fault extends Error {
  override name = "Fault";
  code: string;
  found: string;
  expected: string;
  version: number;

  constructor(code: string, found: unknown, expected: unknown, version = 0) {
    super(`${code}: ${found}, not ${expected}`);
    this.code = code;
    this.found = shown(found);
    this.expected = shown(expected);
    this.version = version;
  }

  /** Set the version and return the same fault. */
  at(version: number): this {
    this.version = version;
    return this;
  }
}

const MAX_LENGTH = 2000;

function shown(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))).slice(0, MAX_LENGTH);
}
