import "@fontsource-variable/inter";
import "./styles/tokens.css";
import "./styles/shell.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { showTheme } from "./settings/theme";

showTheme();
const target = document.getElementById("app");
if (target) mount(App, { target });
