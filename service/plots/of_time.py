"""Plots of how the evening went: tempo, turns, spotlight, rewinds, grades of draws, voids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from projections.figures import Figures, Redrawn, Void
from service.plots import bars, columns, pairs, strips
from service.plots.naming import Names, listed
from service.plots.plot import Plot
from service.plots.scale import parts
from service.words import counted

SLOTS, MARKS = 120, 720
"""So many parts has a strip at most, and so many marks over all of its lanes."""
DAY, YEAR = 1440, 525_600
WAITS = (
    (0, "0"),
    (1, "1 m"),
    (5, "5 m"),
    (15, "15 m"),
    (30, "30 m"),
    (60, "1 h"),
    (120, "2 h"),
    (240, "4 h"),
    (480, "8 h"),
    (DAY, "1 d"),
    (7 * DAY, "7 d"),
    (30 * DAY, "30 d"),
    (YEAR, "1 y"),
    (100 * YEAR, "100 y"),
)
"""Minutes that a column is measured by, and their words."""


def tempo(figures: Figures, names: Names) -> Iterator[Plot]:
    """Minutes before each turn; of a long evening, the longest of each part of it."""
    gaps, of = figures.tempo.gaps, figures.tempo
    if not gaps:
        return
    slots = [
        (part[0][0], part[-1][0], len(part), max(wait for _, wait in part))
        for part in parts(gaps, SLOTS)
    ]
    at, longest = max(gaps, key=lambda gap: gap[1])
    each = (
        ""
        if len(slots) == len(gaps)
        else f" Each column is the longest of {len(gaps) / len(slots):.0f} or so."
    )
    enough = next(
        (nth for nth, (mark, _) in enumerate(WAITS) if mark >= max(1, longest)), len(WAITS) - 1
    )
    yield Plot(
        "tempo",
        "Tempo: minutes before each turn",
        f"{counted(of.turns, 'turn')} in {of.minutes:.0f} minutes, half of them within {of.minutes_per_turn:.1f} "
        f"minutes of the one before. The longest wait: {longest:.1f} minutes, before version {at}.{each}",
        ("from version", "to version", "turns", "longest wait in minutes"),
        tuple(slots),
        columns.Columns(
            [
                columns.Panel(
                    "", "", [columns.Column(str(first), wait) for first, _, _, wait in slots]
                )
            ],
            _spread(WAITS[: enough + 1]),
            "minutes (by their square roots), by version",
            root=True,
        ),
    )


def spotlight(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each seat's share of the turns."""
    seats = sorted(figures.tempo.seats.items(), key=lambda each: -each[1].turns)
    if not seats:
        return
    groups, more = bars.fitted(
        [
            bars.Group(
                "",
                tuple(
                    bars.Bar(names.seat(seat), of.turns, f"{of.share:.0%}, {of.minutes:.1f} min")
                    for seat, of in seats
                ),
            )
        ]
    )
    said = [
        f"{names.seat(seat)}: {counted(of.turns, 'turn')} ({of.share:.0%}), waited for {of.minutes:.1f} minutes"
        for seat, of in seats
    ]
    yield Plot(
        "spotlight",
        "Spotlight: turns of each seat",
        f"{listed(said)}. {more}".strip(),
        ("seat", "turns", "share", "minutes waited for"),
        tuple((names.seat(seat), of.turns, of.share, of.minutes) for seat, of in seats),
        bars.Bars(groups, (("seen", "turns"),), more),
    )


