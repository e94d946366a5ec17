// Elements made without markup, and an old tree brought to a new one: what stays the same stays the same element.

/** An element with attributes (undefined and false are left out) and what is inside: nodes, strings, lists of both. */
export const el = (name, attributes, ...inside) => filled(document.createElement(name), attributes, inside);

/** The same in a picture. */
export const svg = (name, attributes, ...inside) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, inside);

function filled(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...inside.flat(Infinity).filter((each) => each !== undefined && each !== false && each !== ""));
  return element;
}

/** Makes `old` equal to `fresh`, which is used up. Parts are found again by data-part, so focus stays where it was;
 * whether a <details> is open is the reader's own affair. */
export function become(old, fresh) {
  if (old.isEqualNode(fresh)) return;
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
    become(found, child);
    return found;
  });
  for (const each of left) each.remove();
  placed.forEach((each, nth) => {
    if (old.childNodes[nth] !== each) old.insertBefore(each, old.childNodes[nth] ?? null);
  });
}

const isAlike = (one, other) =>
  one.nodeName === other.nodeName && one.dataset?.part === other.dataset?.part &&
  (one.dataset?.part !== undefined || one.className?.baseVal === other.className?.baseVal);

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
