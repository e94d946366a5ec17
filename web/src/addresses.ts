/** The addresses of the console's pages. */

export const addresses = {
  home: "/",
  start: "/start",
  startGame: (ruleset: string) => `/start?game=${ruleset}`,
  games: "/games",
  api: "/docs",
  status: "/status",
  game: (ruleset: string) => `/rulesets/${ruleset}`,
  /** The rule that names the reason of a refusal. */
  why: (ruleset: string, reason: string) => `/rulesets/${ruleset}#why-${reason}`,
  table: (session: string) => `/s/${session}`,
  /** The table as another seat sees it. */
  viewAs: (session: string, seat: string) => `/s/${session}?as=${seat}`,
  review: (session: string, version?: number) => `/s/${session}/at/${version ?? "newest"}`,
  luck: (session: string) => `/s/${session}/luck`,
  proof: (session: string) => `/s/${session}/proof`,
  /** One roll, for everyone with the link. */
  sharedRoll: (code: string) => `/r/${code}`,
  draw: (session: string, draw: number) => `/s/${session}/draws/${draw}`,
  transcript: (session: string) => `/s/${session}/transcript`,
  campaign: (campaign: string) => `/c/${campaign}`,
  /** A person's link to a campaign, with the personal token in the fragment. */
  person: (campaign: string, token: string) => `/c/${campaign}#${token}`,
  join: (code: string) => `/join/${code}`,
  joinByCode: "/join",
  /** The table, with the sheet that greets a person who has just sat down. */
  welcome: (session: string) => `/s/${session}#welcome`,
  /** Where a new player creates a character. */
  character: (session: string) => `/s/${session}/character`,
  /** Where people sit down with a personal link or its token. */
  sitDown: (session: string) => `/s/${session}/seat`,
  /** A seat's personal link. Browsers send no fragment, so no server log contains the token. */
  seat: (session: string, token: string) => `/s/${session}/seat#${token}`,
};
