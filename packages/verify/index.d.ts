/** Verification of the logs of Fairlog sessions. */

/** What you know of the log from elsewhere. */
export interface VerifyOptions {
  /** The log's public key, as a verifier key (vkey). */
  key?: string;
  /** Checkpoints that you kept, as signed notes. */
  checkpoints?: string[];
  /** Receipts that a seat's client kept. */
  receipts?: Receipt[];
  /** The verifier keys of the witnesses whose cosignatures count. */
  witnesses?: string[];
  /** The proof that the session is in the server's index: the response of `GET /v1/sessions/{session}/proofs/index`. */
  index?: unknown;
  /** The log of a fork's parent: text, or bytes that may be gzipped. */
  parent?: string | Uint8Array;
  /** False: check signatures without WebCrypto. Default: true. */
  native?: boolean;
  /** A function to call with the progress: the level, and how many of its `total` steps are done. */
  progress?: (level: Level, done: number, total: number) => void;
}

export type Level = "bytes" | "tree" | "draws";

export interface Receipt {
  contribution: Record<string, unknown>;
  receipt: string;
}

/** The first thing that does not hold. */
export interface Failure {
  /** The version of the event, or 0 if it is the whole file. */
  version: number;
  rung: Level;
  /** What it is, such as `E_ROOT`. docs/log-format.md lists the codes. */
  code: string;
  expected: unknown;
  found: unknown;
  /** True if it is in the parent's log. */
  parent?: boolean;
}

interface DrawCommon {
  /** The number of the draw, from 0. */
  k: number;
  /** The version of the event that declared it. */
  version: number;
  turn: number;
  /** The seat whose command needed it. */
  seat: string;
  isSecret: boolean;
  /** The ids of the seats that contribute; `house` is the server. */
  contributors: string[];
  /** The random bytes that the seat sent with its command, in hex. */
  entropy?: string;
}

export type Draw = DrawCommon &
  (
    | {
        status: "drawn";
        /** The version of the event with the values. */
        ended: number;
        /** How well the values are protected, from A (best) to D. */
        grade: "A" | "B" | "C" | "D";
        seed?: string;
        /** (sides, face) of each value; empty if the draw is secret. */
        values: [number, number][];
        /** The version at which the secret was opened. */
        opened?: number;
      }
    | {
        status: "void";
        ended: number;
        /** The seats that had contributed, and those that had not. */
        came: string[];
        missing: string[];
        /** The seed that the draw would have had, in hex; present if the log shows it. */
        shadow?: string;
      }
    | { status: "waiting" }
  );

export interface Report {
  /** The session's id. */
  session: string;
  /** The log's key, as a verifier key. */
  logKey: string;
  /** The last level that holds, or null. */
  reached: Level | null;
  failure: Failure | null;
  /** The draws before the failure, by number. */
  draws: Draw[];
  counts: Record<string, number>;
  /** The version of a declaration with which the log ends, or null. */
  openEnd: number | null;
  /** The versions of redacted events. */
  redacted: number[];
  witnesses: { key: string; size: number; at: number }[];
  /** Extensions of the log that this version does not know. Then the check ends after the tree. */
  extensions: string[];
}

/** The file, or what you gave besides it, cannot be used. */
export class Unusable extends Error {}

/** Verifies a log: text, or bytes that may be gzipped. Throws Unusable. */
export function verify(input: string | Uint8Array, options?: VerifyOptions): Promise<Report>;
