"""What a few counts come to: the parts of the slow recomputation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from domain.fact import Fact
from domain.tally import Landed, Rolled, Settled, Wore
from projections import statistics_model as shapes
from tests.workers import reckoning
from tests.workers.reckoning import Came, shares_of

NONE = shapes.Seen(0, 0.0, 0, 0)


class Counting(NamedTuple):
    """One count of a fact."""

    fact: Fact
    dice: str
    undone: bool
    count: Any

    @property
    def version(self) -> int:
        return self.fact.version

    def of(self, group: str) -> str:
        return self.fact.seat if group == "seats" else str(self.count.entity)


def faces(rolls: Sequence[Counting], seats: Mapping[str, shapes.Faces]) -> shapes.Faces:
    draws = [
        Came(each.count.entity, shares_of(each.count.chances), each.count.value) for each in rolls
    ]
    return shapes.Faces(len(draws), reckoning.seen_of(draws), reckoning.uneven(draws), dict(seats))


def use(counts: Sequence[Counting]) -> shapes.Use:
    """Of one kind of action."""
    ends = [each.count for each in counts if isinstance(each.count, Settled)]
    rolled = {
        dice: reckoning.seen_of(
            [
                Came("", shares_of(each.count.outcomes), each.count.outcome)
                for each in counts
                if isinstance(each.count, Rolled) and each.dice == dice
            ]
        )
        for dice in (shapes.DRAWN, shapes.DECLARED)
    }
    outcomes = {end.outcome for end in ends} | {outcome for by in rolled.values() for outcome in by}
    changed: dict[str, dict[str, int]] = {}
    for end in ends:
        if end.rolled is not UNSET:
            times = sum((each.rolled, each.outcome) == (end.rolled, end.outcome) for each in ends)
            changed.setdefault(end.rolled, {})[end.outcome] = times
    return shapes.Use(
        {
            outcome: shapes.Outcome(
                sum(end.outcome == outcome for end in ends),
                rolled[shapes.DRAWN].get(outcome, NONE),
                rolled[shapes.DECLARED].get(outcome, NONE),
            )
            for outcome in outcomes
        },
        changed,
    )


def flow(moved: Sequence[int]) -> shapes.Flow:
    return shapes.Flow(
        sum(by for by in moved if by > 0), -sum(by for by in moved if by < 0), len(moved)
    )


def step(before: int, after: int) -> str:
    """A condition ends, begins or goes on for a round."""
    if after == 0:
        return "e"
    return "b" if after >= before else "r"


def stands(
    landed: Sequence[Counting], board: str, declared: bool
) -> Iterator[tuple[Landed | None, int]]:
    """Each landing by dice, drawn or declared, or without any before it, and where the token was settled after it."""
    of_board = [each for each in landed if each.count.board == board]
    for nth, each in enumerate(of_board):
        later = [other for other in of_board[nth + 1 :] if other.count.entity == each.count.entity]
        alters = []
        for other in later:
            if other.count.how == "rolled":
                break
            alters.append(other.count.at)
        first = not any(other.count.entity == each.count.entity for other in of_board[:nth])
        begins = each.count.how == "rolled" or first
        if begins and declared == (each.dice == "declared"):
            yield (each.count if each.count.how == "rolled" else None), [each.count.at, *alters][-1]


def usage(wore: Sequence[Wore]) -> shapes.Usage:
    """Each thing's rolls are cut after every one at which the die went down; the last piece may hold still."""
    pieces: list[tuple[int, bool]] = []
    for thing in {(each.entity, each.thing) for each in wore}:
        rolls = [each.left != each.die for each in wore if (each.entity, each.thing) == thing]
        length = 0
        for down in rolls:
            length += 1
            if down:
                pieces.append((length, True))
                length = 0
        pieces += [(length, False)] if length else []
    chance = Fraction(*wore[0].chance)
    share, survived = Fraction(1), []
    for rolls in range(1, max(length for length, _ in pieces) + 1):
        at_risk = sum(length >= rolls for length, _ in pieces)
        went = sum(length == rolls and down for length, down in pieces)
        share *= 1 - Fraction(went, at_risk)
        survived.append((rolls, float(share), float((1 - chance) ** rolls)))
    downs = sum(each.left != each.die for each in wore)
    seen = shapes.Seen(downs, float(chance * len(wore)), *reckoning.interval([chance] * len(wore)))
    return shapes.Usage(len(wore), seen, tuple(survived))


def kind(each: Counting) -> tuple[str, str, str]:
    return each.fact.seat, each.count.use, each.count.source


def draw(each: Counting) -> shapes.Draw:
    return shapes.Draw(each.version, each.count.value, each.count.outcome)


def mid(each: Counting) -> float | UnsetType:
    luck = reckoning.luck_of(each.version, each.count)
    return UNSET if luck is None else float(luck.mid)


def numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: names.count(name) for name in names}
