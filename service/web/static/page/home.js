// The first page: the sessions that were visited in this browser.

import { el } from "./nodes.js";
import { forget, visited } from "./visited.js";

const section = document.querySelector("#visited");

function show() {
  const found = visited();
  const rows = found.map(({ address, title }) => el("li", {}, el("a", { href: address }, title)));
  section.querySelector("ul").replaceChildren(...rows);
  section.hidden = !found.length;
}

section.querySelector("button").addEventListener("click", () => {
  forget();
  show();
  document.querySelector("#main").focus();
});
show();
