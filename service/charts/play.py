"""Charts about play: points, pools, conditions, tempo, turns, rewinds and draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import UNSET

from domain.session.state import HOUSE
from domain.verify.report import VoidBias
from projections.statistics_model import DrawnValue, PoolStatistics, SessionReport, VoidedDraw
from service.charts.labels import Names, join, natural_key, slug
from service.charts.plot import (
    Bar,
    Bars,
    Group,
    Lines,
    Panel,
    Plot,
    Row,
    fit_groups,
    select_series,
    split,
    ticks,
)
from service.platform.text import format_count

MAX_PARTS = 120
"""The maximum number of parts into which a long session is split."""
MIN_ROLLS, MIN_CHANGES = 5, 2
"""The smallest numbers of rolls of usage dice, and of changes to a kind of pool, with a chart."""


def points(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per kind of pool, showing the points gained and lost.

    The points are grouped by entity and by reason.
    """
    for pool, of in _by_pool(report, names).items():
        found = {who: each for who, each in of.items() if each.why}
        if found:
            yield _points(pool, found)


def _by_pool(report: SessionReport, names: Names) -> dict[str, dict[str, PoolStatistics]]:
    found: dict[str, dict[str, PoolStatistics]] = {}
    for entity, of in report.points.items():
        for pool, each in of.items():
            found.setdefault(pool, {})[names.entity(entity)] = each
    return {
        pool: of
        for pool, of in found.items()
        if sum(map(_count_changes, of.values())) >= MIN_CHANGES
    }


def _count_changes(pool: PoolStatistics) -> int:
    return sum(flow.times for flow in pool.why.values())


def _points(pool: str, of: Mapping[str, PoolStatistics]) -> Plot:
    totals = {
        who: (
            sum(flow.gained for flow in each.why.values()),
            sum(flow.lost for flow in each.why.values()),
        )
        for who, each in of.items()
    }
    ordered = sorted(of.items(), key=lambda each: -sum(totals[each[0]]))
    groups, more = fit_groups(
        [
            Group(
                who,
                tuple(
                    Bar(why, flow.gained, f"+{flow.gained} -{flow.lost}", flow.lost)
                    for why, flow in each.why.items()
                ),
            )
            for who, each in ordered
        ]
    )
    said = [f"{who} gained {totals[who][0]} and lost {totals[who][1]}" for who, _ in ordered]
    return Plot(
        slug("points", pool),
        f"{pool}: gains and losses",
        f"{join(said)}. {more}".strip(),
        ("entity", "reason", "gained", "lost", "times"),
        tuple(
            (who, why, by.gained, by.lost, by.times)
            for who, each in ordered
            for why, by in each.why.items()
        ),
        Bars(groups, (("seen", "gained"), ("second", "lost")), more),
    )


