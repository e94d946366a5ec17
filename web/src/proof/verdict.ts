/** What a checked roll or log means, in one sentence for people. */

import type { Turn } from "../api/client";
import { text } from "../text";
import type { Roll, RollReport } from "../verifier/roll.ts";
import type { Grade, Report } from "../verifier/verify.ts";

/** How good it is: proved fair, only logged, still open, or broken. */
type Tone = "good" | "plain" | "open" | "bad";

export interface Verdict {
  tone: Tone;
  sentence: string;
  lead: string;
}

export type NameOf = (seat: string) => string;

const HOUSE = "house";
const words = text.proof;

/** Judge a roll by its checked file. `claimed` is the exact grade that the server states. */
export function judgeRoll(report: RollReport, nameOf: NameOf, claimed?: Grade): Verdict {
  const { failure, roll } = report;
  if (failure || !roll) return { tone: "bad", sentence: words.broken, lead: words.brokenHow(failure?.version ?? 0) };
  if (roll.status === "void")
    return { tone: "open", sentence: words.void, lead: words.voidHow(roll.missing.map(nameOf)) };
  if (roll.isSecret && !roll.values) return { tone: "open", sentence: words.sealed, lead: words.sealedHow };
  const people = roll.seats.map(({ seat }) => seat).filter((seat) => seat !== HOUSE);
  const grade = exactGrade(roll, claimed);
  if (grade === "C")
    return {
      tone: "plain",
      sentence: words.logged,
      lead: roll.isSecret ? words.serverDrewSecret : words.serverDrew,
    };
  const lead = people.length
    ? grade === "A"
      ? words.allDrew(people.map(nameOf))
      : words.someDrew(people.map(nameOf))
    : words.someGave(nameOf(roll.seat));
  return { tone: "good", sentence: words.fair, lead };
}

/** Return the grade of a roll: the claimed one if the file allows it, else what the file proves. */
export function exactGrade({ grade }: Roll, claimed?: Grade): Grade | undefined {
  if (grade === undefined || !grade.endsWith("better")) return grade as Grade | undefined;
  const least = grade.charAt(0) as Grade;
  return claimed !== undefined && claimed <= least ? claimed : least;
}

/** Judge a roll that has no file: one with real dice, or one that is not finished. */
export function judgeUnproved(turn: Turn, nameOf: NameOf, missing: readonly string[] = []): Verdict | undefined {
  if (turn.grade === "D") return { tone: "plain", sentence: words.typed, lead: words.typedHow(nameOf(turn.seat)) };
  if (turn.pending) return { tone: "open", sentence: words.waiting, lead: words.waitingHow(missing.map(nameOf)) };
  return undefined;
}

/** Judge a log by its report. */
export function judgeLog({ failure, extensions, counts }: Report): Verdict {
  if (failure)
    return { tone: "bad", sentence: words.logBroken, lead: words.logBrokenHow(failure.version, failure.parent) };
  if (extensions.length) return { tone: "open", sentence: words.logPartly, lead: words.logPartlyHow(extensions) };
  return { tone: "good", sentence: words.logHolds, lead: words.logHoldsHow(counts.events, counts.draws) };
}
