// The seat that this browser holds, where the table draws: it gives a link to every roll by itself.
//
// `page`: {data, view, element}. On `page.view`: "seat" (detail: {state, code}; seat/words.js has the states, `code` is
// of what does not hold), "waiting" and "grade" (seat/waits.js).

/** The Holding of seat/holding.js; undefined where the house draws, and for who has no seat that gives. */
export async function start(page) {
  if (page.data.draws !== "table") return undefined;
  const { sit } = await import("../seat/panel.js"); // with all that checks: other pages need none of it
  return sit(page);
}
