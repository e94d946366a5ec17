/** Starts a campaign with an existing session of this browser's GM. */

import { type Schemas, type Session, newKey, post, put, remove } from "../api/client";
import { newId } from "../api/ids";
import { readOwnToken, signInToCampaign, signOutOfCampaign } from "../api/sign-in";
import { rememberCampaign } from "./known";

/** Create the campaign, add the session to it, and sign this browser in. Returns its id. */
export async function startCampaign(
  session: Session,
  title: string,
  name: string,
  openingKey: string,
): Promise<string> {
  const person = newId(name, ["house"], "person");
  const headers: Record<string, string> = openingKey ? { Authorization: `Bearer ${openingKey}` } : {};
  const body = { title, person, name };
  const made = await post<Schemas["PersonTicket"]>("/v1/campaigns", body, newKey(), headers);
  const path = `/v1/campaigns/${made.campaign}`;
  await signInToCampaign(made.campaign, made.token);
  try {
    await put(`${path}/sessions/${session.id}`, { session_token: await readOwnToken(session.id) });
  } catch (error) {
    // The session may belong to another campaign already.
    await remove(path);
    await signOutOfCampaign(made.campaign);
    throw error;
  }
  rememberCampaign({ id: made.campaign, title, sessions: [session.id] });
  return made.campaign;
}
