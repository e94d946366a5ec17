// On each page of a session: this browser remembers it for the first page.

import { remember } from "./visited.js";

const { session, title } = document.querySelector("nav.among").dataset;
remember(session, title ?? document.querySelector("h1").textContent);
