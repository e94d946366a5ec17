/** The parts of a log that the verifier reads, after their shape was checked (shapes.ts). */

/** A line of a file: an event's leaf, with its body if it is open. */
export interface LogEvent {
  version: number;
  turn: number;
  seat: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Undefined if the event is sealed or redacted. */
  body: Body | undefined;
}

export interface Manifest {
  edition: string;
  log_key: string;
  origin: string;
  ruleset: string;
  session: string;
  v: 1 | 2;
}

export interface Leaf {
  at: number;
  body: string;
  seat: string;
  session: string;
  turn: number;
  v: 1;
  version: number;
}

/** The body of any event. Those that the verifier reads have an interface below. */
export interface Body {
  kind: string;
  command?: { kind?: unknown };
}

export interface Opened extends Body {
  draws: "house" | "table";
  edition: string;
  extensions?: string[];
  format?: 2;
  log_key: string;
  options: Record<string, unknown>;
  parent?: Origin;
  ruleset: string;
  title: string;
}

export interface Origin {
  root: string;
  session: string;
  version: number;
}

/** A seat's new chain, in SeatTaken or ChainAnchored. */
export interface ChainBody extends Body {
  seat: string;
  anchor: string;
  chain: number;
  length: number;
  previous_link?: string;
  signature: string;
}

export interface SeatTaken extends Body, Partial<ChainBody> {
  kind: string;
  command?: { kind?: unknown };
  seat: string;
  role: "house" | "gm" | "player" | "spectator" | "auditor";
  public_key?: string;
  next_blind?: string;
}

/** SeatLeft or PresenceSet. */
export interface SeatMoved extends Body {
  seat: string;
  nth: number;
  present?: boolean;
  seen_root?: string;
  seen_size?: number;
  signature?: string;
}

/** A seat, its chain and the position that a draw takes. */
export type Contributor = [seat: string, chain: number, position: number];

export interface DrawRequest {
  k: number;
  contributors: Contributor[];
  blind?: string;
  entropy?: string;
}

export interface Declared extends Body {
  audience?: "gm" | "blind" | "self";
  command_commitment?: string;
  dice?: "declared";
  dice_name?: string;
  draw?: DrawRequest;
  target?: number;
  values?: Value[];
}

/** The number of sides and the face that shows. */
export type Value = [sides: number, face: number];

export interface Contribution {
  chain: number;
  link: string;
  position: number;
  seat: string;
  seen_root: string;
  seen_size: number;
  signature: string;
}

/** Drawn or DrawVoided. */
export interface DrawEnd extends Body {
  k: number;
  contributions: Contribution[];
  next_blind?: string;
  entropy?: string;
  values: Value[];
  missing: string[];
}

export interface SealOpened extends Body {
  blind?: string;
  k?: number;
  salt?: string;
  turn?: number;
  values?: Value[];
}

/** What a seat signed for a draw, and the server's signature that it has it. */
export interface Receipt {
  contribution: {
    chain: number;
    draw: number;
    link: string;
    position: number;
    request: string;
    seat: string;
    seen_root: string;
    seen_size: number;
    session: string;
  };
  /** The server's signature, in hex. */
  receipt: string;
}

/** The proof that a session is in its server's index. */
export interface IndexProof {
  checkpoints: { note: string; proofs: string[][] }[];
  entries: { note: string; number: number }[];
  v?: 1;
}

/** The content of a .roll file. */
export interface RollContent {
  checkpoint: string;
  entries: { inclusion: string[]; leaf: string; opening?: { body: unknown; salt: string }; version: number }[];
  k: number;
  manifest: Manifest;
  /** For each size of the log that a contributor had seen, the proof that the checkpoint continues it. */
  seen: { proof: string[]; size: number }[];
  v: 1;
}
