// A seat's file: saved for another device, and brought from one. It is the file of `fairlog sit`.

import { readFile, take } from "../seat/keeping.js";
import { send } from "./net.js";
import { el } from "./nodes.js";

/** What saves the file, after a second word: who has the file is the seat. */
export function save(holding) {
  const status = el("p", { role: "status", class: "said" });
  const say = (error) => { status.textContent = error.message; };
  if (holding.state === "handed") {
    const go = el("button", { type: "button" }, "Go on here");
    go.addEventListener("click", () => holding.goOn().catch(say));
    const words = "Stop the other device first: of two that give, the older does not know what the other gave.";
    return [el("p", {}, words), go, status];
  }
  const sure = el("button", { type: "button" }, "Save the file, and stop here");
  const details = el("details", {}, el("summary", {}, "Go on with another device"),
    el("p", {}, "Whoever has the file is your seat: it holds its keys and its token. Bring it to the other device, " +
      "enter there with it or run fairlog sit --file, and delete what is left of it. This browser stops giving."),
    el("p", {}, sure), status);
  sure.addEventListener("click", () => hand(holding).catch(say));
  return [details];
}

async function hand(holding) {
  const { token } = await send(location.pathname.replace(/people$/, "token"));
  const { fault } = holding;
  const file = { ...(await holding.handOver(token)), ...(fault && { fault }) };
  download(`${file.seat}-${file.session.slice(0, 8)}.seat`, JSON.stringify(file));
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What brings a file in: the browser keeps it, and enters with its token. */
export function bring(session) {
  const field = el("input", { id: "seat-file", type: "file", accept: ".seat,.json,application/json" });
  const status = el("p", { role: "alert", class: "wrong said" });
  field.addEventListener("change", () => entered(field.files[0], session, status));
  return [
    el("p", { class: "field" }, el("label", { for: "seat-file" }, "Your seat's file"), field),
    el("p", { class: "quiet" }, "As another browser has saved it under People, or as fairlog sit keeps it: " +
      "this browser goes on from there, and the other device has to stop."),
    status,
  ];
}

async function entered(file, session, status) {
  if (file === undefined) return;
  try {
    status.textContent = "";
    const kept = readFile(await file.text());
    if (kept.session !== session) throw new TypeError(`This file is of another session, ${kept.session}.`);
    await take(kept);
    const form = el("form", { method: "post", action: `/s/${session}/enter`, hidden: true },
      el("input", { name: "token", value: kept.token }));
    document.body.append(form);
    form.submit();
  } catch (error) {
    status.textContent = error.message;
  }
}
