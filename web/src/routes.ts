/** Which page is at which address. A page is loaded when it is opened. */

import type { Component } from "svelte";

/** A page's component. It gets the groups of its address as properties. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has properties of its own
type Page = Promise<{ default: Component<any> }>;

const SESSION = "/s/(?<session>[0-9a-f]{32})";

const ROUTES: [RegExp, () => Page][] = [
  [/^\/$/, () => import("./home/Home.svelte")],
  [/^\/start$/, () => import("./home/Start.svelte")],
  [/^\/games$/, () => import("./home/Games.svelte")],
  [/^\/join$/, () => import("./join/JoinByCode.svelte")],
  [/^\/join\/(?<code>[\w-]{1,80})$/, () => import("./join/Join.svelte")],
  [new RegExp(`^${SESSION}/character$`), () => import("./join/Character.svelte")],
  [new RegExp(`^${SESSION}$`), () => import("./table/Table.svelte")],
  [new RegExp(`^${SESSION}/at/(?<moment>newest|\\d{1,15})$`), () => import("./review/Review.svelte")],
  [new RegExp(`^${SESSION}/luck$`), () => import("./luck/Luck.svelte")],
  [/^\/r\/(?<code>[A-Za-z0-9_-]+)$/, () => import("./proof/SharedPage.svelte")],
  [new RegExp(`^${SESSION}/proof$`), () => import("./proof/ProofPage.svelte")],
  [new RegExp(`^${SESSION}/draws/(?<draw>[0-9]{1,16})$`), () => import("./proof/DrawPage.svelte")],
  [new RegExp(`^${SESSION}/seat$`), () => import("./join/Seat.svelte")],
  [/^\/rulesets\/(?<ruleset>[a-z][a-z0-9-]*)$/, () => import("./rules/Rules.svelte")],
  [/^\/status$/, () => import("./status/Status.svelte")],
  [/^\/c\/(?<campaign>[0-9a-f]{32})$/, () => import("./campaign/Campaign.svelte")],
];

export function findPage(path: string): { page: Page; groups: Record<string, string> } | undefined {
  for (const [address, load] of ROUTES) {
    const found = address.exec(path);
    if (found) return { page: load(), groups: found.groups ?? {} };
  }
  return undefined;
}
