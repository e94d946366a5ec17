/** The colour scheme of the pages: that of the system, or one that is chosen for this browser. */

import { readStored, store } from "../shell/storage";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const NAME = "fairlog-theme";

export function readTheme(): Theme {
  const found = readStored(NAME);
  return THEMES.find((each) => each === found) ?? "system";
}

export function chooseTheme(theme: Theme): void {
  store(NAME, theme);
  showTheme(theme);
}

/** Show the pages in the chosen scheme. */
export function showTheme(theme: Theme = readTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
