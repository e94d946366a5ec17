/** The events of a log as the API returns them, with their leaves. */

import type {
  Body,
  ChainBody,
  Contribution,
  Contributor,
  Declared,
  DrawRequest,
  Opened,
  SeatMoved,
  SeatTaken,
  Value,
} from "../verifier/events.ts";

export interface ApiEvent {
  version: number;
  turn: number;
  seat: string;
  leaf: string;
  /** Absent if the event is sealed or redacted. */
  body?: Body;
  salt?: string;
  sealed?: boolean;
  redacted?: boolean;
}

interface DrawEnd {
  k: number;
  contributions: Contribution[];
  next_blind?: string;
}

export interface Drawn extends DrawEnd {
  kind: "session.Drawn";
  values: Value[];
  entropy?: string;
}

export interface DrawVoided extends DrawEnd {
  kind: "session.DrawVoided";
  missing: string[];
}

/** The events that matter to draws. */
export type DrawEvent =
  | (Opened & { kind: "session.Opened" })
  | (SeatTaken & { kind: "session.SeatTaken" })
  | (SeatMoved & { kind: "session.SeatLeft" | "session.PresenceSet" })
  | (ChainBody & { kind: "session.ChainAnchored" })
  | (Declared & { kind: "session.Declared" })
  | Drawn
  | DrawVoided;

export type { ChainBody, Contribution, Contributor, DrawRequest, Opened, SeatMoved, SeatTaken };
