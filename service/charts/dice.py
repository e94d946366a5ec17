"""Charts for dice and cards: luck, faces, streaks, results and boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import UNSET

from projections.statistics_model import (
    DECLARED,
    DRAWN,
    ActionStatistics,
    Faces,
    Luck,
    ObservedCount,
    OutcomeCounts,
    SessionReport,
)
from service.charts.labels import Names, describe_test, format_p, join, natural_key, slug
from service.charts.plot import (
    Bar,
    Bars,
    Group,
    Key,
    Lines,
    Panel,
    Plot,
    Row,
    fit_groups,
    select_series,
    ticks,
)
from service.platform.text import format_count

CHANCE = (("chance", "expected"), ("interval", "in 95 of 100 sessions with fair dice"))
FACES_KEY = (("seen", "seen"), *CHANCE)
SETTLED = ("second", "settled")
LUCK_KEY = (
    ("seen-line", "luck"),
    ("band", "in 95 of 100 sessions with fair dice"),
    ("bound", "in 99 of 100"),
)
BAND, BOUND = 1.96, 2.58
"""Of 100 sessions with fair dice, 95 (BAND) or 99 (BOUND) have a z-score within ± this value."""
MAX_VALUES, RANGES = 24, 10
"""If there are more than MAX_VALUES numbers, they are grouped into at most RANGES ranges."""


def luck(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a chart of the seats' luck after each draw, and one of the entities' luck.

    Luck is measured as a z-score.
    """
    for group, column, label in (
        ("seats", "seat", names.seat),
        ("entities", "entity", names.entity),
    ):
        found = {label(each): of for each, of in report.luck.get(group, {}).items() if of.draws}
        if found:
            yield _luck("luck" if group == "seats" else "luck-entities", column, found, report)


def _luck(name: str, column: str, found: Mapping[str, Luck], report: SessionReport) -> Plot:
    last, group = report.last, "seats" if column == "seat" else "entities"
    selection = select_series({who: of.series or ((last, of.z),) for who, of in found.items()})
    reach = max(3.0, *(abs(z) for points in selection.drawn.values() for _, z in points))
    # An entity's draws are also its seat's draws, so only seats are tested.
    said = [
        f"{who}: z {found[who].z:+.1f} after {format_count(found[who].draws, 'draw')}"
        + ("" if found[who].test is UNSET else f", {describe_test(found[who].test)}")
        for who in (*selection.drawn, *selection.others)
    ]
    return Plot(
        name,
        f"Luck of the {group}",
        f"Luck as a z-score: 0 is expected, higher is luckier. With fair dice, 95 of 100 "
        f"sessions end within ±{BAND}. {join(said)}. {selection.sentence}".strip(),
        (column, "after version", "z"),
        tuple(selection.rows()),
        Lines(
            [Panel(who, f"z {found[who].z:+.1f}", line) for who, line in selection.drawn.items()],
            (report.first, last),
            ticks(reach, -reach, limit=3),
            "z, by version",
            LUCK_KEY,
            (-BAND, BAND),
            (-BOUND, BOUND),
            more=selection.more,
        ),
    )


