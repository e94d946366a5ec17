/** Signs this browser in to a seat: the server keeps the seat's token in a cookie of the session. */

import { noteSignedOut } from "../shell/visits";
import { get, post } from "./client";

/** Store the token of a seat of the session in a cookie that no script can read. */
export async function signIn(session: string, token: string): Promise<void> {
  await post(`/s/${session}/sign-in`, { token });
}

/** Delete the cookie. The token stays valid, so that the seat's personal link still works. */
export async function signOut(session: string): Promise<void> {
  await post(`/s/${session}/sign-out`, {});
  noteSignedOut(session);
}

/** Return the seat that this browser is signed in to, if it is. */
export async function signedIn(session: string): Promise<string | null> {
  return (await get<{ seat: string | null }>(`/s/${session}/signed-in`)).seat;
}

/** Store a personal token of a campaign, as `signIn` does for a seat. */
export async function signInToCampaign(campaign: string, token: string): Promise<void> {
  await post(`/c/${campaign}/sign-in`, { token });
}

export async function signOutOfCampaign(campaign: string): Promise<void> {
  await post(`/c/${campaign}/sign-out`, {});
}

/** Return the person whom this browser is signed in as, if it is. */
export async function signedInToCampaign(campaign: string): Promise<string | null> {
  return (await get<{ person: string | null }>(`/c/${campaign}/signed-in`)).person;
}
