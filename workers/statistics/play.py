"""Play statistics: boards, conditions, points, usage dice and tempo."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import median

from msgspec import UNSET

from domain.tally import Landed, Moved, Ticked, Wore
from projections import statistics_model as m
from projections.tallies import TURN_KIND, TalliedRewind, TalliedTurn, Tally
from workers.statistics import intervals, pooled_draws
from workers.statistics.pooled_draws import Chances

MINUTE_MS = 60_000
NO_FLOW = m.Flow(0, 0, 0)
NO_ROUNDS = (0, 0)
"""The remaining and the elapsed rounds of a condition that never began."""
DOWN, HOLDS = "down", "holds"


class _BoardCourse:
    """Counts how often a token landed on each point of a board.

    Drawn dice and declared dice are counted by separate instances.
    """

    def __init__(self, points: tuple[str, ...]) -> None:
        self.points = points
        self.rolled, self.settled = Counter[int](), Counter[int]()
        self.expected = [Fraction()] * len(points)

    def roll(self, landed: Landed) -> None:
        self.rolled[landed.at] += 1
        self.settled[landed.at] += 1
        for point, chance in landed.chances.items():
            self.expected[int(point)] += Fraction(*chance)

    def alter(self, before: int | None, at: int) -> None:
        if before is not None:
            self.settled[before] -= 1
        self.settled[at] += 1

    def board(self) -> m.BoardStatistics:
        places = range(len(self.points))
        return m.BoardStatistics(
            self.points,
            tuple(self.rolled[at] for at in places),
            tuple(round(float(each), 6) for each in self.expected),
            tuple(self.settled[at] for at in places),
        )


def boards(tallies: Iterable[Tally]) -> dict[str, m.BoardStatistics]:
    """Return the statistics for each board, by name.

    The statistics for declared dice are named "<board>, declared".
    """
    courses: dict[str, _BoardCourse] = {}
    stood: dict[tuple[str, str], tuple[_BoardCourse, int]] = {}
    for tally in tallies:
        match tally.of:
            case Landed(entity=entity, board=board, points=points, at=at, how=how):
                name = f"{board}, {m.DECLARED}" if tally.dice == m.DECLARED else board
                course, before = courses.setdefault(name, _BoardCourse(points)), None
                if how == "rolled":
                    course.roll(tally.of)
                else:
                    course, before = stood.get((entity, board), (course, None))
                    course.alter(before, at)
                stood[entity, board] = course, at
    return {name: course.board() for name, course in sorted(courses.items())}


class _ConditionCourse:
    """Tracks a condition on an entity from round to round."""

    def __init__(self, rewinds: Sequence[TalliedRewind]) -> None:
        self.begun = self.ended = self.rounds = self.longest = 0
        self._rewinds, self._back = rewinds, [rewind.version for rewind in rewinds]
        self._versions, self._states = list[int](), list[tuple[int, int]]()

    @property
    def is_seen(self) -> bool:
        return bool(self.begun or self.ended or self.rounds)

    def condition(self) -> m.ConditionStatistics:
        return m.ConditionStatistics(self.begun, self.ended, self.rounds, self.longest)

    def tick(self, version: int, rounds: int, *, counts: bool) -> None:
        """Record that the condition has `rounds` rounds left at `version`.

        If `rounds` is 0, the condition has ended. If `rounds` is lower than before, a round has
        passed. The totals change only if `counts` is True.
        """
        left, lasted = self._before(version)
        ended, begun = rounds == 0, rounds >= left
        lasted = 0 if ended or not counts else lasted + (not begun)
        if counts:
            self.ended += ended
            self.begun += begun and not ended
            self.rounds += not (begun or ended)
            self.longest = max(self.longest, lasted)
        self._versions.append(version)
        self._states.append((rounds, lasted))

    def _before(self, version: int) -> tuple[int, int]:
        """Return the condition's remaining and elapsed rounds just before `version`.

        Changes on branches that had been undone by then are ignored.
        """
        while True:
            ticks, backs = bisect_left(self._versions, version), bisect_left(self._back, version)
            if not backs or (ticks and self._versions[ticks - 1] > self._back[backs - 1]):
                return self._states[ticks - 1] if ticks else NO_ROUNDS
            version = self._rewinds[backs - 1].to + 1


def conditions(
    tallies: Iterable[Tally], versions: range, rewinds: Sequence[TalliedRewind]
) -> dict[str, dict[str, m.ConditionStatistics]]:
    """Return the statistics for conditions, keyed by entity, then by condition.

    If a condition begins again before it has ended, its elapsed rounds are kept. Only `versions`
    are counted, but `tallies` must cover the whole session, because a condition may have begun
    earlier. `rewinds` must include every rewind that undid a tally.
    """
    courses: dict[str, dict[str, _ConditionCourse]] = {}
    for tally in tallies:
        match tally.of:
            case Ticked(entity=entity, condition=condition, rounds=rounds) if (
                tally.version < versions.stop
            ):
                of = courses.setdefault(entity, {})
                course = of.get(condition) or of.setdefault(condition, _ConditionCourse(rewinds))
                course.tick(tally.version, rounds, counts=tally.version in versions)
    found = {
        entity: {name: course.condition() for name, course in of.items() if course.is_seen}
        for entity, of in courses.items()
    }
    return {entity: of for entity, of in found.items() if of}


def points(tallies: Iterable[Tally]) -> dict[str, dict[str, m.PoolStatistics]]:
    """Return the statistics for pools, keyed by entity, then by pool."""
    entities: dict[str, dict[str, list[tuple[int, Moved]]]] = {}
    for tally in tallies:
        if isinstance(tally.of, Moved):
            pools = entities.setdefault(tally.of.entity, {})
            pools.setdefault(tally.of.pool, []).append((tally.version, tally.of))
    return {
        entity: {
            pool: m.PoolStatistics(_flows(moves), _levels(moves)) for pool, moves in pools.items()
        }
        for entity, pools in entities.items()
    }


def _flows(moves: Iterable[tuple[int, Moved]]) -> dict[str, m.Flow]:
    found: dict[str, m.Flow] = {}
    for _, move in moves:
        flow = found.get(move.why, NO_FLOW)
        found[move.why] = m.Flow(
            flow.gained + max(move.by, 0), flow.lost + max(-move.by, 0), flow.times + 1
        )
    return found


def _levels(moves: Sequence[tuple[int, Moved]]) -> m.Series:
    """Return the level of the pool before the first change and after each change.

    The first level is dated one version before the first change.
    """
    known = [(version, move.by, move.now) for version, move in moves if move.now is not UNSET]
    start = [(version - 1, float(now - by)) for version, by, now in known[:1]]
    return *start, *((version, float(now)) for version, _, now in known)


class _UsageCourse:
    """Counts the rolls of one kind of usage die.

    `held` contains, for each (entity, thing), the number of rolls since the thing got this die.
    """

    def __init__(self) -> None:
        self.rolls: list[tuple[Chances, str]] = []
        self.held = Counter[tuple[str, str]]()
        self.went_down = Counter[int]()

    def roll(self, wore: Wore) -> None:
        numerator, denominator = wore.chance
        chances = ((DOWN, wore.chance), (HOLDS, (denominator - numerator, denominator)))
        holder, is_down = (wore.entity, wore.thing), wore.left != wore.die
        self.rolls.append((chances, DOWN if is_down else HOLDS))
        self.held[holder] += 1
        if is_down:
            self.went_down[self.held.pop(holder)] += 1

    def usage(self) -> m.Usage:
        pools = pooled_draws.pool(self.rolls)
        # All dice of a kind have the same chance.
        numerator, denominator = dict(pools[0].chances)[HOLDS]
        survived = tuple(self._survived(numerator / denominator))
        return m.Usage(len(self.rolls), intervals.compare(pools)[DOWN], survived)

    def _survived(self, chance_to_hold: float) -> Iterator[tuple[int, float, float]]:
        """Yield the survival of the dice after each number of rolls.

        Each tuple contains the number of rolls, the observed share of dice that have not stepped
        down by then, and the share expected by chance. The observed share is a Kaplan-Meier
        estimate (1958).
        """
        hold = Counter(self.held.values())
        rolled, share, chance = self.went_down.total() + hold.total(), 1.0, 1.0
        for rolls in range(1, max((*self.went_down, *hold), default=0) + 1):
            share *= 1 - self.went_down[rolls] / rolled
            chance *= chance_to_hold
            yield rolls, round(share, 6), round(chance, 6)
            rolled -= self.went_down[rolls] + hold[rolls]


def usage(tallies: Iterable[Tally]) -> dict[str, m.Usage]:
    """Return the statistics for each kind of usage die, by name.

    The statistics for declared dice are named "<die>, declared".
    """
    courses: dict[str, _UsageCourse] = {}
    for tally in tallies:
        if isinstance(tally.of, Wore) and tally.dice in (m.DRAWN, m.DECLARED):
            name = tally.of.die if tally.dice == m.DRAWN else f"{tally.of.die}, {m.DECLARED}"
            courses.setdefault(name, _UsageCourse()).roll(tally.of)
    return {name: course.usage() for name, course in sorted(courses.items())}


def tempo(turns: Sequence[TalliedTurn]) -> m.Tempo:
    """Return the pace of play.

    Undone turns are included, because they took time too.
    """
    played = [turn for turn in turns if turn.kind == TURN_KIND]
    gaps = [(after, (after.at - before.at) / MINUTE_MS) for before, after in pairwise(played)]
    minutes = [gap for _, gap in gaps]
    waited: dict[str, float] = defaultdict(float)
    for turn, gap in gaps:
        waited[turn.seat] += gap
    seats = {
        seat: m.Pace(number, round(number / len(played), 4), round(waited[seat], 3))
        for seat, number in Counter(turn.seat for turn in played).items()
    }
    return m.Tempo(
        len(played),
        round(sum(minutes), 3),
        round(median(minutes), 3) if minutes else 0.0,
        seats,
        tuple((turn.first, round(gap, 3)) for turn, gap in gaps),
        tuple((turn.first, turn.seat) for turn in played),
    )