def pools(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per kind of pool, showing the pools' levels over time.

    The cards in a deck count as a pool.
    """
    for pool, of in _by_pool(report, names).items():
        levels = {who: each.level for who, each in of.items() if each.level}
        if not levels:
            continue
        selection = select_series(levels)
        values = [value for line in selection.drawn.values() for _, value in line]
        said = [
            f"{who}: from {levels[who][0][1]:.16g} to {levels[who][-1][1]:.16g}"
            + _describe_lowest(of[who])
            for who in (*selection.drawn, *selection.others)
        ]
        yield Plot(
            slug("pools", pool),
            f"{pool} over time",
            f"{join(said)}. {selection.sentence}".strip(),
            ("entity", "after version", pool),
            tuple(selection.rows()),
            Lines(
                [
                    Panel(who, f"now {line[-1][1]:.16g}", line)
                    for who, line in selection.drawn.items()
                ],
                (report.first, report.last),
                ticks(max(*values, 0), min(*values, 0), limit=3),
                f"{pool}, by version",
                steps=True,
                more=selection.more,
            ),
        )


def _describe_lowest(pool: PoolStatistics) -> str:
    """Return the pool's lowest level, or "" if the report has not all of its levels."""
    if len(pool.level) <= _count_changes(pool):
        return ""
    return f", lowest {min(held for _, held in pool.level):.16g}"


def conditions(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of the number of rounds that each entity's conditions lasted."""
    rows: list[Row] = []
    said: list[str] = []
    for entity, held in report.conditions.items():
        who = names.entity(entity)
        for name, of in held.items():
            rows.append((who, name, of.begun, of.ended, of.rounds, of.longest))
            begun = format_count(of.begun, "time")
            said.append(f"{who}, {name}: {format_count(of.rounds, 'round')}, started {begun}")
    if rows:
        yield Plot(
            "conditions",
            "Condition durations in rounds",
            f"{join(said)}.",
            ("entity", "condition", "begun", "ended", "rounds", "longest"),
            tuple(rows),
        )


def usage(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of how many usage dice have not stepped down yet.

    Each row contains a number of rolls, the share of dice left after that many rolls, and the share
    expected by chance.
    """
    found = [
        (die, report.usage[die])
        for die in sorted(report.usage, key=lambda die: natural_key(die.lstrip("d")))
        if report.usage[die].survived
    ]
    if sum(of.rolls for _, of in found) >= MIN_ROLLS:
        said = [
            f"{die}: stepped down {format_count(of.down.seen, 'time')} "
            f"in {format_count(of.rolls, 'roll')}, "
            f"{of.down.expected:.1f} expected by chance"
            for die, of in found
        ]
        yield Plot(
            "usage",
            "Usage dice: share not stepped down",
            f"{join(said)}.",
            ("die", "rolls", "share left", "expected share"),
            tuple((die, *each) for die, of in found for each in of.survived),
        )


def tempo(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a chart of the number of minutes that passed before each turn, without breaks.

    A long session is divided into parts. The chart then shows the longest wait in each part.
    """
    gaps, of = report.tempo.gaps, report.tempo
    if not gaps:
        return
    rows = [
        (part[0][0], part[-1][0], len(part), max(wait for _, wait in part))
        for part in split(gaps, MAX_PARTS)
    ]
    points = tuple((first, wait) for first, _, _, wait in rows)
    at, longest = max(gaps, key=lambda gap: gap[1])
    waits = of.turns - 1 - of.breaks
    said = [
        f"{format_count(of.turns, 'turn')} in {of.minutes:.0f} minutes"
        + (f" and {format_count(of.breaks, 'break')}" if of.breaks else "")
        + f", half of them within {of.minutes_per_turn:.1f} minutes of the turn before."
    ]
    which = "wait"
    if len(gaps) < waits:
        said.append(f"The chart is based on {len(gaps)} of {waits} waits, evenly spaced.")
        which = "of them"
    said.append(f"The longest {which} was {longest:.1f} minutes, before version {at}.")
    if len(rows) < len(gaps):
        said.append(f"Each point is the longest of about {len(gaps) / len(rows):.0f} waits.")
    yield Plot(
        "tempo",
        "Tempo: minutes before each turn",
        " ".join(said),
        ("from version", "to version", "waits", "longest wait in minutes"),
        tuple(rows),
        Lines(
            [Panel("all seats", f"longest {longest:.1f}", points)],
            (report.first, report.last),
            ticks(longest, min(0, *(wait for _, wait in points), 0), limit=3),
            "minutes, by version",
        ),
    )


def spotlight(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a chart of each seat's share of the turns."""
    seats = [
        (names.seat(seat), of)
        for seat, of in sorted(report.tempo.seats.items(), key=lambda each: -each[1].turns)
    ]
    if seats:
        groups, more = fit_groups(
            [
                Group(
                    "",
                    tuple(
                        Bar(seat, of.turns, f"{of.share:.0%}, {of.minutes:.1f} min")
                        for seat, of in seats
                    ),
                )
            ]
        )
        said = [
            f"{seat}: {format_count(of.turns, 'turn')} ({of.share:.0%}), the table waited "
            f"{of.minutes:.1f} minutes"
            for seat, of in seats
        ]
        yield Plot(
            "spotlight",
            "Spotlight: turns by seat",
            f"{join(said)}. {more}".strip(),
            ("seat", "turns", "share", "minutes the table waited"),
            tuple((seat, of.turns, of.share, of.minutes) for seat, of in seats),
            Bars(groups, (("seen", "turns"),), more),
        )


def rewinds(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table that compares each undone draw with the next one of its kind."""
    of = report.rewinds
    if not of.draws:
        return
    both = [
        (each.draw.luck, each.next.luck)
        for each in of.draws
        if each.next is not UNSET and each.draw.luck is not UNSET and each.next.luck is not UNSET
    ]
    better = sum(after > before for before, after in both)
    yield Plot(
        "rewinds",
        "Rewinds: undone rolls and later ones of the same kind",
        f"{format_count(of.count, 'rewind')} undid {format_count(of.turns, 'turn')} with "
        f"{format_count(len(of.draws), 'roll')}. Later rolls of the same kind: {len(both)}. Rolls "
        f"with a better result than the undone one: {better}.",
        (
            "rewind",
            "seat",
            "entity",
            "use",
            "undone at",
            "undone",
            "luck",
            "next at",
            "next",
            "next luck",
        ),
        tuple(
            (
                each.rewind,
                names.seat(each.seat),
                names.entity(each.entity),
                each.use,
                *_value_cells(each.draw),
                *(("", "", "") if each.next is UNSET else _value_cells(each.next)),
            )
            for each in of.draws
        ),
    )


def _value_cells(of: DrawnValue) -> tuple[int, str, int | str]:
    """Return the version, the value with its outcome, and the luck (from -50 to 50)."""
    value = of.value if of.outcome == of.value else f"{of.value}: {of.outcome}"
    return of.version, value, "" if of.luck is UNSET else of.luck


def grades(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table that counts the draws of each grade, in total and by seat."""
    of = report.draws
    if any(of.grades.values()):
        said = [
            f"{format_count(of.grades[grade], 'draw')} of grade {grade}"
            for grade in sorted(of.grades)
        ]
        groups = [("all", of.grades)]
        groups += [(names.seat(seat), each) for seat, each in of.seats.items()]
        yield Plot(
            "grades",
            "Draws by grade",
            f"{join(said)}. A: no one could predict or choose the values. D: a seat declared them.",
            ("seat", "grade", "draws"),
            tuple((who, grade, each[grade]) for who, each in groups for grade in sorted(each)),
        )


def voids(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of the voided draws and the seats that did not contribute to them."""
    of = report.draws
    if of.voids:
        absent = Counter(seat for void in of.voids for seat in void.missing or (void.seat,))
        said = [
            f"{names.seat(seat)} {format_count(of.missing.get(seat, 0), 'time')}"
            for seat, _ in absent.most_common()
        ]
        yield Plot(
            "voids",
            "Voided draws",
            f"{format_count(len(of.voids), 'draw')} voided. Missing: {join(said)}."
            + "".join(_describe_bias(bias, names) for bias in of.biases),
            ("version", "draw", "seat", "missing", "would have been", "drawn again at"),
            tuple(_void_row(void, names) for void in of.voids),
        )


def _describe_bias(bias: VoidBias, names: Names) -> str:
    missed = f"the draws that {names.seat(bias.seat)} missed"
    whose = "all these draws" if bias.seat == HOUSE else missed
    return (
        f" The values that {whose} would have had are on average {bias.mean:.0%} of the way from"
        f" the lowest to the highest (chance: 50%, p = {bias.p:.2g})."
    )


def _void_row(void: VoidedDraw, names: Names) -> Row:
    missing = ", ".join(names.seat(seat) for seat in void.missing)
    result = ""
    if void.result is not UNSET:
        values = ", ".join(f"d{each.sides} shows {each.value}" for each in void.result.values)
        result = " ".join((f"{values}.", *(names.fill(line) for line in void.result.texts)))
    again = "" if void.again is UNSET else void.again
    return void.version, void.draw, names.seat(void.seat), missing, result, again
