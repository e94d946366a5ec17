// Addresses: of the API, of the page at a version.

/** An address of the API, as the seat sees it that the page looks as. */
export const through = ({ as }, address) =>
  as === null ? address : `${address}${address.includes("?") ? "&" : "?"}as=${encodeURIComponent(as)}`;

/** The page at a version; undefined is live. `filter`: {kind?, seat?, text?} of its log. */
export function pageAt({ page, as, filter }, version) {
  const said = new URLSearchParams();
  if (version !== undefined) said.set("at", version);
  if (as !== null) said.set("as", as);
  for (const [name, value] of Object.entries(filter)) said.set(name, value);
  return said.size > 0 ? `${page}?${said}` : page;
}

/** The version that an address of the page names; undefined is live. */
export function versionIn(search) {
  const said = new URLSearchParams(search).get("at");
  return said !== null && /^\d{1,15}$/.test(said) ? Number(said) : undefined;
}
