/** Texts of pages that cannot be shown, by the code of the problem: what happened, and what to do. */

export const errors = {
  errors: {
    "token-missing": [
      "Only people with a seat see this session",
      "Open your personal link to it, or paste it here. If you have no seat yet, open the invitation that your GM sent you.",
      "If you expected a public session, check the address: it may not exist.",
    ],
    "token-invalid": [
      "You are signed out of this seat",
      "The seat got a new link, or it was freed. Open your newest personal link, or paste it here. If you have none, ask your GM for a new link to your seat.",
    ],
    "not-found": [
      "This page was not found",
      "Check the address. If it is a session of yours, open your personal link in this browser.",
    ],
    "too-many": ["Too many requests", "Wait a moment, then reload this page."],
    unavailable: ["The server cannot read its log right now", "Nothing is lost. Try again in a moment."],
    failed: ["Something went wrong on the server", "Nothing was changed. Try again; if it happens again, tell the operator the code below."],
    refused: ["This is not possible", "The session does not allow it for your seat. Go back to the table."],
  } as Record<string, string[]>,
  errorCode: (code: string, request: string) => `Code ${code}, request ${request}.`,
  errorAgain: "Try again",
  errorHome: "Home",
  errorDetails: "For the person who runs this server",
};
