"""How the evening went: grades, draws that were given up, tempo and spotlight, streaks, rewinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET
from rich.console import RenderableType
from rich.text import Text

from domain.session.telling import fill
from projections.figures import Draw, Figures, Redrawn, Shadow, Streak, Void
from service.charts.drawing import (
    QUIET,
    Names,
    curve,
    first,
    grid,
    more,
    part,
    section,
    share,
    word,
)
from service.words import counted

MOST_VOIDS, MOST_SEATS, MOST_STREAKS, MOST_REDRAWN = 5, 12, 4, 5
SHORTEST = 3  # draws in a row that are worth a line


def draws(figures: Figures, known: Mapping[str, str]) -> Iterator[RenderableType]:
    """How far the draws can be trusted, and what became of those that were given up."""
    found = figures.draws
    if not found.grades and not found.voids:
        return
    said = ", ".join(f"{number:,} {grade}" for grade, number in found.grades.items() if number)
    lines = [word(f"grades: {said or 'none'}")]
    if found.voids:
        missing = ", ".join(f"{seat} {times:,}" for seat, times in found.missing.items())
        lines.append(word(f"given up: {len(found.voids):,}; no answer from {missing}"))
    lines += [_void(void, known) for void in first(found.voids, MOST_VOIDS)]
    yield section("Draws by grade", *lines, *more(len(found.voids), MOST_VOIDS))


def _void(void: Void, known: Mapping[str, str]) -> Text:
    again = "not asked again" if void.again is UNSET else f"asked again at version {void.again}"
    shadow = "" if void.shadow is UNSET else f", it would have been {_shadow(void.shadow, known)}"
    return word(f"  version {void.version}, draw {void.k} of {void.seat}: void{shadow}; {again}")


def _shadow(shadow: Shadow, known: Mapping[str, str]) -> str:
    values = " ".join(f"d{sides} {value}" for sides, value in shadow.values)
    told = " ".join(fill(line, known) for line in shadow.told)
    return f"{values} ({told})" if told else values


def tempo(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """Whose turns there were, and what the table waited for."""
    found = figures.tempo
    if not found.turns:
        return
    table = grid("seat", "share of turns", "turns", "share", "minutes waited for")
    table.columns[1].justify = "left"
    seats = sorted(found.seats.items(), key=lambda named: -named[1].turns)
    for seat, pace in first(seats, MOST_SEATS):
        row = (f"{pace.turns:,}", f"{100 * pace.share:.0f}%", f"{pace.minutes:.0f}")
        table.add_row(names.seat(seat), part(pace.share), *row)
    middle = f"the middle one took {found.minutes_per_turn:.1f}"
    pace_of_all = f"{counted(found.turns, 'turn')} in {found.minutes:.0f} minutes, {middle}"
    gaps = curve([minutes for _, minutes in found.gaps])
    yield section(
        "Tempo and spotlight",
        Text.assemble(pace_of_all, (f"; one by one {gaps}" if gaps else "", QUIET)),
        table,
        *more(len(seats), MOST_SEATS),
    )


def streaks(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """The most draws in a row on one side of chance."""
    listed = [
        (seat, kind, found)
        for seat, of in figures.streaks.get("seats", {}).items()
        for kind, found in of.items()
    ]
    kept = sorted(
        (each for each in listed if each[2].length >= SHORTEST), key=lambda each: -each[2].length
    )
    if kept:
        lines = [
            Text.assemble(names.seat(seat), _streak(kind, found))
            for seat, kind, found in kept[:MOST_STREAKS]
        ]
        yield section("Longest streaks", *lines, *more(len(kept), MOST_STREAKS))


def _streak(kind: str, found: Streak) -> str:
    where = f"versions {found.first} to {found.last}"
    return f": {found.length} {word(kind)} draws in a row, {where} (by chance so many: {share(found.p)})"


def rewinds(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """What was undone, and each undone draw beside the same seat's next of its kind."""
    found = figures.rewinds
    if not found.count:
        return
    behind = "{} left {} and {} behind".format(
        counted(found.count, "rewind"),
        counted(found.turns, "turn"),
        counted(len(found.draws), "draw"),
    )
    lines = [Text.assemble(*_redrawn(each, names)) for each in found.draws[:MOST_REDRAWN]]
    yield section(
        "Rewinds", Text(behind + _gain(found.draws)), *lines, *more(len(found.draws), MOST_REDRAWN)
    )


def _gain(draws: Sequence[Redrawn]) -> str:
    """What making them again came to."""
    both = [
        (each.luck, each.next_luck)
        for each in draws
        if each.luck is not UNSET and each.next_luck is not UNSET
    ]
    if not both:
        return ""
    before, after = (sum(lucks) / len(both) for lucks in zip(*both, strict=True))
    return f"; of those made again the luck was {share(before)} on average, then {share(after)}"


def _redrawn(each: Redrawn, names: Names) -> tuple[Text | str, ...]:
    after = "not made again" if each.next is UNSET else f"then {_draw(each.next)}"
    luck = (
        ""
        if each.luck is UNSET or each.next_luck is UNSET
        else f"; luck {share(each.luck)} → {share(each.next_luck)}"
    )
    return (
        "  ",
        names.seat(each.seat),
        word(f" {each.use} {each.source}: {_draw(each.draw)}, {after}{luck}"),
    )


def _draw(draw: Draw) -> str:
    came = "" if draw.outcome is UNSET or draw.outcome == draw.value else f" ({draw.outcome})"
    return f"{draw.value}{came} at {draw.version}"
