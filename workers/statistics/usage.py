"""Usage dice: how often they went down against chance, and how long they held (Kaplan and Meier 1958)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from domain.tally import Wore
from projections.statistics_model import DECLARED, DRAWN, Usage
from projections.tallies import Tally
from workers.statistics.alike import Chances, Rows, added, counted, draws
from workers.statistics.intervals import against
from workers.statistics.results import total

DOWN, HOLDS = "down", "holds"


class Worn(msgspec.Struct, frozen=True):
    """Of one kind of die: its rolls; after how many rolls dice went down, and how many rolls others hold by now."""

    rolls: Rows = ()
    went: dict[str, int] = {}
    hold: dict[str, int] = {}

    def __add__(self, other: Worn) -> Worn:
        return Worn(
            added((self.rolls, other.rolls)),
            total(self.went, other.went),
            total(self.hold, other.hold),
        )


class _Course:
    """The dice of one kind: each thing's rolls since it has that die."""

    def __init__(self) -> None:
        self.rolls: list[tuple[Chances, str]] = []
        self._held: dict[tuple[str, str], int] = {}
        self._went: Counter[str] = Counter()

    def roll(self, wore: Wore) -> None:
        numerator, denominator = wore.chance
        chances = ((DOWN, wore.chance), (HOLDS, (denominator - numerator, denominator)))
        held, down = (wore.entity, wore.thing), wore.left != wore.die
        self.rolls.append((chances, DOWN if down else HOLDS))
        self._held[held] = self._held.get(held, 0) + 1
        if down:
            self._went[str(self._held.pop(held))] += 1

    def worn(self) -> Worn:
        hold = Counter(map(str, self._held.values()))
        return Worn(counted(self.rolls), total(self._went), total(hold))


def by_die(tallies: Iterable[Tally]) -> dict[str, Worn]:
    """By die; what declared dice said stands under "<die>, declared"."""
    courses: dict[str, _Course] = {}
    for tally in tallies:
        if isinstance(tally.of, Wore) and tally.dice in (DRAWN, DECLARED):
            name = tally.of.die if tally.dice == DRAWN else f"{tally.of.die}, {DECLARED}"
            courses.setdefault(name, _Course()).roll(tally.of)
    return {name: course.worn() for name, course in sorted(courses.items())}


def usage_of(worn: Worn) -> Usage:
    return Usage(draws(worn.rolls), against(worn.rolls)[DOWN], tuple(_survived(worn)))


def _survived(worn: Worn) -> Iterable[tuple[int, float, float]]:
    """After each roll that some die came to: of those that were rolled so often, the share that held, multiplied up."""
    went = {int(rolls): dice for rolls, dice in worn.went.items()}
    hold = {int(rolls): dice for rolls, dice in worn.hold.items()}
    rolled, share, chance = sum(went.values()) + sum(hold.values()), 1.0, 1.0
    holds = _chance_to_hold(worn.rolls)
    for rolls in range(1, max((*went, *hold), default=0) + 1):
        share *= 1 - went.get(rolls, 0) / rolled
        chance *= holds
        yield rolls, round(share, 6), round(chance, 6)
        rolled -= went.get(rolls, 0) + hold.get(rolls, 0)


def _chance_to_hold(rows: Rows) -> float:
    """One and the same for all dice of a kind."""
    numerator, denominator = dict(rows[0].chances)[HOLDS]
    return numerator / denominator
