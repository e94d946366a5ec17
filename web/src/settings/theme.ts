/** The colour scheme of the pages: that of the system, or one that is chosen for this browser. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const NAME = "fairlog-theme";

export function readTheme(): Theme {
  try {
    const found = localStorage.getItem(NAME);
    return THEMES.find((each) => each === found) ?? "system";
  } catch {
    return "system"; // the browser stores nothing for this site
  }
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // It lasts as long as the page.
  }
  showTheme(theme);
}

/** Show the pages in the chosen scheme. */
export function showTheme(theme: Theme = readTheme()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
