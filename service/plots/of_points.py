"""Plots of what the table gained and lost: points, pools over time, conditions, usage dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from projections.figures import Figures, Pool, Series, Usage
from service.plots import bars, lines, panels
from service.plots.naming import Names, listed, natural, slug
from service.plots.plot import Plot, Row
from service.plots.scale import shown, ticks
from service.words import counted


def points(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each kind of pool: gained and lost, by entity and reason."""
    for pool, of in _by_pool(figures, names).items():
        if any(each.why for each in of.values()):
            yield _points(pool, {who: each for who, each in of.items() if each.why})


def pools(figures: Figures, names: Names) -> Iterator[Plot]:
    """Each kind of pool over time, the cards of a deck among them."""
    for pool, of in _by_pool(figures, names).items():
        if any(each.level for each in of.values()):
            yield _levels(pool, {who: each for who, each in of.items() if each.level}, figures)


def conditions(figures: Figures, names: Names) -> Iterator[Plot]:
    """By entity, the rounds that each condition lasted on."""
    found = {names.entity(entity): held for entity, held in figures.conditions.items() if held}
    if not found:
        return
    rows: list[Row] = [
        (who, condition, of.begun, of.ended, of.rounds, of.longest)
        for who, held in found.items()
        for condition, of in held.items()
    ]
    groups, more = bars.fitted(
        [
            bars.Group(
                who,
                tuple(
                    bars.Bar(name, of.rounds, f"{of.begun} begun, {of.ended} ended", of.longest)
                    for name, of in held.items()
                ),
            )
            for who, held in found.items()
        ]
    )
    said = [
        f"{who}, {name}: {counted(of.rounds, 'round')}, begun {counted(of.begun, 'time')}"
        for who, held in found.items()
        for name, of in held.items()
    ]
    yield Plot(
        "conditions",
        "Rounds under conditions",
        f"{listed(said)}. {more}".strip(),
        ("entity", "condition", "begun", "ended", "rounds", "longest"),
        tuple(rows),
        bars.Bars(groups, (("seen", "rounds"), ("second", "most rounds at once")), more),
    )


def usage(figures: Figures, names: Names) -> Iterator[Plot]:
    """Usage dice: the share that still holds after so many rolls."""
    found = {
        die: figures.usage[die]
        for die in sorted(figures.usage, key=lambda die: natural(die.lstrip("d")))
    }
    found = {die: of for die, of in found.items() if of.survived}
    if not found:
        return
    survived = {die: _survived(of) for die, of in found.items()}
    drawn = list(found)[: panels.MOST]
    left = len(found) - len(drawn)
    more = f"{left} more in the table only." if left else ""
    said = [
        f"{die}: went down {counted(of.down.seen, 'time')} in {counted(of.rolls, 'roll')} where chance gives "
        f"{of.down.expected:.1f}"
        for die, of in found.items()
    ]
    yield Plot(
        "usage",
        "Usage dice: share that still holds",
        f"{listed(said)}. {more}".strip(),
        ("die", "rolls", "share that holds", "chance of it"),
        tuple((die, *each) for die, of in survived.items() for each in of),
        lines.Lines(
            [_holding(die, found[die], survived[die]) for die in drawn],
            (0, 1 + max(rolls for die in drawn for rolls, _, _ in survived[die])),
            (0, 0.5, 1),
            "share that holds, by rolls",
            (("seen-line", "seen"), ("chance-dash", "chance gives")),
            more=more,
        ),
    )


def _by_pool(figures: Figures, names: Names) -> dict[str, dict[str, Pool]]:
    found: dict[str, dict[str, Pool]] = {}
    for entity, of in figures.points.items():
        for pool, each in of.items():
            found.setdefault(pool, {})[names.entity(entity)] = each
    return found


def _points(pool: str, of: Mapping[str, Pool]) -> Plot:
    ordered = sorted(
        of.items(), key=lambda each: -sum(flow.gained + flow.lost for flow in each[1].why.values())
    )
    groups, more = bars.fitted(
        [
            bars.Group(
                who,
                tuple(
                    bars.Bar(why, flow.gained, f"+{flow.gained} -{flow.lost}", flow.lost)
                    for why, flow in each.why.items()
                ),
            )
            for who, each in ordered
        ]
    )
    said = [
        f"{who} gained {sum(flow.gained for flow in each.why.values())} and lost "
        f"{sum(flow.lost for flow in each.why.values())}"
        for who, each in ordered
    ]
    return Plot(
        slug("points", pool),
        f"{pool}: gained and lost",
        f"{listed(said)}. {more}".strip(),
        ("entity", "reason", "gained", "lost", "times"),
        tuple(
            (who, why, by.gained, by.lost, by.times)
            for who, each in ordered
            for why, by in each.why.items()
        ),
        bars.Bars(groups, (("seen", "gained"), ("second", "lost")), more),
    )


def _levels(pool: str, of: Mapping[str, Pool], figures: Figures) -> Plot:
    found = shown({who: each.level for who, each in of.items()}, panels.MOST)
    said = [_course(who, of[who].level) for who in (*found.drawn, *found.others)]
    values = [value for points in found.drawn.values() for _, value in points]
    return Plot(
        slug("pools", pool),
        f"{pool} over time",
        f"{listed(said)}. {found.said}".strip(),
        ("entity", "after version", pool),
        tuple(found.rows()),
        lines.Lines(
            [_held(who, points) for who, points in found.drawn.items()],
            (figures.first, figures.last),
            ticks(max(*values, 0), min(*values, 0), most=3),
            f"{pool}, by version",
            (("seen-line", "held"), ("empty", "at 0")),
            empties=True,
            more=found.more,
        ),
    )


def _course(who: str, level: Series) -> str:
    first, last, lowest = level[0][1], level[-1][1], min(held for _, held in level)
    return f"{who}: from {first:.16g} to {last:.16g}, lowest {lowest:.16g}"


def _held(who: str, points: Series) -> lines.Panel:
    return lines.Panel(who, f"now {points[-1][1]:.16g}", [lines.Line(points, steps=True)])


def _survived(of: Usage) -> list[tuple[int, float, float]]:
    """From the beginning, when all hold."""
    return [*([(0, 1.0, 1.0)] if of.survived[0][0] > 0 else []), *of.survived]


def _holding(die: str, of: Usage, survived: list[tuple[int, float, float]]) -> lines.Panel:
    seen, by_chance = ([(float(each[0]), each[nth]) for each in survived] for nth in (1, 2))
    return lines.Panel(
        die,
        f"{of.down.seen} of {of.rolls} down",
        [lines.Line(by_chance, "chance-dash", True), lines.Line(seen, "seen-line", True)],
    )
