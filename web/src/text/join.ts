/** Texts of joining a session and of coming back to a seat. */

export const join = {
  enterTitle: "Back to your seat",
  enterHow: "Open your personal link, or paste its last part, which begins with flt_. If you lost it, ask your GM for a new invitation.",
  enterField: "Your seat's token",
  enterButton: "Sit down",
};
