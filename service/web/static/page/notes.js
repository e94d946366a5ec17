// What stands above the table: that the evening is closed, which draw waits, for whom and how long.

export function start({ view, data, element, name }) {
  const closed = element.querySelector("#closed");
  const waiting = element.querySelector("#waiting");
  view.addEventListener("grew", () => { closed.hidden = !data.closed; });
  view.addEventListener("waiting", ({ detail }) => {
    waiting.hidden = !detail;
    waiting.textContent = detail ? inWords(detail, name) : "";
  });
}

/** A draw that waits, {k, missing: [seats], seconds}. */
export function inWords({ k, missing, seconds }, name) {
  return `Draw ${k} waits for ${missing.map(name).join(", ") || "the house"}: ${seconds} s.`;
}
