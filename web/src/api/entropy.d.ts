/** The random bytes that a browser brings for its draws, shared with the other pages. */

declare module "*/static/page/entropy.js" {
  export interface Wish {
    path: string;
    body: Record<string, unknown>;
    key: string;
  }
  export class Unexplained extends Error {}
  export class Entropy {
    constructor(page: {
      data: { path: string; seat: string; log_format: number; next_draw: number };
      ask: (rest: string) => Promise<unknown>;
    });
    add(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>>;
    again(wish: Wish, facts: unknown): Promise<Wish>;
    read(events: unknown[], body: Record<string, unknown>): string | undefined;
  }
}

declare module "*/static/page/net.js" {
  export function get(address: string): Promise<unknown>;
}
