/** A seat's personal link: it brings a person back to the seat, on any device. */

import { addresses } from "../addresses";
import { post } from "../api/client";
import { readOwnToken } from "../api/sign-in";

/** Return the link with the token that signs this browser in. */
export async function readPersonalLink(session: string): Promise<string> {
  return personalLink(session, await readOwnToken(session));
}

/** Make a new link. The old one stops working, and other devices are signed out. */
export async function renewPersonalLink(session: string): Promise<string> {
  // The response also stores the new token in the cookie, so that this browser stays signed in.
  const { token } = await post<{ token: string }>(`/s/${session}/token/renew`, {});
  return personalLink(session, token);
}

function personalLink(session: string, token: string): string {
  return location.origin + addresses.seat(session, token);
}
