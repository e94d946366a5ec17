// An invitation: a code behind a # is looked at, and a seat that was left comes back with its next chain.

import { firstChain } from "../seat/giving.js";
import { Keeping } from "../seat/keeping.js";
import { el } from "./nodes.js";

const form = document.querySelector("form.join");
if (form) form.addEventListener("submit", back);
else if (/^#[\w-]{1,80}$/.test(location.hash)) location.replace(`/join/${location.hash.slice(1)}`);

/** Where this browser has the key of the seat, the chain behind the last one goes along. */
async function back(event) {
  const { session, seat, role } = form.dataset;
  const named = seat || form.elements.seat?.value.trim();
  if (form.dataset.ready !== undefined || !named || form.dataset.held !== undefined) return;
  event.preventDefault();
  form.dataset.ready = "";
  try {
    const keeping = await Keeping.read(session, named);
    if (keeping) {
      Object.assign(keeping.record, { away: false, handed: false });
      Object.assign(keeping.kept, { since: null, asked: [] });
      const chain = await firstChain(keeping, role, keeping.nextNumber);
      form.append(...Object.entries(chain).map(([name, value]) => el("input", { type: "hidden", name, value })));
    }
  } catch {
    // without what this browser keeps, the server says what is missing
  }
  form.submit();
}
