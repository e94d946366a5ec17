import "@fontsource-variable/inter";
import "./styles/tokens.css";
import "./styles/shell.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { showTheme } from "./settings/theme";

// The worker is missing while Vite serves the sources, and on plain http.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
}
showTheme();
const target = document.getElementById("app");
if (target) mount(App, { target });
