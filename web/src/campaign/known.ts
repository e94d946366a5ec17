/** The campaigns that this browser has opened, so that other pages can lead to them. */

import { readStoredList, store } from "../shell/storage";

const NAME = "fairlog-campaigns";
const MAX_KNOWN = 20;

interface KnownCampaign {
  id: string;
  title: string;
  sessions: string[];
}

/** Return the campaigns that this browser knows, newest first. */
export function knownCampaigns(): KnownCampaign[] {
  return readStoredList(NAME) as KnownCampaign[];
}

export function rememberCampaign(campaign: KnownCampaign): void {
  store(NAME, [campaign, ...knownCampaigns().filter(({ id }) => id !== campaign.id)].slice(0, MAX_KNOWN));
}

export function forgetCampaign(id: string): void {
  store(NAME, knownCampaigns().filter((each) => each.id !== id));
}

/** Return the campaign of a session, if this browser knows it. */
export function campaignOf(session: string): KnownCampaign | undefined {
  return knownCampaigns().find(({ sessions }) => sessions.includes(session));
}
