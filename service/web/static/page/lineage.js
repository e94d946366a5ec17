// Which versions led to one, and where the log parts: by the rewinds, [[version, to], ...], by rising version.

/** The spans [first, last] that led to `head`, the lowest first. */
export function lineage(rewinds, head) {
  const spans = [];
  let last = head;
  while (last > 0) {
    const [first, to] = spanOf(rewinds, last);
    spans.push([first, last]);
    last = Math.min(to, first - 1);
  }
  return spans.reverse();
}

/** Whether a version lies in one of the spans. */
export const within = (spans, version) => spans.some(([first, last]) => first <= version && version <= last);

/** What each rewind left behind: {version, to, spans}, without what others had left before it. */
export function left(rewinds) {
  return rewinds.map(([version, to], nth) => {
    const kept = lineage(rewinds, to);
    const spans = lineage(rewinds.slice(0, nth), version - 1).flatMap((span) => without(span, kept));
    return { version, to, spans };
  });
}

/** The nearest version before or at `at` from which the log goes on in several ways: {from, ways, nth}, where `ways`
 * are the first versions behind it and `nth` says which one led to `at`, -1 where none did; undefined without one. */
export function fork(rewinds, at, head) {
  const parents = new Map(rewinds);
  const targets = grouped(rewinds);
  let came;
  for (let from = at; from >= 0; from = parents.get(from) ?? from - 1) {
    const later = (targets.get(from) ?? []).map(([version]) => version);
    const next = from + 1 <= head && !parents.has(from + 1) ? [from + 1] : [];
    const ways = [...next, ...later];
    if (ways.length > 1) return { from, ways, nth: ways.indexOf(came) };
    came = from;
  }
  return undefined;
}

function grouped(rewinds) {
  const found = new Map();
  for (const each of rewinds) found.set(each[1], [...(found.get(each[1]) ?? []), each]);
  return found;
}

/** The first version of the span that ends with this one, and the version below it. */
function spanOf(rewinds, version) {
  for (let nth = rewinds.length - 1; nth >= 0; nth -= 1) if (rewinds[nth][0] <= version) return rewinds[nth];
  return [1, 0];
}

function without([first, last], others) {
  const found = [];
  let start = first;
  for (const [from, upto] of others) {
    if (upto < start || from > last) continue;
    if (from > start) found.push([start, from - 1]);
    start = upto + 1;
  }
  return start <= last ? [...found, [start, last]] : found;
}
