/** Level 3, secrets: which turns are secret, what they commit to, and that an opening is that and nothing else. */

import { type Bytes, hex, unhex, utf8 } from "./bytes.ts";
import { emit } from "./canonical.ts";
import { blindCommitment, commandCommitment, type Link, seed, value } from "./chain.ts";
import type { Declared, LogEvent, SealOpened, Value } from "./events.ts";
import { Fault } from "./fault.ts";

const BEGINNINGS = ["session.Declared", "session.Narrated", "session.Inherited"];
const OF_A_DRAW = ["blind", "command", "salt", "values"] as const;

/** A secret draw that was made or given up. Without contributions, it was given up. */
interface SecretDraw {
  declared: Declared;
  contributions: Link[] | undefined;
  entropy: Bytes | undefined;
}

/** The secret turns so far that are not open, and what the openings of their draws are compared with. */
export class Openings {
  #session: Bytes;
  /** By turn; k is undefined if the turn made no draw. */
  #secrets = new Map<number, { k?: number | undefined }>();
  #draws = new Map<number, SecretDraw>();
  #turn = 0;

  constructor(session: Bytes) {
    this.#session = session;
  }

  /** Read one more event. An event without opening that begins a turn stands for a secret one. */
  read(event: LogEvent): void {
    const begins = event.turn !== this.#turn;
    this.#turn = event.turn;
    const body = event.body as Declared | undefined;
    if (!body) {
      if ((begins || event.turn === 1) && !this.#secrets.has(event.turn)) this.#secrets.set(event.turn, {});
    } else if (BEGINNINGS.includes(body.kind) && body.audience) {
      // Only the opening of its draw opens a turn with a draw, whatever else is secret in it.
      const k = body.draw?.k ?? this.#secrets.get(event.turn)?.k;
      this.#secrets.set(event.turn, { k });
    } else if (body.kind === "session.SealOpened") {
      const turn = this.#turnOf(body as SealOpened);
      if (turn !== undefined) this.#secrets.delete(turn);
    }
  }

  /** Store a secret draw. `entropy` is as for `seed`. */
  keep(k: number, declared: Declared, contributions: Link[] | undefined, entropy?: Bytes): void {
    this.#draws.set(k, { declared, contributions, entropy });
  }

  /** Check a SealOpened after `made` declared draws. Returns the seed if it opens a draw that was made. */
  check(opened: SealOpened, made: number): Bytes | undefined {
    const { k } = opened;
    const isDraw = k !== undefined;
    const isWhole = OF_A_DRAW.every((name) => (opened[name] !== undefined) === isDraw);
    if (!isWhole || (opened.turn !== undefined) === isDraw)
      throw new Fault("E_FORMAT", opened, "a draw with all that hid it, or a turn");
    if (isDraw && !(k >= 0 && k < made)) throw new Fault("E_DRAW_INDEX", k, `a draw below ${made}`);
    const draw = isDraw ? this.#draws.get(k) : undefined;
    if (this.#turnOf(opened) === undefined || (isDraw && !draw))
      throw new Fault("E_ORDER", opened, "what is secret, is not open yet, and does not wait");
    return draw && this.#checkDraw(opened, draw);
  }

  #checkDraw(opened: SealOpened, { declared, contributions, entropy }: SecretDraw): Bytes | undefined {
    const k = opened.k!;
    this.#draws.delete(k);
    const [salt, blind] = [unhex(opened.salt!), unhex(opened.blind!)];
    const committed = hex(commandCommitment(salt, utf8(emit(opened.command))));
    if (committed !== declared.command_commitment) throw new Fault("E_BODY", committed, declared.command_commitment);
    const blinded = hex(blindCommitment(this.#session, k, blind));
    if (blinded !== declared.draw!.blind) throw new Fault("E_BLIND", blinded, declared.draw!.blind);
    if (contributions) {
      const seeded = seed(this.#session, k, contributions, blind, entropy);
      checkValues(opened.values!, seeded);
      return seeded;
    }
    if (opened.values!.length) throw new Fault("E_VALUES", opened.values, "no values, for the draw was given up");
    return undefined;
  }

  #turnOf(opened: SealOpened): number | undefined {
    for (const [turn, { k }] of this.#secrets)
      if (k === opened.k && (k !== undefined || turn === opened.turn)) return turn;
    return undefined;
  }
}

/** Check that a Declared has all the fields of its kind, and no others. */
export function checkDeclared(declared: Declared): void {
  const isDrawn = declared.draw !== undefined;
  const isSecret = isDrawn && declared.audience !== undefined;
  const has = (name: keyof Declared): boolean => declared[name] !== undefined;
  if (has("dice") !== has("values")) throw new Fault("E_FORMAT", declared, "dice and values, or neither");
  if (has("dice_name") && !has("dice")) throw new Fault("E_FORMAT", declared, "dice_name only with dice");
  if (has("dice") && isDrawn) throw new Fault("E_FORMAT", declared, "dice declared or drawn");
  if (has("command") === isSecret || has("command_commitment") !== isSecret)
    throw new Fault("E_FORMAT", declared, isSecret ? "a commitment to the command" : "the command");
  if ((declared.draw?.blind !== undefined) !== isSecret)
    throw new Fault("E_BLIND", declared, isSecret ? "a blind" : "no blind");
}

/** Check that values are those of the seed. */
export function checkValues(values: readonly Value[], seeded: Bytes): void {
  if (!values.length) throw new Fault("E_VALUES", "no values", "those that were asked for");
  values.forEach(([sides, found], nth) => {
    const expected = value(seeded, nth, sides);
    const known = expected ?? "1 to 2^32 sides";
    if (found !== expected) throw new Fault("E_VALUES", `value ${nth} of ${sides}: ${found}`, known);
  });
}
