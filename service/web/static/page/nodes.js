// Elements made without markup, and an old tree brought to a new one: what stays the same stays the same element.

/** An element with attributes (undefined and false are left out) and what is inside: nodes, strings, lists of both. */
export const el = (name, attributes, ...inside) => filled(document.createElement(name), attributes, inside);

/** The same in a picture. */
export const svg = (name, attributes, ...inside) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, inside);

/** Fields of a form that nobody sees, by name. */
export const hidden = (values) =>
  Object.entries(values).map(([name, value]) => el("input", { type: "hidden", name, value }));

/** A list of facts: [name, ...value] each, what is no fact is left out. */
export const facts = (rows, look = "facts") =>
  el("dl", { class: look }, rows.filter(Boolean).map(([name, ...value]) =>
    el("div", {}, el("dt", {}, name), el("dd", {}, value))));

/** Sets attributes; takes away those that are undefined or false. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
  }
}

function filled(element, attributes, inside) {
  set(element, attributes);
  element.append(...inside.flat(Infinity).filter((each) => each !== undefined && each !== false && each !== ""));
  return element;
}

/** Makes `old` equal to `fresh`, which is used up. Parts are found again by id and data-part, so focus and what was
 * typed stay; whether a <details> is open is the reader's own affair, and what is marked data-mine stays as it is. */
export function become(old, fresh) {
  if (old.isEqualNode(fresh) || old.dataset?.mine !== undefined) return;
  if (old.nodeType === Node.TEXT_NODE) {
    old.data = fresh.data;
    return;
  }
  attributes(old, fresh);
  const left = [...old.childNodes];
  const placed = [...fresh.childNodes].map((child) => {
    const nth = left.findIndex((each) => isAlike(each, child));
    if (nth < 0) return child;
    const [found] = left.splice(nth, 1);
    if (isShut(found) && !found.isEqualNode(child)) {
      child.open = false;
      return child;
    }
    become(found, child);
    return found;
  });
  place(old, placed);
}

/** Makes the nodes all that is inside; those that stay are not touched, so focus stays with them. */
export function place(element, nodes) {
  const wanted = new Set(nodes);
  for (const each of [...element.childNodes]) if (!wanted.has(each)) each.remove();
  nodes.forEach((each, nth) => {
    if (element.childNodes[nth] !== each) element.insertBefore(each, element.childNodes[nth] ?? null);
  });
}

/** Chromium never shows what comes into a closed <details>: it is taken anew, unless somebody would lose words by it. */
const isShut = (node) => node.nodeName === "DETAILS" && !node.open && !node.contains(document.activeElement) &&
  !node.querySelector("[data-mine], :user-valid, :user-invalid");

const isAlike = (one, other) =>
  one.nodeName === other.nodeName && one.id === other.id && one.dataset?.part === other.dataset?.part &&
  (one.dataset?.part !== undefined || one.className?.baseVal === other.className?.baseVal);

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
