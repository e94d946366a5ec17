/** What voided draws would have given: a missing link is found below a link that its seat shows later. */

import { type Bytes, unhex } from "./bytes.ts";
import { type Link, linkDown, seed } from "./chain.ts";
import type { ChainBody, Contributor, DrawRequest } from "./events.ts";

interface Void {
  isBlind: boolean;
  blind?: Bytes;
  links: Link[];
  /** The contributors whose link is not known yet. */
  unknown: Contributor[];
  entropy: Bytes | undefined;
}

/** The voids so far. */
export class Shadows {
  #session: Bytes;
  #voids = new Map<number, Void>();
  /** The voids that lack a link. */
  #open: Void[] = [];

  constructor(session: Bytes) {
    this.#session = session;
  }

  /** Add a void: the draw of its Declared, and the links that arrived. `entropy` is as for `seed`. */
  add(draw: DrawRequest, arrived: readonly Link[], entropy: Bytes | undefined): void {
    const seats = arrived.map((given) => given.seat);
    const unknown = draw.contributors.filter(([seat]) => !seats.includes(seat));
    const made: Void = { isBlind: draw.blind !== undefined, links: [...arrived], unknown, entropy };
    this.#voids.set(draw.k, made);
    this.#open.push(made);
  }

  /** Read a link that a seat shows. */
  shown({ seat, chain, position, link }: Link): void {
    for (const each of this.#open) {
      const place = each.unknown.find((other) => other[0] === seat && other[1] === chain && other[2] <= position);
      if (!place) continue;
      const found = linkDown(this.#session, seat, chain, position, place[2], link);
      each.unknown = each.unknown.filter((other) => other !== place);
      each.links.push({ seat, chain, position: place[2], link: found });
    }
    this.#open = this.#open.filter((each) => each.unknown.length);
  }

  /** Read a ChainAnchored or SeatTaken: `position` is that of the link that it shows of the old chain. */
  rolledOver(event: Pick<ChainBody, "seat"> & Partial<ChainBody>, position: number): void {
    if (event.previous_link === undefined) return;
    this.shown({ seat: event.seat, chain: event.chain! - 1, position, link: unhex(event.previous_link) });
  }

  opened(k: number, blind: string): void {
    this.#voids.get(k)!.blind = unhex(blind);
  }

  /** Return the seed of void k, or undefined if a link is missing, or what hides a secret draw is not known. */
  seed(k: number): Bytes | undefined {
    const found = this.#voids.get(k);
    if (!found || found.unknown.length || (found.isBlind && !found.blind)) return undefined;
    return seed(this.#session, k, found.links, found.blind, found.entropy);
  }
}
