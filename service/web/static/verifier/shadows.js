// What draws that were given up would have been made of: a missing link is found below one that its seat shows later.

import { unhex } from "./bytes.js";
import { linkDown, seed } from "./chain.js";

/** The voids so far. */
export class Shadows {
  #session;
  #voids = new Map(); // by k
  #open = []; // those of which a link is not known

  constructor(session) {
    this.#session = session;
  }

  /** A void: its draw of Declared, and what came, {seat, chain, position, link} each. `entropy` as for `seed`. */
  add(draw, came, entropy) {
    const seats = came.map((given) => given.seat);
    const unknown = draw.contributors.filter(([seat]) => !seats.includes(seat));
    const made = { isBlind: draw.blind !== undefined, links: [...came], unknown, entropy };
    this.#voids.set(draw.k, made);
    this.#open.push(made);
  }

  /** A seat shows a link. */
  shown({ seat, chain, position, link }) {
    for (const each of this.#open) {
      const place = each.unknown.find((other) => other[0] === seat && other[1] === chain && other[2] <= position);
      if (!place) continue;
      const found = linkDown(this.#session, seat, chain, position, place[2], link);
      each.unknown = each.unknown.filter((other) => other !== place);
      each.links.push({ seat, chain, position: place[2], link: found });
    }
    this.#open = this.#open.filter((each) => each.unknown.length);
  }

  /** A ChainAnchored or SeatTaken: `position` is that of the link that it shows of the old chain. */
  rolledOver(event, position) {
    if (event.previous_link === undefined) return;
    this.shown({ seat: event.seat, chain: event.chain - 1, position, link: unhex(event.previous_link) });
  }

  opened(k, blind) {
    this.#voids.get(k).blind = unhex(blind);
  }

  /** The seed of void k, undefined as long as a link, or what hides a secret draw, is not known. */
  seed(k) {
    const found = this.#voids.get(k);
    if (found.unknown.length || (found.isBlind && !found.blind)) return undefined;
    return seed(this.#session, k, found.links, found.blind, found.entropy);
  }
}
