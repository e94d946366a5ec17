import type { Store } from "./seat.js";

/** A seat's store in a file, for Node. One program uses it at a time. */
export function fileStore(path: string): Store;
