"""Plots of the dice and cards as they fell: faces against chance, luck, streaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET

from projections.figures import DECLARED, Faces, Figures, Luck, Seen
from service.plots import bars, columns, lines, panels
from service.plots.naming import Names, chance, listed, natural, slug, tested
from service.plots.plot import Plot, Row
from service.plots.scale import shown, ticks
from service.plots.svg import short
from service.words import counted

AGAINST = (("seen", "seen"), ("chance", "chance gives"), ("interval", "95 of 100 honest tables"))
ON_COLUMNS = (
    ("seen", "seen"),
    ("chance-line", "chance gives"),
    ("band", "95 of 100 honest tables"),
)
OF_LUCK = (("seen-line", "luck"), ("band", "95 of 100 honest tables"), ("bound", "99 of 100"))
BAND, BOUND = 1.96, 2.58
"""The z within which 95 and 99 of 100 honest tables are."""
LIES = 24
"""So many values lie below each other as bars; more of them stand as columns."""


def faces(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each die and deck, drawn and declared apart; and beside that each seat that used it."""
    for dice, sources in figures.faces.items():
        for source, found in sources.items():
            if found.values:
                title = f"{source}: seen against chance" + (
                    ", declared dice" if dice == DECLARED else ""
                )
                yield _faces(slug("faces", source, *_apart(dice)), title, source, found)
                if len(found.seats) > 1:
                    yield _by_seat(
                        slug("faces", source, *_apart(dice), "seats"),
                        f"{title}, by seat",
                        found,
                        names,
                    )


def luck(figures: Figures, names: Names) -> Iterator[Plot]:
    """z after each draw, of seats and of entities."""
    for group, name in (("seats", names.seat), ("entities", names.entity)):
        found = {name(each): of for each, of in figures.luck.get(group, {}).items() if of.draws}
        if found:
            yield _luck("luck" if group == "seats" else "luck-entities", group, found, figures)


def streaks(figures: Figures, names: Names) -> Iterator[Plot]:
    """The longest of each seat, above and below the middle of chance."""
    found = {
        names.seat(seat): each for seat, each in figures.streaks.get("seats", {}).items() if each
    }
    if not found:
        return
    rows = [
        (seat, way, streak.length, streak.first, streak.last, streak.p)
        for seat, each in found.items()
        for way, streak in each.items()
    ]
    groups, more = bars.fitted(
        [
            bars.Group(
                seat,
                tuple(
                    bars.Bar(way, each.length, f"p {chance(each.p)}") for way, each in of.items()
                ),
            )
            for seat, of in found.items()
        ]
    )
    longest = max(rows, key=lambda row: row[2])
    yield Plot(
        "streaks",
        "Longest streaks",
        f"The longest streak is {longest[0]}'s: {counted(longest[2], 'draw')} {longest[1]} in a row, versions "
        f"{longest[3]} to {longest[4]}; chance gives so many with p {chance(longest[5])}. {more}".strip(),
        ("seat", "streak", "draws", "from version", "to version", "p"),
        tuple(rows),
        bars.Bars(groups, (("seen", "draws in a row"),), more),
    )


def _apart(dice: str) -> tuple[str, ...]:
    return (dice,) if dice == DECLARED else ()


def _faces(name: str, title: str, source: str, found: Faces) -> Plot:
    values = {value: found.values[value] for value in sorted(found.values, key=natural)}
    said = f"{source}, {counted(found.draws, 'draw')}. {_off(values)} The test over all values: {tested(found.test)}."
    picture: bars.Bars | columns.Columns
    if len(values) <= LIES:
        picture = bars.Bars(
            [bars.Group("", tuple(_bar(value, seen) for value, seen in values.items()))], AGAINST
        )
    else:
        drawn, more = _columns({"": (values, "")})
        picture = columns.Columns(drawn, _heights(drawn), "times, by value", ON_COLUMNS, more=more)
    return Plot(
        name,
        title,
        said,
        ("value", "seen", "chance gives", "low", "high"),
        tuple(_rows(values)),
        picture,
    )


