"""What the evening came to: results against chance, points, boards, usage dice, conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from projections.figures import Board, Figures, Outcome, Pool, Seen, Usage
from service.charts.drawing import (
    ENOUGH,
    QUIET,
    Names,
    against,
    curve,
    first,
    grid,
    more,
    section,
    word,
)

MOST_USES, MOST_OUTCOMES, MOST_POOLS, MOST_STEPS, MOST_CONDITIONS = 6, 6, 12, 5, 8


def results(figures: Figures) -> Iterator[RenderableType]:
    """What each kind of action was drawn as, of all seats, against its chances; and how it was settled in the end."""
    uses = {use: outcomes for use, outcomes in _by_use(figures).items() if _draws(outcomes)}
    if not uses:
        return
    table = grid("action", "result", "", "drawn", "expected", "settled", words=2)
    ranked = sorted(uses, key=lambda use: -_draws(uses[use]))
    kept = [use for use in ranked if _draws(uses[use]) >= ENOUGH // 2][:MOST_USES] or ranked[:1]
    for use in kept:
        outcomes = {
            name: each for name, each in uses[use].items() if each.drawn.expected or each.drawn.seen
        }
        most = max(max(each.drawn.seen, each.drawn.expected) for each in outcomes.values())
        for nth, (name, each) in enumerate(first(outcomes.items(), MOST_OUTCOMES)):
            bar = against(each.drawn, most)
            expected = f"{each.drawn.expected:.1f}"
            table.add_row(
                word("" if nth else use),
                word(name),
                bar,
                f"{each.drawn.seen:,}",
                expected,
                f"{each.settled:,}",
            )
    yield section("Results against chance, all seats", table, *more(len(uses), len(kept)))


def _by_use(figures: Figures) -> dict[str, dict[str, Outcome]]:
    """The seats' outcomes added up, without intervals."""
    uses: dict[str, dict[str, Outcome]] = {}
    for seat in figures.results.get("seats", {}).values():
        for use, found in seat.items():
            sums = uses.setdefault(use, {})
            for name, each in found.outcomes.items():
                sums[name] = _sum(sums[name], each) if name in sums else _sum(each)
    return uses


def _sum(*outcomes: Outcome) -> Outcome:
    drawn, declared = (
        Seen(sum(each.seen for each in part), sum(each.expected for each in part), 0, -1)
        for part in ([each.drawn for each in outcomes], [each.declared for each in outcomes])
    )
    return Outcome(sum(each.settled for each in outcomes), drawn, declared)


def _draws(outcomes: Mapping[str, Outcome]) -> int:
    return sum(each.drawn.seen for each in outcomes.values())


def points(figures: Figures, names: Names) -> Iterator[RenderableType]:
    """What each pool gained and lost, and how full it was in the course of the evening."""
    pools = [
        (entity, name, pool) for entity, of in figures.points.items() for name, pool in of.items()
    ]
    if not pools:
        return
    kept = sorted(pools, key=lambda each: -sum(flow.times for flow in each[2].why.values()))[
        :MOST_POOLS
    ]
    table = grid("points of", "pool", "gained", "lost", "now", "", "most for", words=2)
    table.columns[-1].justify = "left"
    before = ""
    for entity, name, pool in (each for each in pools if each in kept):
        table.add_row(names.entity(entity) if entity != before else "", word(name), *_moved(pool))
        before = entity
    yield section("Points, and how the pools went", table, *more(len(pools), MOST_POOLS))


def _moved(pool: Pool) -> tuple[str, str, str, Text, Text]:
    gained, lost = (
        sum(getattr(flow, way) for flow in pool.why.values()) for way in ("gained", "lost")
    )
    why, flow = max(
        pool.why.items(), key=lambda named: named[1].gained + named[1].lost, default=("", None)
    )
    now = f"{pool.level[-1][1]:g}" if pool.level else ""
    reason = (
        Text("")
        if flow is None
        else Text.assemble(word(why), (f" {flow.gained - flow.lost:+}", QUIET))
    )
    return f"{gained:,}", f"{lost:,}", now, Text(curve([value for _, value in pool.level])), reason


def boards(figures: Figures) -> Iterator[RenderableType]:
    """Where the dice brought each token, and where it was settled; those of a few rolls are left out."""
    for name, board in figures.boards.items():
        if sum(board.rolled) < ENOUGH:
            continue
        yield section(f"Board {word(name)}: rolled against settled", _board(board))


def _board(board: Board) -> RenderableType:
    table = grid("point", "", "rolled", "expected", "settled")
    most = max((*board.rolled, *board.expected), default=0)
    for point, rolled, expected, settled in zip(
        board.points, board.rolled, board.expected, board.settled, strict=True
    ):
        seen = Seen(rolled, expected, 0, -1)
        table.add_row(
            word(point, "bold"),
            against(seen, most),
            f"{rolled:,}",
            f"{expected:.1f}",
            f"{settled:,}",
        )
    return table


def usage(figures: Figures) -> Iterator[RenderableType]:
    """How usage dice wore down, and how many lasted."""
    if figures.usage:
        table = grid("die", "rolls", "down", "expected", "held after (by chance)")
        table.columns[-1].justify = "left"
        for die, found in figures.usage.items():
            down = found.down
            table.add_row(
                word(die, "bold"),
                f"{found.rolls:,}",
                f"{down.seen:,}",
                f"{down.expected:.1f}",
                _lasted(found),
            )
        yield section("Usage dice", table)


def _lasted(found: Usage) -> Text:
    steps = [
        f"{rolls}: {100 * held:.0f}% ({100 * chance:.0f})"
        for rolls, held, chance in found.survived
        if rolls
    ]
    return Text(", ".join(steps[:MOST_STEPS]))


def conditions(figures: Figures, names: Names) -> Iterator[RenderableType]:
    listed = [
        (entity, name, each)
        for entity, of in figures.conditions.items()
        for name, each in of.items()
    ]
    if not listed:
        return
    table = grid("who", "condition", "begun", "ended", "rounds", "longest", words=2)
    for entity, name, each in sorted(listed, key=lambda row: -row[2].rounds)[:MOST_CONDITIONS]:
        numbers = (each.begun, each.ended, each.rounds, each.longest)
        table.add_row(names.entity(entity), word(name), *(f"{number:,}" for number in numbers))
    yield section("Conditions", table, *more(len(listed), MOST_CONDITIONS))
