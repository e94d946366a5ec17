// What breaks a check, and where.

/** A proof that breaks: code (docs/fairness.md), what was found and what was expected; the version once it is known. */
export class Fault extends Error {
  name = "Fault";

  constructor(code, found, expected, version) {
    super(`${code}: ${found}, not ${expected}`);
    Object.assign(this, { code, found: shown(found), expected: shown(expected), version });
  }

  /** The same fault at this version. */
  at(version) {
    this.version = version;
    return this;
  }
}

const LONGEST = 2000;

const shown = (told) => (typeof told === "string" ? told : (JSON.stringify(told) ?? String(told))).slice(0, LONGEST);