def _by_seat(name: str, title: str, found: Faces, names: Names) -> Plot:
    seats = dict(sorted(found.seats.items(), key=lambda each: -each[1].draws))
    order = sorted({value for seat in seats.values() for value in seat.values}, key=natural)
    nothing = Seen(0, 0.0, 0, 0)
    of_seats = {
        names.seat(seat): {value: each.values.get(value, nothing) for value in order}
        for seat, each in seats.items()
    }
    notes = [counted(each.draws, "draw") for each in seats.values()]
    drawn, more = _columns(
        {seat: (values, note) for (seat, values), note in zip(of_seats.items(), notes, strict=True)}
    )
    said = [
        f"{names.seat(seat)}, {counted(of.draws, 'draw')}: {tested(of.test)}"
        for seat, of in seats.items()
    ]
    return Plot(
        name,
        title,
        f"{listed(said)}. {more}".strip(),
        ("seat", "value", "seen", "chance gives", "low", "high"),
        tuple((seat, *row) for seat, values in of_seats.items() for row in _rows(values)),
        columns.Columns(drawn, _heights(drawn), "times, by value", ON_COLUMNS, more=more),
    )


def _off(values: Mapping[str, Seen]) -> str:
    """The value that is farthest from its chances, and how many are outside of their intervals."""
    value, of = max(values.items(), key=lambda each: abs(each[1].seen - each[1].expected))
    outside = sum(not each.low <= each.seen <= each.high for each in values.values())
    return (
        f"Farthest from chance is {value}: seen {counted(of.seen, 'time')} where chance gives {of.expected:.1f}, and "
        f"95 of 100 honest tables see {of.low} to {of.high}; outside of that: {outside} of {len(values)} values."
    )


def _rows(values: Mapping[str, Seen]) -> list[Row]:
    return [(value, of.seen, of.expected, of.low, of.high) for value, of in values.items()]


def _bar(label: str, of: Seen) -> bars.Bar:
    return bars.Bar(
        label, of.seen, f"{of.seen} ({of.expected:.1f})", None, of.expected, of.low, of.high
    )


def _columns(
    seats: Mapping[str, tuple[Mapping[str, Seen], str]],
) -> tuple[list[columns.Panel], str]:
    """A panel each, as many as there is room for."""
    values = max(len(of) for of, _ in seats.values())
    kept = max(1, min(panels.MOST, columns.MOST // values))
    shown = [
        columns.Panel(
            heading,
            note,
            [
                columns.Column(value, each.seen, each.expected, each.low, each.high)
                for value, each in list(of.items())[: columns.MOST]
            ],
        )
        for heading, (of, note) in list(seats.items())[:kept]
    ]
    left = len(seats) - kept
    return shown, f"{counted(left, 'more seat')} in the table only." if left > 0 else ""


def _heights(shown: list[columns.Panel]) -> list[tuple[float, str]]:
    reach = max(
        max(each.value, each.high, each.chance or 0) for panel in shown for each in panel.columns
    )
    return [(mark, short(mark)) for mark in ticks(reach, most=3)]


def _luck(name: str, group: str, found: Mapping[str, Luck], figures: Figures) -> Plot:
    series = shown(
        {who: of.series or ((figures.last, of.z),) for who, of in found.items()}, panels.MOST
    )
    reach = max(3.0, *(abs(z) for points in series.drawn.values() for _, z in points))
    said = [
        f"{who}: z {of.z:+.1f} after {counted(of.draws, 'draw')}{_tested(of)}"
        for who, of in ((who, found[who]) for who in (*series.drawn, *series.others))
    ]
    return Plot(
        name,
        f"Luck of {group}",
        f"Luck as z: 0 is as expected, above it lucky, and 95 of 100 honest tables end within ±{BAND}. {listed(said)}. "
        f"{series.said}".strip(),
        ("seat" if group == "seats" else "entity", "after version", "z"),
        tuple(series.rows()),
        lines.Lines(
            [
                lines.Panel(who, f"z {found[who].z:+.1f}", [lines.Line(points)])
                for who, points in series.drawn.items()
            ],
            (figures.first, figures.last),
            ticks(reach, -reach, most=3),
            "z, by version",
            OF_LUCK,
            (-BAND, BAND),
            (-BOUND, BOUND),
            more=series.more,
        ),
    )


def _tested(of: Luck) -> str:
    """Entities are not tested: their draws are their seats'."""
    return "" if of.test is UNSET else f", {tested(of.test)}"
