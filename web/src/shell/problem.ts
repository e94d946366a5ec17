/** Why the server answered with an error page. The facts are in the page. */

export interface Problem {
  title: string;
  detail: string;
  advice: string;
  code: string;
  request: string;
  /** The session that the address names, or "". */
  session: string;
}

export const NOTHING_HERE: Problem = {
  title: "",
  detail: "",
  advice: "",
  code: "not-found",
  request: "",
  session: "",
};

/** Return the problem that this page is about, if the server sent one. */
export function readProblem(): Problem | undefined {
  const found = document.getElementById("problem")?.textContent;
  return found ? (JSON.parse(found) as Problem) : undefined;
}
