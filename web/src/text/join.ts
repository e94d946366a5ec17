/** Texts of joining a session and of coming back to a seat. */

export const join = {
  enterTitle: "Back to your seat",
  enterHow: "Open your personal link, or paste it here. If you lost it, ask your GM for a new invitation.",
  enterField: "Your personal link",
  enterButton: "Sit down",
  qrOf: (name: string) => `QR code of: ${name}`,
  linkIsLocal: "This address works on this computer only. Open Fairlog by an address that other devices can reach, to share it.",
  personalLink: "Your personal link",
  personalLinkWhat: "Keep this link: it brings you back to this seat on any device. Share it with no one, because whoever opens it plays as you.",
  personalLinkKeys: "Your browser helps to roll the dice. Its keys stay in this browser, and the link does not contain them.",
  personalLinkFile: "Take the keys to another device",
  renewLink: "Make a new link",
  renewLinkAsk: "The old link stops working, and your other devices are signed out. This browser keeps the seat.",
  renewLinkYes: "Make a new link",
  renewLinkDone: "This is your new link. The old one no longer works.",
};
