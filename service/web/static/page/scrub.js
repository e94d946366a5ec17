// The slider of versions. Dragging shows each version that is here already, one a frame; letting go keeps the place.

import { pageAt } from "./address.js";
import { set } from "./nodes.js";
import { draw } from "./strip.js";

const SOON = 100; // ms

export function start(page) {
  const { view, element } = page;
  const slider = element.querySelector("#slider");
  let frame;
  let drawing;
  const move = () => {
    frame = undefined;
    view.go(Number(slider.value), "scrub");
  };
  slider.addEventListener("input", () => { frame ??= requestAnimationFrame(move); });
  slider.addEventListener("change", () => {
    cancelAnimationFrame(frame);
    move();
    page.settle();
  });
  const follow = () => {
    slider.max = view.head;
    slider.value = view.at;
    slider.setAttribute("aria-valuetext", `${view.at} of ${view.head}`);
    links(page);
  };
  view.addEventListener("moved", follow);
  view.addEventListener("grew", follow);
  for (const when of ["grew", "learned"]) {
    view.addEventListener(when, () => {
      drawing ??= setTimeout(() => {
        drawing = undefined;
        draw(page);
      }, SOON);
    });
  }
  element.querySelector(".lanes").addEventListener("click", ({ target }) => {
    const { upto } = target.dataset;
    if (upto !== undefined) view.go(Number(upto));
  });
  for (const each of element.querySelectorAll(".script")) each.hidden = false;
  follow();
}

/** Where the links beside the slider lead. */
function links({ view: { at, head, live, newer }, data, element }) {
  const to = { start: 0, "turn-back": at - 1, back: at - 1, on: at + 1, "turn-on": at + 1 };
  for (const [does, version] of Object.entries(to)) {
    const leads = version !== at && version >= 0 && version <= head;
    set(element.querySelector(`a[data-does="${does}"]`), leads ?
      { href: pageAt(data, version), "aria-disabled": false, role: false } :
      { href: false, "aria-disabled": "true", role: "link" });
  }
  const now = element.querySelector('a[data-does="live"]');
  set(now, { href: pageAt(data, undefined), "aria-current": live && "true" });
  const said = live || newer === 0 ? "Live" : `Live (${newer} newer)`;
  const text = now.querySelector("#live");
  if (text.textContent !== said) text.textContent = said;
}
