"""Plots of what the dice came to: results against chance, altered ones, rings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from projections.figures import DECLARED, DRAWN, Board, Figures, Outcome, Seen, Use
from service.plots import bars
from service.plots.naming import Names, listed, slug
from service.plots.plot import Plot
from service.plots.ring import MOST, Ring, Spot
from service.words import counted

DICE = (DRAWN, DECLARED)
"""The ones that are drawn are shown, the declared ones where there are no others."""
CHANCE = (("chance", "chance gives"), ("interval", "95 of 100 honest tables"))
SETTLED = ("second", "settled")
OF_RING = (("seen", "rolled"), ("chance-line", "chance gives"), ("second", "settled"))


def results(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each kind of action: what each seat's came to, against chance."""
    seats = figures.results.get("seats", {})
    for use in dict.fromkeys(use for uses in seats.values() for use in uses):
        yield _results(
            use, {names.seat(seat): uses[use] for seat, uses in seats.items() if use in uses}, names
        )


def changed(figures: Figures, names: Names) -> Iterator[Plot]:
    """What chance gave and the table made something else of."""
    times: dict[tuple[str, str, str], int] = {}
    for uses in figures.results.get("seats", {}).values():
        for use, of in uses.items():
            for rolled, ends in of.changed.items():
                for settled, number in ends.items():
                    if settled != rolled:
                        times[use, rolled, settled] = times.get((use, rolled, settled), 0) + number
    if not times:
        return
    ordered = sorted(times.items(), key=lambda each: -each[1])
    kinds = dict.fromkeys(use for (use, _, _), _ in ordered)
    rows = [(*key, number) for use in kinds for key, number in ordered if key[0] == use]
    groups, more = bars.fitted(
        [
            bars.Group(
                use, tuple(bars.Bar(f"{a} → {b}", n, str(n)) for of, a, b, n in rows if of == use)
            )
            for use in kinds
        ]
    )
    (use, rolled, settled), most = ordered[0]
    yield Plot(
        "changed",
        "Results that were altered",
        f"{counted(sum(times.values()), 'result')} settled as another than was rolled, most often {rolled} as "
        f"{settled} ({use}): {counted(most, 'time')}. {more}".strip(),
        ("use", "rolled", "settled", "times"),
        tuple(rows),
        bars.Bars(groups, (("seen", "times, rolled → settled"),), more),
    )


def rings(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each board: rolled against settled, point by point."""
    for name, board in figures.boards.items():
        if any(board.rolled) or any(board.settled):
            yield _ring(name, board)


def _results(use: str, seats: Mapping[str, Use], names: Names) -> Plot:
    dice = next((dice for dice in DICE if any(_rolled(each, dice) for each in seats.values())), "")
    called = str if dice else names.entity  # who won, where no dice are counted
    ordered = sorted(seats.items(), key=lambda each: -_rolled(each[1], dice))
    is_altered = bool(dice) and any(
        of.settled not in (0, _seen(of, dice).seen)
        for each in seats.values()
        for of in each.outcomes.values()
    )
    groups, more = bars.fitted(
        [
            bars.Group(
                seat,
                tuple(
                    _outcome(called(name), of, dice, is_altered)
                    for name, of in each.outcomes.items()
                ),
            )
            for seat, each in ordered
        ]
    )
    rolled = (
        ("seen", "declared" if dice == DECLARED else "rolled"),
        *CHANCE,
        *([SETTLED] if is_altered else []),
    )
    return Plot(
        slug("results", use),
        f"Results: {use}",
        f"{listed(f'{seat}: {_said(each, dice, called)}' for seat, each in ordered)}. {more}".strip(),
        (
            "seat",
            "outcome",
            "settled",
            "rolled",
            "chance gives",
            "low",
            "high",
            "declared",
            "chance of declared",
            "low of declared",
            "high of declared",
        ),
        tuple(
            (seat, called(name), of.settled, *_against(of.drawn), *_against(of.declared))
            for seat, each in ordered
            for name, of in each.outcomes.items()
        ),
        bars.Bars(groups, rolled if dice else (("seen", "settled"),), more),
    )


def _seen(of: Outcome, dice: str) -> Seen:
    return of.declared if dice == DECLARED else of.drawn


def _rolled(use: Use, dice: str) -> int:
    return sum(_seen(of, dice).seen for of in use.outcomes.values())


def _against(of: Seen) -> tuple[int, float, int, int]:
    return of.seen, of.expected, of.low, of.high


def _outcome(name: str, of: Outcome, dice: str, is_altered: bool) -> bars.Bar:
    if not dice:
        return bars.Bar(name, of.settled, str(of.settled))
    seen, second = _seen(of, dice), of.settled if is_altered else None
    return bars.Bar(
        name,
        seen.seen,
        f"{seen.seen} ({seen.expected:.1f})",
        second,
        seen.expected,
        seen.low,
        seen.high,
    )


def _said(use: Use, dice: str, called: Callable[[str], str]) -> str:
    outcomes = list(use.outcomes.items())[:6]
    if not dice:
        return ", ".join(f"{called(name)} {of.settled}\u00d7" for name, of in outcomes)
    seen = ((name, _seen(of, dice)) for name, of in outcomes)
    return ", ".join(f"{name} {of.seen}\u00d7 ({of.expected:.1f} by chance)" for name, of in seen)


def _ring(name: str, board: Board) -> Plot:
    each = list(zip(board.points, board.rolled, board.expected, board.settled, strict=True))
    said = [
        f"{point} rolled {rolled} ({expected:.1f} by chance), settled {settled}"
        for point, rolled, expected, settled in each
    ]
    picture: Ring | bars.Bars = Ring([Spot(*spot) for spot in each], OF_RING)
    more = ""
    if len(each) > MOST:
        groups, more = bars.fitted(
            [bars.Group("", tuple(bars.Bar(p, r, f"{r} ({e:.1f})", s) for p, r, e, s in each))]
        )
        picture = bars.Bars(groups, (("seen", "rolled"), SETTLED), more)
    return Plot(
        slug("ring", name),
        f"Rolled against settled: {name}",
        f"Clockwise from the start: {listed(said, MOST)}. {more}".strip(),
        ("nth", "point", "rolled", "chance gives", "settled"),
        tuple((nth, *spot) for nth, spot in enumerate(each, 1)),
        picture,
    )
