// The slider of versions. Dragging shows each version that is here already, one a frame; letting go keeps the place.

import { pageAt } from "./address.js";
import { draw as drawStrip } from "./strip.js";

export function start(page) {
  const { view, element } = page;
  const slider = element.querySelector("#slider");
  let frame;
  slider.addEventListener("input", () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      view.go(Number(slider.value), "scrub");
    });
  });
  slider.addEventListener("change", () => {
    cancelAnimationFrame(frame);
    frame = undefined;
    view.go(Number(slider.value), "scrub");
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
  for (const when of ["grew", "learned"]) view.addEventListener(when, () => strip(page));
  element.querySelector(".lanes").addEventListener("click", ({ target }) => {
    const { upto } = target.dataset;
    if (upto !== undefined) view.go(Number(upto));
  });
  for (const each of element.querySelectorAll(".script")) each.hidden = false;
  follow();
}

/** The strips are drawn when there is time, of what is here. */
function strip(page) {
  if (page.drawing !== undefined) return;
  page.drawing = setTimeout(() => {
    page.drawing = undefined;
    drawStrip(page);
  }, 100);
}

/** Where the links beside the slider lead. */
function links({ view: { at, head, live, newer }, data, element, lines }) {
  const set = (does, version) => {
    const link = element.querySelector(`a[data-does="${does}"]`);
    if (version === undefined) {
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
      link.setAttribute("role", "link");
    } else {
      link.setAttribute("href", pageAt(data, version));
      link.removeAttribute("aria-disabled");
      link.removeAttribute("role");
    }
  };
  const back = at > 0 ? at - 1 : undefined;
  const on = at < head ? at + 1 : undefined;
  set("start", at > 0 ? 0 : undefined);
  set("turn-back", back);
  set("back", back);
  set("on", on);
  set("turn-on", on);
  const now = element.querySelector('a[data-does="live"]');
  now.setAttribute("href", pageAt(data, undefined));
  if (live) now.setAttribute("aria-current", "true");
  else now.removeAttribute("aria-current");
  const said = live || newer === 0 ? "Live" : `Live (${newer} newer)`;
  const text = now.querySelector("#live");
  if (text.textContent !== said) text.textContent = said;
}
