/** Starts a campaign with an existing session of this browser's GM. */

import { type Schemas, type Session, newKey, post, put, remove } from "../api/client";
import { signInToCampaign, signOutOfCampaign } from "../api/sign-in";
import { freeId } from "./campaign.svelte";
import { rememberCampaign } from "./known";

/** Create the campaign, add the session to it, and sign this browser in. Returns its id. */
export async function startCampaign(
  session: Session,
  title: string,
  name: string,
  openingKey: string,
): Promise<string> {
  const person = freeId(name, new Set(["house"]));
  const headers: Record<string, string> = openingKey ? { Authorization: `Bearer ${openingKey}` } : {};
  const body = { title, person, name };
  const made = await post<Schemas["PersonTicket"]>("/v1/campaigns", body, newKey(), headers);
  const path = `/v1/campaigns/${made.campaign}`;
  await signInToCampaign(made.campaign, made.token);
  try {
    const { token } = await post<{ token: string }>(`/s/${session.id}/token`, {});
    await put(`${path}/sessions/${session.id}`, { session_token: token });
  } catch (error) {
    // The session may belong to another campaign already.
    await remove(path);
    await signOutOfCampaign(made.campaign);
    throw error;
  }
  rememberCampaign({ id: made.campaign, title, sessions: [session.id] });
  return made.campaign;
}
