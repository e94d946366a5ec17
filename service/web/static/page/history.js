// The address says which version is shown, the browser's history where one has been, the title both.
//
// Moving on ("push") makes an entry. Scrubbing only changes the address; where it settles, one entry is made, and Back
// leads to where the scrubbing began.

import { pageAt, versionIn } from "./address.js";

const PACE = 250; // ms between two changes of the address: browsers refuse more

export function start(page) {
  const { view, data } = page;
  const here = () => pageAt(data, view.fixed);
  let from; // where the scrubbing began
  let waiting;

  const replace = (address) => {
    clearTimeout(waiting);
    waiting = undefined;
    history.replaceState(null, "", address);
  };
  const push = () => {
    if (location.pathname + location.search !== here()) history.pushState(null, "", here());
    title(page);
  };
  const settle = () => {
    if (from === undefined) return;
    replace(from);
    from = undefined;
    push();
  };
  const follow = () => {
    replace(here());
    title(page);
  };

  view.addEventListener("moved", ({ detail: { how } }) => {
    if (how === "scrub") {
      from ??= location.pathname + location.search;
      waiting ??= setTimeout(follow, PACE);
    } else if (how === "push") {
      settle();
      push();
    } else {
      title(page);
    }
  });
  view.addEventListener("settled", settle);
  view.addEventListener("asked", follow);
  addEventListener("popstate", () => {
    const version = versionIn(location.search);
    if (version === undefined) view.goLive("none");
    else view.go(version, "none");
  });
  document.addEventListener("click", (event) => visit(page, event));
}

/** A link to a version of this page is followed without leaving it. */
function visit({ view, data }, event) {
  const link = event.target.closest?.("a[href]");
  if (link === null || event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.hasAttribute("download")) return;
  const { pathname, search, hash, host } = link;
  if (host !== location.host || pathname !== data.page || new URLSearchParams(search).get("as") !== data.as) return;
  event.preventDefault();
  const version = versionIn(search);
  if (version === undefined) view.goLive();
  else view.go(version);
  if (hash !== "") document.querySelector(hash)?.scrollIntoView();
}

function title({ view, data }) {
  document.title = `${data.title}${view.live ? "" : `, version ${view.at}`} - Fairlog`;
}
