// What a form asks for, as the API takes it.

const PREFIX = "c."; // in front of a command's own fields
const FRAME = {
  narrate: ({ text, about, audience }) => ({ text, about: whole(about), audience }),
  open: ({ turn }) => ({ turn: whole(turn) }),
  close: ({ carry_over: carry }) => ({ carry_over: carry === "true" }),
};

/** {path, body}: where it is sent below the session's address, and what. */
export function wishOf(form) {
  const { act } = form.dataset;
  const said = Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim() !== ""));
  if (act in FRAME) return { path: act === "open" ? "/open-secret" : `/${act}`, body: FRAME[act](said) };
  const { audience, target, faces } = said;
  const fallen = faces?.match(/[^\s,]+/g)?.map(whole);
  const body = { command: command(form), audience, target_version: whole(target), faces: fallen };
  return { path: "/commands", body };
}

/** The command alone. What is left empty is not said. */
function command(form) {
  const found = { kind: form.dataset.act };
  for (const each of form.elements) {
    const { as } = each.dataset;
    if (as === undefined) continue;
    const name = each.name.slice(PREFIX.length);
    if ("needed" in each.dataset) found[name] ??= [];
    const text = each.value.trim();
    if (text === "" || (["radio", "checkbox"].includes(each.type) && !each.checked)) continue;
    if (as === "list" || as === "numbers") (found[name] ??= []).push(...parts(each, text, as));
    else found[name] = as === "number" ? whole(text) : as === "boolean" ? text === "true" : text;
  }
  return found;
}

function parts({ tagName }, text, as) {
  const words = tagName === "SELECT" ? [text] : text.split(",").map((each) => each.trim()).filter(Boolean);
  return as === "numbers" ? words.map(whole) : words;
}

/** As a number where it is one; else the API says what is wrong with it. */
const whole = (text) => (text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text);
