"""Sums about play: boards, conditions, points, usage dice and tempo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from domain.tally import Landed, Moved, Wore, reduce
from projections import statistics_model as m
from projections.tallies import TalliedTurn
from workers.statistics.chance_counts import ChanceCount

MINUTE_MS = 60_000
BREAK_SECONDS = 1_800
"""A longer wait between two turns is a break of the group, not a part of the game."""
MAX_POINTS = 120
"""The maximum number of points in a series."""


class SeriesSum(msgspec.Struct):
    """A series of which every `step`-th point is kept, so that it never gets long.

    `step` doubles when there are more than MAX_POINTS. The last point is kept too.
    """

    step: int = 1
    count: int = 0
    points: list[tuple[int, float]] = []
    last: tuple[int, float] | None = None

    def add(self, version: int, value: float) -> None:
        self.last = (version, value)
        if self.count % self.step == 0:
            self.points.append(self.last)
        self.count += 1
        if len(self.points) > MAX_POINTS:
            self.points, self.step = self.points[::2], 2 * self.step

    def series(self) -> m.Series:
        is_last_missing = self.last is not None and (self.count - 1) % self.step
        return (*self.points, self.last) if is_last_missing and self.last else tuple(self.points)


class BoardSum(msgspec.Struct):
    """How often a token landed on each point of a board."""

    points: tuple[str, ...]
    rolled: list[int]
    settled: list[int]
    expected: list[float]

    def roll(self, landed: Landed) -> None:
        self.rolled[landed.at] += 1
        self.settled[landed.at] += 1
        for point, (numerator, denominator) in landed.chances.items():
            self.expected[int(point)] += numerator / denominator

    def alter(self, before: int | None, at: int) -> None:
        if before is not None:
            self.settled[before] -= 1
        self.settled[at] += 1

    def board(self) -> m.BoardStatistics:
        return m.BoardStatistics(
            self.points,
            tuple(self.rolled),
            tuple(round(each, 6) for each in self.expected),
            tuple(self.settled),
        )


def empty_board(points: tuple[str, ...]) -> BoardSum:
    zeros = [0] * len(points)
    return BoardSum(points, [*zeros], [*zeros], [0.0] * len(points))


class ConditionSum(msgspec.Struct):
    """How often a condition of an entity began and ended, and how many rounds passed with it.

    `left` is the number of rounds that remain, and `lasted` that of the rounds since it began.
    """

    left: int = 0
    lasted: int = 0
    begun: int = 0
    ended: int = 0
    rounds: int = 0
    longest: int = 0

    def tick(self, rounds: int, *, is_set: bool, counts: bool = True) -> None:
        """Record that `rounds` rounds are left, or that the condition has ended if it is 0.

        If time ended the condition, all rounds that were left have passed. The counts change only
        if `counts` is True.
        """
        has_begun = is_set and rounds > 0 and rounds >= self.left
        passed = 0 if is_set else max(0, self.left - rounds)
        self.left = rounds
        if counts:
            self.lasted += passed
            self.begun += has_begun
            self.ended += rounds == 0
            self.rounds += passed
            self.longest = max(self.longest, self.lasted)
        if not rounds:
            self.lasted = 0

    def condition(self) -> m.ConditionStatistics | None:
        if not (self.begun or self.ended or self.rounds):
            return None
        return m.ConditionStatistics(self.begun, self.ended, self.rounds, self.longest)


class PoolSum(msgspec.Struct):
    """The points that a pool gained and lost, by reason, and its level over time."""

    why: dict[str, tuple[int, int, int]] = {}
    level: SeriesSum = msgspec.field(default_factory=SeriesSum)

    def move(self, version: int, moved: Moved) -> None:
        gained, lost, times = self.why.get(moved.why, (0, 0, 0))
        by = moved.by
        self.why[moved.why] = gained + max(by, 0), lost + max(-by, 0), times + 1
        if moved.now is not UNSET:
            if not self.level.count:
                self.level.add(version - 1, float(moved.now - by))
            self.level.add(version, float(moved.now))

    def pool(self) -> m.PoolStatistics:
        return m.PoolStatistics(
            {why: m.Flow(*flow) for why, flow in self.why.items()}, self.level.series()
        )


class UsageSum(msgspec.Struct):
    """The rolls of one kind of usage die.

    `held` contains, for each thing of an entity, the number of rolls since it got this die.
    `went_down` counts the dice that stepped down, by their number of rolls.
    """

    rolls: int = 0
    down: ChanceCount = msgspec.field(default_factory=ChanceCount)
    holds: float = 1.0
    held: dict[str, int] = {}
    went_down: dict[int, int] = {}

    def roll(self, wore: Wore) -> None:
        numerator, denominator = wore.chance
        holder, is_down = f"{wore.entity}/{wore.thing}", wore.left != wore.die
        self.rolls += 1
        self.down.add(reduce(numerator, denominator), is_down)
        # All dice of a kind have the same chance.
        self.holds = (denominator - numerator) / denominator
        self.held[holder] = self.held.get(holder, 0) + 1
        if is_down:
            rolls = self.held.pop(holder)
            self.went_down[rolls] = self.went_down.get(rolls, 0) + 1

    def usage(self) -> m.Usage:
        return m.Usage(self.rolls, self.down.observed(), tuple(self._survived()))

    def _survived(self) -> Iterator[tuple[int, float, float]]:
        """Yield the survival of the dice after each number of rolls.

        Each tuple contains the number of rolls, the observed share of dice that have not stepped
        down by then, and the share expected by chance. The observed share is a Kaplan-Meier
        estimate (1958).
        """
        hold, went_down = Counter(self.held.values()), Counter(self.went_down)
        rolled, share, chance = went_down.total() + hold.total(), 1.0, 1.0
        for rolls in range(1, max((*went_down, *hold), default=0) + 1):
            share *= 1 - went_down[rolls] / rolled
            chance *= self.holds
            yield rolls, round(share, 6), round(chance, 6)
            rolled -= went_down[rolls] + hold[rolls]


class PaceSum(msgspec.Struct):
    turns: int = 0
    seconds: float = 0.0


class TempoSum(msgspec.Struct):
    """The pace of play. `waits` counts the waits between turns by their whole seconds."""

    turns: int = 0
    first_at: int = 0
    last_at: int = 0
    breaks: int = 0
    waits: dict[int, int] = {}
    seconds: float = 0.0
    seats: dict[str, PaceSum] = {}
    gaps: SeriesSum = msgspec.field(default_factory=SeriesSum)

    def add(self, turn: TalliedTurn) -> None:
        pace = self.seats.setdefault(turn.seat, PaceSum())
        pace.turns += 1
        if self.turns:
            self._wait(turn, (turn.at - self.last_at) / 1_000, pace)
        self.first_at = self.first_at or turn.at
        self.turns, self.last_at = self.turns + 1, turn.at

    def _wait(self, turn: TalliedTurn, seconds: float, pace: PaceSum) -> None:
        if seconds > BREAK_SECONDS:
            self.breaks += 1
            return
        whole = round(seconds)
        self.waits[whole] = self.waits.get(whole, 0) + 1
        self.seconds += seconds
        pace.seconds += seconds
        self.gaps.add(turn.first, round(seconds / 60, 3))

    def tempo(self) -> m.Tempo:
        seats = {
            seat: m.Pace(of.turns, round(of.turns / self.turns, 4), round(of.seconds / 60, 3))
            for seat, of in self.seats.items()
        }
        return m.Tempo(
            self.turns,
            round(self.seconds / 60, 3),
            round(self._median() / 60, 3),
            seats,
            self.breaks,
            self.gaps.series(),
        )

    def _median(self) -> float:
        """Return the median wait in seconds, or 0 if there was none."""
        number, below, middle = sum(self.waits.values()), 0, list[int]()
        for seconds in sorted(self.waits):
            below += self.waits[seconds]
            while len(middle) < 2 and below > (number - 1 + len(middle)) // 2:
                middle.append(seconds)
        return sum(middle) / len(middle) if middle else 0.0
