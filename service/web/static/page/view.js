// Which version the whole page shows: list, board, slider, pictures and address follow it. Live is its absence.
//
// Events: "moved" (another version is shown, or live began or ended) and "grew" (the session has newer events).
// New events never move someone who looks at the past.

export class View extends EventTarget {
  /** `at`: the version of the address, undefined where it names none; `head`: the session's newest. */
  constructor(at, head) {
    super();
    this.head = head;
    this.fixed = at; // undefined while live
  }

  /** The version that is shown. */
  get at() {
    return this.fixed ?? this.head;
  }

  get live() {
    return this.fixed === undefined;
  }

  /** How many events are newer than the one shown. */
  get newer() {
    return this.head - this.at;
  }

  /** Shows a version, kept between 0 and the head. `how`: "push" makes an entry of the browser's history, "scrub"
   * one where it settles, "none" comes from it. */
  go(version, how = "push") {
    this.#move(Math.max(0, Math.min(Math.round(version), this.head)), how);
  }

  goLive(how = "push") {
    this.#move(undefined, how);
  }

  /** The session has come this far. */
  grow(head) {
    if (head <= this.head) return;
    this.head = head;
    this.dispatchEvent(new CustomEvent("grew"));
    if (this.live) this.dispatchEvent(new CustomEvent("moved", { detail: { how: "none" } }));
  }

  #move(fixed, how) {
    if (fixed === this.fixed) return;
    this.fixed = fixed;
    this.dispatchEvent(new CustomEvent("moved", { detail: { how } }));
  }
}
