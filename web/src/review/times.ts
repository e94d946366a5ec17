/** Times as people read them: local, and how long ago. */

import { text } from "../text";

const TIME = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat([], { day: "numeric", month: "short" });

/** Write a time of the API. It has its day if that is not today. */
export function moment(at: string): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? TIME.format(date) : `${DAY.format(date)}, ${TIME.format(date)}`;
}

/** Write the time of the day alone. */
export function clock(at: string): string {
  return TIME.format(new Date(at));
}

/** Say how long ago it was, or "" if it is more than an hour. */
export function ago(at: string): string {
  return text.review.ago(Math.floor((Date.now() - Date.parse(at)) / 60_000));
}
