/** A seat's personal link: it brings a person back to the seat, on any device. */

import { addresses } from "../addresses";
import { post } from "../api/client";
import { signIn } from "../api/sign-in";

/** Return the link with the token that signs this browser in. */
export async function readPersonalLink(session: string): Promise<string> {
  const { token } = await post<{ token: string }>(`/s/${session}/token`, {});
  return personalLink(session, token);
}

/** Make a new link. The old one stops working, and other devices are signed out. */
export async function renewPersonalLink(session: string): Promise<string> {
  const path = `/v1/sessions/${session}/tokens/current/renew`;
  const { token } = await post<{ token: string }>(path, undefined);
  await signIn(session, token);
  return personalLink(session, token);
}

export function personalLink(session: string, token: string): string {
  return location.origin + addresses.seat(session, token);
}
