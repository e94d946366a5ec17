/** The campaigns that this browser has opened, so that other pages can lead to them. */

const NAME = "fairlog-campaigns";
const MAX_KNOWN = 20;

export interface KnownCampaign {
  id: string;
  title: string;
  sessions: string[];
}

/** Return the campaigns that this browser knows, newest first. */
export function knownCampaigns(): KnownCampaign[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? (found as KnownCampaign[]) : [];
  } catch {
    return []; // the browser stores nothing, or something else
  }
}

export function rememberCampaign(campaign: KnownCampaign): void {
  store([campaign, ...knownCampaigns().filter(({ id }) => id !== campaign.id)].slice(0, MAX_KNOWN));
}

export function forgetCampaign(id: string): void {
  store(knownCampaigns().filter((each) => each.id !== id));
}

/** Return the campaign of a session, if this browser knows it. */
export function campaignOf(session: string): KnownCampaign | undefined {
  return knownCampaigns().find(({ sessions }) => sessions.includes(session));
}

function store(campaigns: KnownCampaign[]): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(campaigns));
  } catch {
    // Other pages then do not lead to it.
  }
}
