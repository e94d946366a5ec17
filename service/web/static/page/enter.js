// The door: a seat enters with its file too.

import { bring } from "./seat-file.js";

for (const place of document.querySelectorAll("[data-enters]")) {
  place.append(...bring(place.dataset.enters));
  place.hidden = false;
}
