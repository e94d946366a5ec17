/** Texts of the settings. */

export const settings = {
  settings: {
    game: "This game",
    edition: (edition: string) => `edition ${edition}`,
    drawsHouse:
      "The server and the browser of the person who acts mix each roll. No one can change a roll afterwards.",
    drawsTable: "All browsers at the table roll the dice together, so no one can choose a roll, not even the server.",
    chosen: "Chosen for this session",
    noneChosen: "All options are as usual.",
    others: (number: number) => (number === 1 ? "One option is as usual" : `${number} options are as usual`),
    fixed: "Options are chosen when a session begins, and stay as they are.",
    curious: "For the curious",
    theme: "Colours",
    themes: { system: "Like this device", light: "Light", dark: "Dark" },
    seat: "Your seat",
    forgetHint: "The seat stays yours: you come back with your personal link.",
    webhooks: "Webhooks: tell another program what happens",
    webhooksHint: "Every public event is sent to this address, in order, until the receiver accepts it.",
    webhookStates: { active: "active", stopped: "stopped", refused: "refused by the receiver" } as Record<string, string>,
    webhookUrl: "Address",
    webhookFormat: "For",
    standard: "a program (Standard Webhooks)",
    discord: "a Discord channel",
    addWebhook: "Add the webhook",
    delete: "Delete",
    deleteWebhook: (url: string) => `Delete the webhook to ${url}`,
    secret: "The messages are signed with this secret. Store it now, because it is not shown again.",
  },
};
