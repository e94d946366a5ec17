/** Times as people read them, in the time zone of the browser. */

const DAY_MS = 86_400_000;
// Each use of a format of its own would cost more than drawing a line of the log.
const TIME = new Intl.DateTimeFormat([], { timeStyle: "short" });
const DATE_AND_TIME = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });

/** Return the time of day. */
export function clock(iso: string | number): string {
  return TIME.format(new Date(iso));
}

/** Return the time of day, with the date if it is not today. */
export function localTime(iso: string | number): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === new Date().toDateString();
  return (isToday ? TIME : DATE_AND_TIME).format(at);
}

/** Return the day, such as Thu 19 Nov, with the year if it is not this year. */
export function localDay(iso: string | number): string {
  const at = new Date(iso);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return at.toLocaleDateString([], {
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** Return how far away a time is, such as "in 6 days" or "2 hours ago". */
export function relativeTime(iso: string | number): string {
  const away = new Date(iso).getTime() - Date.now();
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  if (Math.abs(away) >= DAY_MS) return words.format(Math.round(away / DAY_MS), "day");
  if (Math.abs(away) >= DAY_MS / 24) return words.format(Math.round((away * 24) / DAY_MS), "hour");
  return words.format(Math.round(away / 60_000), "minute");
}
