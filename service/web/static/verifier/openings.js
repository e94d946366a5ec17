// Rung 3, secrets: which turns are secret, what they commit to, and that an opening is that and nothing else.

import { hex, unhex, utf8 } from "./bytes.js";
import { emit } from "./canonical.js";
import { blindCommitment, commandCommitment, seed, value } from "./chain.js";
import { Fault } from "./fault.js";

const BEGINNINGS = ["session.Declared", "session.Narrated", "session.Inherited"];
const OF_A_DRAW = ["blind", "command", "salt", "values"];

/** The secret turns so far that nobody opened, and of their draws what an opening is held against. */
export class Openings {
  #session;
  #secrets = new Map(); // by turn: {k}, k undefined where it made no draw
  #kept = new Map(); // by k: {declared, contributions, entropy}, contributions undefined where the draw is void
  #turn = 0;

  constructor(session) {
    this.#session = session;
  }

  /** One more event. An event without opening that begins a turn stands for a secret one. */
  read(event) {
    const begins = event.turn !== this.#turn;
    this.#turn = event.turn;
    if (!event.body) {
      if ((begins || event.turn === 1) && !this.#secrets.has(event.turn)) this.#secrets.set(event.turn, {});
    } else if (BEGINNINGS.includes(event.body.kind) && event.body.audience) {
      // Only the opening of its draw opens a turn with a draw, whatever is secret in it besides.
      const k = event.body.draw?.k ?? this.#secrets.get(event.turn)?.k;
      this.#secrets.set(event.turn, { k });
    } else if (event.body.kind === "session.SealOpened") {
      this.#secrets.delete(this.#turnOf(event.body));
    }
  }

  /** A secret draw, of its Declared's body; without contributions one that was given up. `entropy` as for `seed`. */
  keep(k, declared, contributions, entropy) {
    this.#kept.set(k, { declared, contributions, entropy });
  }

  /** Of a SealOpened, behind `made` declared draws: {seed}, undefined unless it opens a draw that was made. */
  check(opened, made) {
    const ofDraw = opened.k !== undefined;
    const whole = OF_A_DRAW.every((name) => (opened[name] !== undefined) === ofDraw);
    if (!whole || (opened.turn !== undefined) === ofDraw)
      throw new Fault("E_FORMAT", opened, "a draw with all that hid it, or a turn");
    if (ofDraw && !(opened.k >= 0 && opened.k < made))
      throw new Fault("E_DRAW_INDEX", opened.k, `a draw below ${made}`);
    if (this.#turnOf(opened) === undefined || (ofDraw && !this.#kept.has(opened.k)))
      throw new Fault("E_ORDER", opened, "what is secret, is not open yet, and does not wait");
    return ofDraw ? this.#checkDraw(opened) : undefined;
  }

  #checkDraw(opened) {
    const { declared, contributions, entropy } = this.#kept.get(opened.k);
    this.#kept.delete(opened.k);
    const [salt, blind] = [unhex(opened.salt), unhex(opened.blind)];
    const committed = hex(commandCommitment(salt, utf8(emit(opened.command))));
    if (committed !== declared.command_commitment) throw new Fault("E_BODY", committed, declared.command_commitment);
    const blinded = hex(blindCommitment(this.#session, opened.k, blind));
    if (blinded !== declared.draw.blind) throw new Fault("E_BLIND", blinded, declared.draw.blind);
    if (contributions) {
      const seeded = seed(this.#session, opened.k, contributions, blind, entropy);
      checkValues(opened.values, seeded);
      return seeded;
    }
    if (opened.values.length) throw new Fault("E_VALUES", opened.values, "no values, for the draw was given up");
    return undefined;
  }

  #turnOf(opened) {
    for (const [turn, { k }] of this.#secrets)
      if (k === opened.k && (k !== undefined || turn === opened.turn)) return turn;
    return undefined;
  }
}

/** That a Declared says all that one of its kind says, and no more. */
export function checkDeclared(declared) {
  const drawn = declared.draw !== undefined;
  const isSecret = drawn && declared.audience !== undefined;
  const says = (name) => declared[name] !== undefined;
  if (says("dice") !== says("values")) throw new Fault("E_FORMAT", declared, "dice and values, or neither");
  if (says("dice_name") && !says("dice")) throw new Fault("E_FORMAT", declared, "dice_name only with dice");
  if (says("dice") && drawn) throw new Fault("E_FORMAT", declared, "dice declared or drawn");
  if (says("command") === isSecret || says("command_commitment") !== isSecret)
    throw new Fault("E_FORMAT", declared, isSecret ? "a commitment to the command" : "the command");
  if ((declared.draw?.blind !== undefined) !== isSecret)
    throw new Fault("E_BLIND", declared, isSecret ? "a blind" : "no blind");
}

/** That values, [sides, face] each, are those of the seed. */
export function checkValues(values, seeded) {
  if (!values.length) throw new Fault("E_VALUES", "no values", "those that were asked for");
  values.forEach(([sides, found], nth) => {
    const expected = value(seeded, nth, sides);
    const known = expected ?? "1 to 2^32 sides";
    if (found !== expected) throw new Fault("E_VALUES", `value ${nth} of ${sides}: ${found}`, known);
  });
}
