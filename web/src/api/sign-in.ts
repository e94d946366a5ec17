/** Signs this browser in to a seat: the server keeps the seat's token in a cookie of the session. */

import { post } from "./client";

/** Store the token of a seat of the session in a cookie that no script can read. */
export async function signIn(session: string, token: string): Promise<void> {
  await post(`/s/${session}/sign-in`, { token });
}

/** Delete the cookie. The token stays valid, so that the seat's personal link still works. */
export async function signOut(session: string): Promise<void> {
  await post(`/s/${session}/sign-out`, {});
}
