// An invitation: a code behind a # is looked at, and a seat that was left comes back with its next chain.

import { firstChain } from "../seat/giving.js";
import { Keeping } from "../seat/keeping.js";
import { hidden } from "./nodes.js";

const form = document.querySelector("form.join");
if (form) begin();
else if (/^#[\w-]{1,80}$/.test(location.hash)) location.replace(`/join/${location.hash.slice(1)}`);

function begin() {
  form.addEventListener("submit", back);
  if (form.dataset.owes) form.requestSubmit();
}

/** Where this browser has the key of the seat, the chain behind the last one goes along. If the server has refused that
 * because it needs a link of the old chain, `owes` is the chain and the position, and the link goes along too. */
async function back(event) {
  const { session, seat, role, owes } = form.dataset;
  const named = seat || form.elements.seat?.value.trim();
  if (form.dataset.ready !== undefined || !named || form.dataset.held !== undefined) return;
  event.preventDefault();
  form.dataset.ready = "";
  try {
    const keeping = await Keeping.read(session, named);
    if (keeping) {
      Object.assign(keeping.record, { away: false, handed: false });
      Object.assign(keeping.kept, { since: null, asked: [] });
      const [chain, position] = owes?.split(" ").map(Number) ?? [];
      const owed = owes && { chain, position };
      form.append(...hidden(await firstChain(keeping, role, keeping.nextNumber, owed)));
    }
  } catch {
    if (owes) return; // the page says what the server has refused
    // without what this browser keeps, the server says what is missing
  }
  form.submit();
}
