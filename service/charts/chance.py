"""Whether it was chance: the verdict, each seat's luck, and every die and deck against its chances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import UNSET, UnsetType
from rich.console import RenderableType
from rich.text import Text

from projections.figures import DECLARED, DRAWN, Faces, Figures, Finding, Luck, Seen, Test, Verdict
from service.charts.drawing import (
    ENOUGH,
    QUIET,
    Names,
    against,
    around,
    first,
    grid,
    more,
    section,
    share,
    word,
)
from service.words import counted

SAID: dict[Verdict, str] = {
    "fair": "within chance",
    "lucky": "luckier",
    "unlucky": "unluckier",
    "uneven": "uneven",
    "few": "too few to say",
}
BEYOND = "beyond chance"
TOGETHER: dict[Verdict, str] = {
    "fair": "nothing beyond chance",
    "few": "too few draws to say",
    "lucky": BEYOND,
    "unlucky": BEYOND,
    "uneven": BEYOND,
}
STYLE: dict[Verdict, str] = {
    "fair": "green",
    "few": QUIET,
    "lucky": "yellow",
    "unlucky": "yellow",
    "uneven": "red",
}
MANY, BANDS = 20, 10  # values that are still a row each; else about so many bands of them
MOST_FINDINGS, MOST_SEATS, MOST_ENTITIES, MOST_OTHERS = 5, 12, 6, 8


def verdict(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """In words, first of all."""
    tests = figures.tests
    yield Text.assemble(
        (f"Verdict: {TOGETHER[tests.verdict]}. ", f"bold {STYLE[tests.verdict]}"), word(tests.says)
    )
    yield from (_finding(found, names) for found in tests.found[:MOST_FINDINGS])
    yield from more(len(tests.found), MOST_FINDINGS)


def _finding(found: Finding, names: Names) -> Text:
    """Whose it is, of what, and what was found."""
    of = [Text("luck")] if found.source is UNSET else [word(found.source)]
    of += [] if found.seat is UNSET else [Text("of"), names.seat(found.seat)]
    return Text.assemble(
        "  ", Text(" ").join(of), ": ", word(found.says), (f" (p {share(found.p)})", QUIET)
    )


def luck(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """Each seat's z: every draw's luck added up, so that games, dice and decks compare."""
    seats = figures.luck.get("seats", {})
    if not seats:
        return
    table = grid("seat", "", "z", "p", "draws", "that is")
    table.columns[-1].justify = "left"
    for seat, found in first(_by_draws(seats), MOST_SEATS):
        p, said = _judged(found.test)
        table.add_row(
            names.seat(seat), around(found.z), f"{found.z:+.2f}", p, f"{found.draws:,}", said
        )
    yield section(
        "Luck by seat",
        Text("left unlucky, right lucky; dots where 95 of 100 honest seats end", QUIET),
        table,
        *more(len(seats), MOST_SEATS),
        *_entities(figures.luck.get("entities", {}), names),
    )


def _entities(entities: Mapping[str, Luck], names: Names) -> Iterator[RenderableType]:
    """In one line."""
    shown = [
        Text.assemble(names.entity(entity), f" {found.z:+.2f}")
        for entity, found in _by_draws(entities)
        if found.draws
    ]
    if shown:
        yield Text.assemble(
            ("z of those they play: ", QUIET), Text(", ").join(shown[:MOST_ENTITIES])
        )
        yield from more(len(shown), MOST_ENTITIES)


def _by_draws(lucks: Mapping[str, Luck]) -> list[tuple[str, Luck]]:
    return sorted(lucks.items(), key=lambda named: -named[1].draws)


def _judged(test: Test | UnsetType) -> tuple[str, Text]:
    if test is UNSET:
        return "", Text("")
    return _p(test), Text(SAID[test.verdict], STYLE[test.verdict])


def _p(test: Test) -> str:
    """Empty where there were too few draws for one."""
    return "" if test.verdict == "few" else share(test.p)


def faces(figures: Figures, most: int) -> Iterator[RenderableType]:
    """The most drawn dice and decks as bars, with any that was called out; the rest in a line each."""
    listed = [
        (dice, source, found)
        for dice in (DRAWN, DECLARED)
        for source, found in figures.faces.get(dice, {}).items()
    ]
    ranked = sorted(
        listed, key=lambda each: (not _called_out(each[2]), each[0] == DECLARED, -each[2].draws)
    )
    drawn = [each for each in ranked if each[2].draws >= ENOUGH][:most] or ranked[:1]
    for nth, (dice, source, found) in enumerate(drawn):
        yield section(_heading(dice, source, found), *_legend(nth), _bars(found.values))
    if rest := [each for each in ranked if each not in drawn]:
        lines = [Text(_heading(*each)) for each in rest[:MOST_OTHERS]]
        yield section("Other dice and decks", *lines, *more(len(rest), MOST_OTHERS))


def _called_out(found: Faces) -> bool:
    return any(
        each.test is not UNSET and each.test.verdict == "uneven"
        for each in (found, *found.seats.values())
    )


def _heading(dice: str, source: str, found: Faces) -> str:
    said = f"{word(source)}, {dice}: {counted(found.draws, 'draw')}"
    if found.test is not UNSET:
        said += f", {SAID[found.test.verdict]}"
        said += f" (p {_p(found.test)})" if _p(found.test) else ""
    return said


def _legend(nth: int) -> list[Text]:
    return [] if nth else [Text("█ seen, │ expected, ░ where 95 of 100 honest tables lie", QUIET)]


def _bars(values: Mapping[str, Seen]) -> RenderableType:
    rows = values if len(values) <= MANY else _in_bands(values)
    most = max((max(each.seen, each.expected, each.high) for each in rows.values()), default=0)
    table = grid("", "", "seen", "expected", "95 of 100")
    table.columns[0].header = "values" if rows is not values else "value"
    for value, each in rows.items():
        between = f"{each.low:,} to {each.high:,}" if rows is values else ""
        table.add_row(
            word(value, "bold"),
            against(each, most),
            f"{each.seen:,}",
            f"{each.expected:.1f}",
            between,
        )
    return table


def _in_bands(values: Mapping[str, Seen]) -> dict[str, Seen]:
    """Numbers by bands of the same width, without intervals; other values the most expected ones."""
    try:
        numbers = {int(value): each for value, each in values.items()}
    except ValueError:
        return dict(sorted(values.items(), key=lambda named: -named[1].expected)[:MANY])
    low, high = min(numbers), max(numbers)
    width = -(-(high - low + 1) // BANDS)
    bands: dict[str, Seen] = {}
    for begin in range(low, high + 1, width):
        end = min(begin + width - 1, high)
        within = [each for number, each in numbers.items() if begin <= number <= end]
        seen, expected = sum(each.seen for each in within), sum(each.expected for each in within)
        bands[f"{begin} to {end}" if end > begin else str(begin)] = Seen(seen, expected, 0, -1)
    return bands
