// The sessions that this browser has shown, kept by it alone: [{address, title}], the latest first.

const NAME = "fairlog-visited";
const MOST = 30;

/** What is kept; nothing where the browser keeps nothing. */
export function visited() {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return found.filter(({ address, title }) => /^\/[^/]/.test(address) && typeof title === "string");
  } catch {
    return [];
  }
}

/** Keeps a session as the latest. */
export function remember(address, title) {
  const others = visited().filter((each) => each.address !== address);
  keep([{ address, title: title.slice(0, 200) }, ...others].slice(0, MOST));
}

/** Forgets all of them. */
export const forget = () => keep([]);

function keep(sessions) {
  try {
    if (sessions.length) localStorage.setItem(NAME, JSON.stringify(sessions));
    else localStorage.removeItem(NAME);
  } catch {
    // a browser that keeps nothing, or no more
  }
}