def faces(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per die or deck, showing how often each value was drawn.

    If several seats used the die or deck, yield a second chart, grouped by seat.
    """
    for dice, sources in report.faces.items():
        apart = (dice,) if dice == DECLARED else ()
        for source, found in sources.items():
            if not found.values:
                continue
            name, title = slug("faces", source, *apart), f"{source}: seen and expected"
            title += ", declared dice" if dice == DECLARED else ""
            yield _faces(name, title, source, found)
            if len(found.seats) > 1:
                name = slug("faces", source, *apart, "seats")
                yield _faces_by_seat(name, f"{title}, by seat", found, names)


def _faces(name: str, title: str, source: str, found: Faces) -> Plot:
    values = _sorted(found.values)
    bars, more = fit_groups([Group("", _value_bars(values))])
    return Plot(
        name,
        title,
        f"{source}, {format_count(found.draws, 'draw')}. {_describe_farthest(values)} "
        f"Test of all values together: {describe_test(found.test)}. {more}".strip(),
        ("value", "seen", "expected", "low", "high"),
        tuple(_rows(values)),
        Bars(bars, FACES_KEY, more),
    )


def _faces_by_seat(name: str, title: str, found: Faces, names: Names) -> Plot:
    seats = sorted(found.seats.items(), key=lambda each: -each[1].draws)
    labelled = [(names.seat(seat), each, _sorted(each.values)) for seat, each in seats]
    groups, more = fit_groups([Group(seat, _value_bars(values)) for seat, _, values in labelled])
    said = [
        f"{seat}, {format_count(each.draws, 'draw')}: {describe_test(each.test)}"
        for seat, each, _ in labelled
    ]
    return Plot(
        name,
        title,
        f"{join(said)}. {more}".strip(),
        ("seat", "value", "seen", "expected", "low", "high"),
        tuple((seat, *row) for seat, _, values in labelled for row in _rows(values)),
        Bars(groups, FACES_KEY, more),
    )


def _sorted(values: Mapping[str, ObservedCount]) -> dict[str, ObservedCount]:
    return {value: values[value] for value in sorted(values, key=natural_key)}


def _rows(values: Mapping[str, ObservedCount]) -> list[Row]:
    return [(value, of.seen, of.expected, of.low, of.high) for value, of in values.items()]


def _describe_farthest(values: Mapping[str, ObservedCount]) -> str:
    value, of = max(values.items(), key=lambda each: abs(each[1].seen - each[1].expected))
    outside = sum(not each.low <= each.seen <= each.high for each in values.values())
    return (
        f"The value whose count differs most from the expected count is {value}: seen "
        f"{format_count(of.seen, 'time')} ({of.expected:.1f} expected). In 95 of 100 "
        f"sessions with fair dice, it is seen {of.low} to {of.high} times. "
        f"Values outside their ranges: {outside} of {len(values)}."
    )


def _value_bars(values: Mapping[str, ObservedCount]) -> tuple[Bar, ...]:
    """Return one bar per value.

    If there are more than MAX_VALUES values and all are numbers, return one bar per range.
    """
    if len(values) <= MAX_VALUES or not all(value.isdecimal() for value in values):
        return tuple(_bar(value, of) for value, of in values.items())
    numbers = {int(value): of for value, of in values.items()}
    low, high = min(numbers), max(numbers)
    width = -(-(high - low + 1) // RANGES)
    bars = []
    for start in range(low, high + 1, width):
        end = min(start + width - 1, high)
        within = [of for number, of in numbers.items() if start <= number <= end]
        seen, expected = sum(of.seen for of in within), sum(of.expected for of in within)
        # Intervals of single values cannot be added, so a range has none.
        bars.append(Bar(f"{start} to {end}", seen, f"{seen} ({expected:.1f})", chance=expected))
    return tuple(bars)


def _bar(label: str, of: ObservedCount, second: float | None = None) -> Bar:
    note = f"{of.seen} ({of.expected:.1f})"
    return Bar(label, of.seen, note, second, of.expected, of.low, of.high)


def streaks(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of each seat's longest lucky and longest unlucky streaks."""
    rows = [
        (names.seat(seat), way, streak.length, streak.first, streak.last, streak.p)
        for seat, each in report.streaks.get("seats", {}).items()
        for way, streak in each.items()
    ]
    if rows:
        seat, way, length, first, last, p = max(rows, key=lambda row: row[2])
        yield Plot(
            "streaks",
            "Longest streaks",
            f"The longest streak is {seat}'s: {format_count(length, f'{way} draw')} in a row, "
            f"versions {first} to {last}. "
            f"The probability of such a streak by chance: {format_p(p)}.",
            ("seat", "streak", "draws", "from version", "to version", "p"),
            tuple(rows),
        )


def results(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per kind of action, comparing each seat's outcomes with chance."""
    seats = report.results.get("seats", {})
    for use in dict.fromkeys(use for uses in seats.values() for use in uses):
        found = {names.seat(seat): uses[use] for seat, uses in seats.items() if use in uses}
        yield _results(use, found, names)


def _results(use: str, seats: Mapping[str, ActionStatistics], names: Names) -> Plot:
    # Show declared dice only if no dice were drawn.
    dice = next(
        (dice for dice in (DRAWN, DECLARED) if any(_draws(each, dice) for each in seats.values())),
        "",
    )
    label = str if dice else names.entity  # without dice, the outcome is the winner
    ordered = sorted(seats.items(), key=lambda each: -_draws(each[1], dice))
    is_altered = bool(dice) and any(
        of.settled not in (0, _seen(of, dice).seen)
        for each in seats.values()
        for of in each.outcomes.values()
    )
    groups, more = fit_groups(
        [
            Group(
                seat,
                tuple(
                    _outcome_bar(label(name), of, dice, is_altered)
                    for name, of in each.outcomes.items()
                ),
            )
            for seat, each in ordered
        ]
    )
    key: Key = (("seen", "declared" if dice == DECLARED else "rolled"), *CHANCE)
    if is_altered:
        key = (*key, SETTLED)
    said = [f"{seat}: {_describe_use(each, dice, label)}" for seat, each in ordered]
    return Plot(
        slug("results", use),
        f"Results: {use}",
        f"{join(said)}. {more}".strip(),
        (
            "seat",
            "outcome",
            "settled",
            "rolled",
            "expected",
            "low",
            "high",
            "declared",
            "declared expected",
            "declared low",
            "declared high",
        ),
        tuple(
            (seat, label(name), of.settled, *_cells(of.drawn), *_cells(of.declared))
            for seat, each in ordered
            for name, of in each.outcomes.items()
        ),
        Bars(groups, key if dice else (("seen", "settled"),), more),
    )


def _seen(of: OutcomeCounts, dice: str) -> ObservedCount:
    return of.declared if dice == DECLARED else of.drawn


def _draws(use: ActionStatistics, dice: str) -> int:
    return sum(_seen(of, dice).seen for of in use.outcomes.values())


def _cells(of: ObservedCount) -> tuple[int, float, int, int]:
    return of.seen, of.expected, of.low, of.high


def _outcome_bar(name: str, of: OutcomeCounts, dice: str, is_altered: bool) -> Bar:
    if not dice:
        return Bar(name, of.settled, str(of.settled))
    return _bar(name, _seen(of, dice), of.settled if is_altered else None)


def _describe_use(use: ActionStatistics, dice: str, label: Callable[[str], str]) -> str:
    outcomes = list(use.outcomes.items())[:6]
    if not dice:
        return ", ".join(f"{label(name)} {of.settled}\u00d7" for name, of in outcomes)
    seen = ((name, _seen(of, dice)) for name, of in outcomes)
    return ", ".join(f"{name} {of.seen}\u00d7 (expected: {of.expected:.1f})" for name, of in seen)


def changed(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of results that were changed after the roll."""
    times = Counter[tuple[str, str, str]]()
    for uses in report.results.get("seats", {}).values():
        for use, of in uses.items():
            for rolled, ends in of.changed.items():
                for settled, number in ends.items():
                    if settled != rolled:
                        times[use, rolled, settled] += number
    ordered = times.most_common()
    if ordered:
        kinds = dict.fromkeys(use for (use, _, _), _ in ordered)
        (use, rolled, settled), most = ordered[0]
        yield Plot(
            "changed",
            "Altered results",
            f"{format_count(times.total(), 'result')} changed after the roll, "
            f"most often from {rolled} to {settled} ({use}): {format_count(most, 'time')}.",
            ("use", "rolled", "settled", "times"),
            tuple((*key, number) for use in kinds for key, number in ordered if key[0] == use),
        )


def boards(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per board, comparing rolled and settled results."""
    for name, board in report.boards.items():
        if any(board.rolled) or any(board.settled):
            points = list(
                zip(board.points, board.rolled, board.expected, board.settled, strict=True)
            )
            yield _board(name, points)


def _board(name: str, points: Sequence[tuple[str, int, float, int]]) -> Plot:
    said = [
        f"{point}: rolled {rolled} ({expected:.1f} expected), settled {settled}"
        for point, rolled, expected, settled in points
    ]
    groups, more = fit_groups(
        [
            Group(
                "",
                tuple(
                    Bar(point, rolled, f"{rolled} ({expected:.1f})", settled, expected)
                    for point, rolled, expected, settled in points
                ),
            )
        ]
    )
    return Plot(
        slug("ring", name),
        f"Rolled and settled results: {name}",
        f"Clockwise from the start: {join(said, 12)}. {more}".strip(),
        ("nth", "point", "rolled", "expected", "settled"),
        tuple((nth, *point) for nth, point in enumerate(points, 1)),
        Bars(groups, (("seen", "rolled"), CHANCE[0], SETTLED), more),
    )
