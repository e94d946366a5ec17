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
from service.charts.labels import (
    TESTS,
    Names,
    apart,
    describe_test,
    describe_tests,
    format_p,
    join,
    natural_key,
    slug,
    titled,
)
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
    ("seen", "of 100 sessions, how many have less luck"),
    ("chance", "average"),
    ("interval", "half of all sessions"),
)
COURSE_KEY = (
    ("seen-line", "luck"),
    ("band", "in 95 of 100 sessions with fair dice"),
    ("bound", "in 99 of 100"),
)
BAND, BOUND = 1.96, 2.58
"""Of 100 sessions with fair dice, 95 (BAND) or 99 (BOUND) have a z-score within ± this value."""
MIN_DRAWS, MIN_ENTITY_DRAWS = 5, 10
"""The smallest number of draws that has a chart, and that has a chart of an entity's luck."""
ORIGINS = (DRAWN, DECLARED)


def luck(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a chart of the seats' percentiles for each origin, luckiest seat first."""
    for origin in ORIGINS:
        found = sorted(
            (
                (luck.percentile, names.seat(seat), luck)
                for seat, luck in _lucks(report, origin, "seats", MIN_DRAWS).items()
                if luck.percentile is not UNSET
            ),
            key=lambda each: (-each[0], -each[2].z),
        )
        if found:
            yield _luck(origin, [(round(100 * share, 1), who, each) for share, who, each in found])


def _lucks(report: SessionReport, origin: str, group: str, least: int) -> dict[str, Luck]:
    found = report.luck.get(origin, {}).get(group, {})
    return {key: of for key, of in found.items() if of.draws >= least}


def _luck(origin: str, found: Sequence[tuple[float, str, Luck]]) -> Plot:
    groups, more = fit_groups(
        [
            Group(
                "",
                tuple(Bar(who, at, f"{int(at)} of 100", None, 50, 25, 75) for at, who, _ in found),
            )
        ]
    )
    said = [f"{who}: {of.text or f'{int(at)} of 100'}" for at, who, of in found]
    return Plot(
        slug("luck", *apart(origin)),
        titled("Luck of the seats", origin),
        f"{join(said)}. A bar shows how many of 100 sessions with fair dice and the same rolls "
        f"end with less luck: 50 is average. {more}".strip(),
        ("seat", "percentile", "rolls", "undone rolls", "successes", "of", "expected"),
        tuple((who, at, of.draws, of.undone, *_success_cells(of)) for at, who, of in found),
        Bars(groups, LUCK_KEY, more, 100),
    )


def _success_cells(luck: Luck) -> Row:
    of = luck.successes
    return ("", "", "") if of is UNSET else (of.seen, of.of, of.expected)


def luck_course(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a chart of the seats' luck after each roll, and one of the entities' luck.

    Luck is measured as a z-score. Each origin has charts of its own.
    """
    for origin in ORIGINS:
        for group, column, label, least in (
            ("seats", "seat", names.seat, MIN_DRAWS),
            ("entities", "entity", names.entity, MIN_ENTITY_DRAWS),
        ):
            lucks = _lucks(report, origin, group, least)
            if lucks:
                found = {label(each): of for each, of in lucks.items()}
                yield _luck_course(origin, column, found, report)


def _luck_course(
    origin: str, column: str, found: Mapping[str, Luck], report: SessionReport
) -> Plot:
    of_seats = column == "seat"
    selection = select_series(
        {who: of.series or ((report.last, of.z),) for who, of in found.items()}
    )
    reach = max(3.0, *(abs(z) for points in selection.drawn.values() for _, z in points))
    # An entity's rolls are also its seat's rolls, so only seats are tested.
    said = [
        f"{who}: z {found[who].z:+.1f} after {format_count(found[who].draws, 'roll')}"
        + (f", {describe_tests(found[who].tests)}" if found[who].tests else "")
        for who in (*selection.drawn, *selection.others)
    ]
    return Plot(
        slug("luck", "course" if of_seats else "entities", *apart(origin)),
        titled(f"Luck of the {'seats' if of_seats else 'entities'} over time", origin),
        f"Luck as a z-score: 0 is expected, higher is luckier. With fair dice, 95 of 100 "
        f"sessions end within ±{BAND}. {join(said)}. {selection.sentence}".strip(),
        (column, "after version", "z"),
        tuple(selection.rows()),
        Lines(
            [Panel(who, f"z {found[who].z:+.1f}", line) for who, line in selection.drawn.items()],
            (report.first, report.last),
            ticks(reach, -reach, limit=3),
            "z, by version",
            COURSE_KEY,
            (-BAND, BAND),
            (-BOUND, BOUND),
            more=selection.more,
        ),
    )


def faces(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per die or deck, showing how often each value was drawn.

    If several seats used the die or deck, yield a second chart, grouped by seat.
    """
    for origin, sources in report.faces.items():
        for source, found in sources.items():
            if not found.values or found.draws < MIN_DRAWS:
                continue
            title = titled(f"{source}: seen and expected", origin)
            yield _faces(slug("faces", source, *apart(origin)), title, source, found)
            seats = {seat: of for seat, of in found.seats.items() if of.draws >= MIN_DRAWS}
            if len(seats) > 1:
                name = slug("faces", source, *apart(origin), "seats")
                yield _faces_by_seat(name, f"{title}, by seat", seats, names)


def _faces(name: str, title: str, source: str, found: Faces) -> Plot:
    values = _sorted(found.values)
    bars, more = fit_groups([Group("", _value_bars(values))])
    return Plot(
        name,
        title,
        f"{source}, {format_count(found.draws, 'draw')}. {_describe_farthest(values)} "
        f"{_describe_face_tests(found)}{more}".strip(),
        ("value", "seen", "expected", "low", "high"),
        tuple(_rows(values)),
        Bars(bars, FACES_KEY, more),
    )


def _describe_face_tests(found: Faces) -> str:
    return "".join(
        f"Test of {TESTS[name]}: {describe_test(test)}. " for name, test in found.tests.items()
    )


def _faces_by_seat(name: str, title: str, found: Mapping[str, Faces], names: Names) -> Plot:
    seats = sorted(found.items(), key=lambda each: -each[1].draws)
    labelled = [(names.seat(seat), each, _sorted(each.values)) for seat, each in seats]
    groups, more = fit_groups([Group(seat, _value_bars(values)) for seat, _, values in labelled])
    said = [
        f"{seat}, {format_count(each.draws, 'draw')}"
        + (f": {describe_tests(each.tests)}" if each.tests else "")
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
    return tuple(_bar(value, of) for value, of in values.items())


def _bar(label: str, of: ObservedCount, second: float | None = None) -> Bar:
    note = f"{of.seen} ({of.expected:.1f})"
    return Bar(label, of.seen, note, second, of.expected, of.low, of.high)


def streaks(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield a table of each seat's longest lucky and longest unlucky streaks, for each origin."""
    for origin in ORIGINS:
        known = _lucks(report, origin, "seats", MIN_DRAWS)
        rows = [
            (
                names.seat(seat),
                way,
                streak.length,
                streak.first,
                streak.last,
                "" if streak.p is UNSET else streak.p,
            )
            for seat, each in report.streaks.get(origin, {}).get("seats", {}).items()
            if seat in known
            for way, streak in each.items()
        ]
        if rows:
            yield _streaks(origin, rows)


def _streaks(origin: str, rows: Sequence[tuple[str, str, int, int, int, float | str]]) -> Plot:
    seat, way, length, first, last, p = max(rows, key=lambda row: row[2])
    chance = (
        f" The probability of such a streak by chance: {format_p(p)}."
        if isinstance(p, float)
        else ""
    )
    return Plot(
        slug("streaks", *apart(origin)),
        titled("Longest streaks", origin),
        f"The longest streak is {seat}'s: {format_count(length, f'{way} roll')} in a row, "
        f"versions {first} to {last}.{chance}",
        ("seat", "streak", "rolls", "from version", "to version", "p"),
        tuple(rows),
    )


def results(report: SessionReport, names: Names) -> Iterator[Plot]:
    """Yield one chart per kind of action, comparing each seat's outcomes with chance."""
    seats = report.results.get("seats", {})
    for use in dict.fromkeys(use for uses in seats.values() for use in uses):
        found = {names.seat(seat): uses[use] for seat, uses in seats.items() if use in uses}
        # Show declared dice only if no dice were drawn.
        dice = next((dice for dice in ORIGINS if _total(found, dice)), "")
        if _total(found, dice) >= MIN_DRAWS:
            yield _results(use, dice, found, names)


def _total(seats: Mapping[str, ActionStatistics], dice: str) -> int:
    """Return the number of draws, or the number of actions if `dice` is ""."""
    if dice:
        return sum(_draws(each, dice) for each in seats.values())
    return sum(of.settled for each in seats.values() for of in each.outcomes.values())


def _results(use: str, dice: str, seats: Mapping[str, ActionStatistics], names: Names) -> Plot:
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
        if max(sum(board.rolled), sum(board.settled)) >= MIN_DRAWS:
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