def turns(figures: Figures, names: Names) -> Iterator[Plot]:
    """Who acted when."""
    order = figures.tempo.order
    if not order:
        return
    seats = [seat for seat, _ in Counter(seat for _, seat in order).most_common()]
    drawn = seats[: strips.MOST]
    slots = parts(order, min(SLOTS, MARKS // len(drawn)))
    counts = [Counter(seat for _, seat in slot) for slot in slots]
    left = len(seats) - len(drawn)
    more = f"{counted(left, 'more seat')} in the table only." if left else ""
    total = Counter(seat for _, seat in order)
    most = max(number / count.total() for count in counts for number in count.values())
    lanes = [
        strips.Lane(names.seat(seat), f"{total[seat] / len(order):.0%}", _marks(seat, counts, most))
        for seat in drawn
    ]
    tall = f" in {len(slots)} parts: the taller a mark, the more of its part, up to {most:.0%}"
    yield Plot(
        "turns",
        "Who acted when",
        f"{counted(len(order), 'turn')} of {counted(len(seats), 'seat')}, from left to right"
        f"{'' if len(slots) == len(order) else tall}. "
        f"{listed([f'{names.seat(seat)} {number}' for seat, number in total.most_common()])}. {more}".strip(),
        ("from version", "to version", "seat", "turns"),
        tuple(
            (slot[0][0], slot[-1][0], names.seat(seat), number)
            for slot, count in zip(slots, counts, strict=True)
            for seat, number in count.items()
        ),
        strips.Strip(
            lanes,
            len(slots),
            (f"version {order[0][0]}", f"{order[-1][0]}"),
            more=more,
        ),
    )


def rewinds(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each draw that was rewound beside the same seat's next of its kind."""
    of = figures.rewinds
    if not of.draws:
        return
    with_luck = [each for each in of.draws if each.luck is not UNSET or each.next_luck is not UNSET]
    drawn = (with_luck or of.draws)[: pairs.MOST]
    left = len(of.draws) - len(drawn)
    more = f"{counted(left, 'more draw')} in the table only." if left else ""
    both = _both(of.draws)
    better = sum(after > before for before, after in both)
    yield Plot(
        "rewinds",
        "Rewinds: undone draws and the next ones",
        f"{counted(of.count, 'rewind')} took back {counted(of.turns, 'turn')} with {counted(len(of.draws), 'draw')}; "
        f"of {len(both)} that were drawn again {better} came better. {more}".strip(),
        (
            "rewind",
            "seat",
            "entity",
            "use",
            "die",
            "undone at",
            "undone",
            "luck",
            "again at",
            "again",
            "its luck",
        ),
        tuple(_row(each, names) for each in of.draws),
        pairs.Pairs(
            [_pair(each, names) for each in drawn],
            (("undone", "undone"), ("again", "drawn again")),
            more,
        ),
    )


def grades(figures: Figures, names: Names) -> Iterator[Plot]:
    """How far draws can be trusted, in all and by seat."""
    of = figures.draws
    if not any(of.grades.values()):
        return
    said = [f"{counted(of.grades[grade], 'draw')} of grade {grade}" for grade in sorted(of.grades)]
    groups = [("all", of.grades), *((names.seat(seat), each) for seat, each in of.seats.items())]
    shown, more = bars.fitted(
        [
            bars.Group(
                who, tuple(bars.Bar(grade, each[grade], str(each[grade])) for grade in sorted(each))
            )
            for who, each in groups
        ]
    )
    yield Plot(
        "grades",
        "Draws by grade",
        f"{listed(said)}. A: nobody could have known or chosen the values; D: as somebody said. {more}".strip(),
        ("seat", "grade", "draws"),
        tuple((who, grade, each[grade]) for who, each in groups for grade in sorted(each)),
        bars.Bars(shown, (("seen", "draws"),), more),
    )


def voids(figures: Figures, names: Names) -> Iterator[Plot]:
    """The draws that were given up, and who did not answer."""
    of = figures.draws
    if not of.voids:
        return
    absent = Counter(seat for void in of.voids for seat in void.missing or (void.seat,))
    seats = [seat for seat, _ in absent.most_common()]
    said = [f"{names.seat(seat)} {counted(of.missing.get(seat, 0), 'time')}" for seat in seats]
    slots = parts(of.voids, SLOTS)
    absences = [{seat for void in slot for seat in void.missing or (void.seat,)} for slot in slots]
    shown = seats[: strips.MOST]
    left = len(seats) - len(shown)
    more = f"{counted(left, 'more seat')} in the table only." if left else ""
    yield Plot(
        "voids",
        "Draws that were given up",
        f"{counted(len(of.voids), 'draw')} given up. Missing: {listed(said)}. {more}".strip(),
        ("version", "draw", "seat", "missing", "would have been", "drawn again at"),
        tuple(_void(void, names) for void in of.voids),
        strips.Strip(
            [
                strips.Lane(
                    names.seat(seat),
                    f"missing {of.missing.get(seat, 0)}",
                    [(nth, 1.0) for nth, slot in enumerate(absences) if seat in slot],
                )
                for seat in shown
            ],
            len(slots),
            (f"version {of.voids[0].version}", f"{of.voids[-1].version}"),
            more=more,
        ),
    )


def _spread(heights: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Those that do not touch the next one above, on a scale of square roots."""
    kept = [heights[-1]]
    for mark, words in reversed(heights[:-1]):
        if (kept[-1][0] ** 0.5 - mark**0.5) / heights[-1][0] ** 0.5 > 0.12:
            kept.append((mark, words))
    return [*([heights[0]] if kept[-1][0] else []), *reversed(kept)]


def _marks(seat: str, counts: Sequence[Counter[str]], most: float) -> list[tuple[int, float]]:
    return [
        (nth, count[seat] / count.total() / most) for nth, count in enumerate(counts) if count[seat]
    ]


def _both(draws: Sequence[Redrawn]) -> list[tuple[float, float]]:
    """The luck before and after, of those that have both."""
    lucks = [(each.luck, each.next_luck) for each in draws]
    return [
        (before, after) for before, after in lucks if before is not UNSET and after is not UNSET
    ]


def _row(each: Redrawn, names: Names) -> tuple[str | float | int, ...]:
    following = ("", "") if each.next is UNSET else (each.next.version, each.next.value)
    lucks = ["" if luck is UNSET else luck for luck in (each.luck, each.next_luck)]
    return (
        each.rewind,
        names.seat(each.seat),
        names.entity(each.entity),
        each.use,
        each.source,
        each.draw.version,
        each.draw.value,
        lucks[0],
        *following,
        lucks[1],
    )


def _pair(each: Redrawn, names: Names) -> pairs.Pair:
    after = "not drawn again" if each.next is UNSET else each.next.value
    before, following = (None if luck is UNSET else luck for luck in (each.luck, each.next_luck))
    return pairs.Pair(
        f"{each.draw.value} → {after}: {names.entity(each.entity)}, {each.use}", before, following
    )


def _void(void: Void, names: Names) -> tuple[str | float | int, ...]:
    missing = ", ".join(names.seat(seat) for seat in void.missing)
    again = "" if void.again is UNSET else void.again
    return void.version, void.k, names.seat(void.seat), missing, _shadow(void, names), again


def _shadow(void: Void, names: Names) -> str:
    if void.shadow is UNSET:
        return ""
    values = ", ".join(f"d{sides} shows {value}" for sides, value in void.shadow.values)
    return " ".join((f"{values}.", *(names.fill(line) for line in void.shadow.told)))
