"""Highlights and headline: what a player wants to know of a session first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp, floor

from projections import statistics_model as m
from workers.statistics.running import SEATS, Live, LuckCourse, Moment
from workers.statistics.verdicts import escape

USUAL = 0.25
"""The quarter of sessions with the most luck is called lucky, that with the least unlucky."""
MIDDLE = 0.5
"""Half of all sessions have more luck than this."""
LEVELS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
MIN_DROUGHT = 2
MAX_CHANCE = 0.2
"""Rolls that come more often than this are no highlights."""
MAX_RAREST_CHANCE = 0.05
"""No roll that comes more often than this is called rare."""


def describe_percentile(percentile: float) -> str:
    """Return the percentile in words, such as "better than 9 of 10 sessions"."""
    if USUAL <= percentile <= 1 - USUAL:
        return "an ordinary session"
    is_good = percentile > MIDDLE
    share = percentile if is_good else 1 - percentile
    of = next((level for level in LEVELS if (1 - share) * level >= 0.5), LEVELS[-1])
    number = min(of - 1, floor(share * of + 1e-9))
    return f"{'better' if is_good else 'worse'} than {number:,} of {of:,} sessions"


def headline(
    luck: Mapping[str, Mapping[str, m.Luck]], verdicts: Mapping[str, m.TestSummary]
) -> str:
    """Return who was luckiest, or unluckiest, and whether anything is suspicious.

    `luck` maps origins to the luck of seats.
    """
    origin = next((each for each in luck if _known(luck[each])), "")
    known = _known(luck.get(origin, {}))
    return " ".join(filter(None, (_luckiest(known, origin), suspicion(verdicts))))


def _known(seats: Mapping[str, m.Luck]) -> dict[str, float]:
    return {seat: of.percentile for seat, of in seats.items() if isinstance(of.percentile, float)}


def _luckiest(known: Mapping[str, float], origin: str) -> str:
    if not known:
        return "Too few rolls to say who was lucky."
    best = max(known, key=lambda seat: (known[seat], seat))
    worst = min(known, key=lambda seat: (known[seat], seat))
    typed = " with typed-in dice" if origin == m.DECLARED else ""
    words = describe_percentile(known[best])
    if known[best] <= MIDDLE:  # the luckiest of the unlucky is not lucky
        if known[worst] >= USUAL:
            return f"No one was unusually lucky or unlucky{typed}."
        words = describe_percentile(known[worst])
        return f"No one was lucky{typed}, and {{@{worst}}} was unluckiest: {words}."
    if known[best] <= 1 - USUAL:
        return f"{{@{best}}} was luckiest{typed}, but not unusually lucky."
    return f"{{@{best}}} was luckiest{typed}: {words}."


def suspicion(verdicts: Mapping[str, m.TestSummary]) -> str:
    """Return whether anything is suspicious, in one sentence for each origin with a finding."""
    found = [summary.found[0].text for summary in verdicts.values() if summary.found]
    if found:
        return " ".join(f"Suspicious: {text}" for text in found)
    if not any(summary.made for summary in verdicts.values()):
        return "Too few rolls to say whether anything is suspicious."
    is_final = all(summary.final for summary in verdicts.values())
    return "Nothing suspicious." if is_final else "Nothing suspicious so far."


def highlights(live: Live) -> tuple[m.Highlight, ...]:
    """Return the memorable moments, at most one of each kind, of drawn and typed-in values."""
    best: dict[str, Moment] = {}
    for moments in live.moments.values():
        for kind, made in moments.items():
            if kind not in best or made.chance < best[kind].chance:
                best[kind] = made
    decisive = best.get("decisive-life") or best.get("decisive-harm")
    courses = [
        (seat, course)
        for groups in live.luck.values()
        for seat, course in groups.get(SEATS, {}).items()
    ]
    found: dict[tuple[int, int], m.Highlight] = {}
    for each in _chosen(best, decisive, courses):
        limit = MAX_RAREST_CHANCE if each.kind == "rarest" else MAX_CHANCE
        if each.chance <= limit:  # one roll can be more than one kind of highlight
            found.setdefault((each.first, each.last), each)
    return tuple(found.values())


def _chosen(
    best: Mapping[str, Moment], decisive: Moment | None, courses: list[tuple[str, LuckCourse]]
) -> Iterator[m.Highlight]:
    if "rarest" in best:
        yield _highlight("rarest", best["rarest"])
    dry = [each for each in courses if each[1].driest.length >= MIN_DROUGHT]
    if dry:
        seat, course = min(dry, key=lambda each: each[1].driest_log)
        row = course.driest
        text = f"{{@{seat}}} had {row.length} rolls in a row without a success"
        chance = exp(course.driest_log)
        yield m.Highlight(
            "drought", seat, f"@{seat}", row.first, row.last, _round(chance), _with(text, chance)
        )
    if "save" in best:
        yield _highlight("save", best["save"])
    if decisive is not None:
        yield _highlight("decisive", decisive)


def _highlight(kind: str, made: Moment) -> m.Highlight:
    outcome = "" if made.outcome == made.value else f": {made.outcome}"
    text = f"{{{made.entity}}} rolled " + escape(f"{made.value} ({made.use}){outcome}")
    return m.Highlight(
        kind,  # type: ignore[arg-type]
        made.seat,
        made.entity,
        made.version,
        made.version,
        _round(made.chance),
        _with(text, made.chance),
    )


def _with(text: str, chance: float) -> str:
    """Add the chance in words to a sentence."""
    return f"{text} (1 in {max(1, round(1 / chance)):,})." if chance > 0 else f"{text}."


def _round(chance: float) -> float:
    return float(f"{chance:.6g}")
