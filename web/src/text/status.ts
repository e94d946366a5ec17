/** Texts of the page about the server's state. */

export const statusText = {
  title: "Is the server working?",
  fine: "Everything is working.",
  todo: "People can play. The operator has something to do:",
  operators: "For operators",
  work: "Background work",
  queue: "Queue",
  answers: "answers",
  silent: "does not answer",
  waiting: "Jobs that wait",
  running: "Jobs that run",
  failed: "Jobs that failed",
  sweep: "Last search for work",
  kinds: {
    statistics: "Statistics of a session",
    range: "Statistics of some versions",
    audit: "Checks of a session's log",
    webhook: "Webhooks",
    campaign: "Statistics of a campaign",
  } as Record<string, string>,
  workers: "Workers",
  worker: (number: number) => `Worker ${number}`,
  seen: (seconds: number) => `seen ${seconds} s ago`,
  noWorker: "No worker is known, so statistics and checks wait.",
  views: "Read models",
  behind: (events: number) => (events ? `${events.toLocaleString()} events behind the log` : "up to date"),
};
