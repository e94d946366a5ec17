/** Signs this browser in to a seat: the server keeps the seat's token in a cookie of the session. */

import { noteSignedOut } from "../shell/visits";
import { get, post } from "./client";

/** Store the token of a seat, or of its personal link, in a cookie that no script can read. */
export async function signIn(session: string, link: string): Promise<void> {
  await post(`/s/${session}/sign-in`, { token: tokenOf(link) });
}

/** Delete the cookie. The token stays valid, so that the seat's personal link still works. */
export async function signOut(session: string): Promise<void> {
  await post(`/s/${session}/sign-out`, {});
  noteSignedOut(session);
}

/** Return the token that signs this browser in, for the seat's personal link or file. */
export async function readOwnToken(session: string): Promise<string> {
  return (await post<{ token: string }>(`/s/${session}/token`, {})).token;
}

/** Return the seat that this browser is signed in to, if it is. */
export async function signedIn(session: string): Promise<string | null> {
  return (await get<{ seat: string | null }>(`/s/${session}/signed-in`)).seat;
}

/** Store the token of a person, or of their personal link, as `signIn` does for a seat. */
export async function signInToCampaign(campaign: string, link: string): Promise<void> {
  await post(`/c/${campaign}/sign-in`, { token: tokenOf(link) });
}

export async function signOutOfCampaign(campaign: string): Promise<void> {
  await post(`/c/${campaign}/sign-out`, {});
}

/** Return the personal token that signs this browser in, for the person's link. */
export async function readPersonalToken(campaign: string): Promise<string> {
  return (await post<{ token: string }>(`/c/${campaign}/token`, {})).token;
}

/** Return the person whom this browser is signed in as, if it is. */
export async function signedInToCampaign(campaign: string): Promise<string | null> {
  return (await get<{ person: string | null }>(`/c/${campaign}/signed-in`)).person;
}

/** Return the token of a link, which stands after `#`. What is no link is the token itself. */
function tokenOf(link: string): string {
  return link.trim().replace(/^.*#/, "");
}
