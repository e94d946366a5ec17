"""Running statistics: everything that a report is made of, kept up to date event by event.

They grow with the numbers of seats, entities, dice and kinds of actions, not with the length of the
session. They are stored, so that a job only adds what is new (projections/statistics_states.py).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import UNSET

from domain import codec
from domain.session.messages import Rewound
from domain.tally import (
    Attempted,
    Graded,
    Landed,
    Moved,
    Owned,
    Rolled,
    Settled,
    Ticked,
    Voided,
    Wore,
)
from projections import statistics_model as m
from projections.tallies import TURN_KIND, TalliedRewind, TalliedTurn, Tally
from workers.statistics import luck
from workers.statistics.chance_counts import ChanceCount
from workers.statistics.faces import FaceSum
from workers.statistics.luck import LuckSum, LuckTable, Streak
from workers.statistics.play import (
    BoardSum,
    ConditionSum,
    PoolSum,
    SeriesSum,
    TempoSum,
    UsageSum,
    empty_board,
)

SEATS: Literal["seats"] = "seats"
ENTITIES: Literal["entities"] = "entities"
EVERYONE = ""
"""The key of the draws of all seats together."""
REWIND_KIND = codec.KINDS[Rewound]
MAX_OUTCOMES = 12
"""Outcomes of rolls with more possible outcomes, such as sums of many dice, are not compared."""
MAX_ROLLS, MAX_VOIDS = 200, 100
"""How many of the newest rolls and voided draws are kept one by one."""
MAX_OWNER_CHANGES = 100
"""How many of the newest changes of owners are kept, so that a rewind can return to one."""


class RollCount(msgspec.Struct, omit_defaults=True):
    """How many rolls there were, and how many succeeded of those that could.

    `seen` counts the successes of the `tries` rolls that could succeed, and `expected` those that
    chance gives.
    """

    rolls: int = 0
    tries: int = 0
    seen: int = 0
    expected: float = 0.0

    def add(self, attempt: Attempted) -> None:
        self.rolls += 1
        if attempt.successes:
            self.tries += 1
            self.seen += attempt.outcome in attempt.successes
            self.expected += success_chance(attempt)

    def accumulate(self, other: RollCount, sign: int) -> None:
        """Add the count of another session, or subtract it if `sign` is -1."""
        self.rolls += sign * other.rolls
        self.tries += sign * other.tries
        self.seen += sign * other.seen
        self.expected += sign * other.expected


class LuckCourse(msgspec.Struct, omit_defaults=True):
    """The luck of a seat or an entity over time.

    `drought` is the current row of rolls without a success, and `dry` the logarithm
    of its chance; `driest` is the least probable row so far, with its chance.
    """

    sum: LuckSum = msgspec.field(default_factory=LuckSum)
    series: SeriesSum = msgspec.field(default_factory=SeriesSum)
    successes: RollCount = msgspec.field(default_factory=RollCount)
    drought: Streak = msgspec.field(default_factory=Streak)
    dry: float = 0.0
    driest: Streak = msgspec.field(default_factory=Streak)
    driest_log: float = 0.0

    def add(self, table: LuckTable | None, attempt: Attempted, version: int) -> None:
        if table is not None:
            self.sum.add(table, table.points[attempt.outcome], version)
            self.series.add(version, round(self.sum.z, 4))
        self.successes.add(attempt)
        if attempt.successes:
            self._extend_drought(attempt, version)

    def _extend_drought(self, attempt: Attempted, version: int) -> None:
        if attempt.outcome in attempt.successes:
            self.drought, self.dry = Streak(), 0.0
            return
        if not self.drought.length:
            self.drought.first = version
        self.drought.length += 1
        self.drought.last = version
        self.dry += luck.logarithm(1 - success_chance(attempt))
        if self.dry < self.driest_log:
            row = self.drought
            self.driest, self.driest_log = Streak(row.length, row.first, row.last), self.dry


class Moment(msgspec.Struct):
    """A roll that may be a highlight. `chance` is that of an outcome at least as extreme."""

    version: int
    seat: str
    entity: str
    use: str
    value: str
    outcome: str
    chance: float
    is_good: bool
    stakes: Literal["", "harm", "life"]


class OutcomeSum(msgspec.Struct, omit_defaults=True):
    """How often an action ended with an outcome, and how often dice gave it."""

    settled: int = 0
    drawn: ChanceCount = msgspec.field(default_factory=ChanceCount)
    declared: ChanceCount = msgspec.field(default_factory=ChanceCount)


class UseSum(msgspec.Struct, omit_defaults=True):
    """The outcomes of one kind of action, and how they were changed after the roll."""

    outcomes: dict[str, OutcomeSum] = {}
    changed: dict[str, dict[str, int]] = {}

    def roll(self, attempt: Attempted, origin: str) -> None:
        for outcome, chance in attempt.chances.items():
            of = self.outcomes.setdefault(outcome, OutcomeSum())
            count = of.drawn if origin == m.DRAWN else of.declared
            count.add(chance, outcome == attempt.outcome)

    def settle(self, settled: Settled) -> None:
        self.outcomes.setdefault(settled.outcome, OutcomeSum()).settled += 1
        if settled.rolled is not UNSET:
            by = self.changed.setdefault(settled.rolled, {})
            by[settled.outcome] = by.get(settled.outcome, 0) + 1

    def statistics(self) -> m.ActionStatistics:
        return m.ActionStatistics(
            {
                outcome: m.OutcomeCounts(of.settled, of.drawn.observed(), of.declared.observed())
                for outcome, of in self.outcomes.items()
            },
            {rolled: dict(sorted(by.items())) for rolled, by in sorted(self.changed.items())},
        )


class RollRecord(msgspec.Struct):
    """One of the newest rolls, also if a rewind undid it. `luck` is None if it has none."""

    version: int
    seat: str
    entity: str
    use: str
    value: str
    outcome: str
    luck: int | None


class VoidRecord(msgspec.Struct):
    version: int
    draw: int
    seat: str
    missing: tuple[str, ...]


class Live(msgspec.Struct):
    """What counted in the end: without the branches that rewinds undid.

    `luck` and `moments` are keyed by the origin of the values. `stood` has the board and the point
    on which each token stands.
    """

    turns: int = 0
    owners: dict[str, str] = {}
    luck: dict[str, dict[str, dict[str, LuckCourse]]] = {}
    moments: dict[str, dict[str, Moment]] = {}
    uses: dict[str, dict[str, RollCount]] = {}
    results: dict[str, dict[str, dict[str, UseSum]]] = {}
    points: dict[str, dict[str, PoolSum]] = {}
    conditions: dict[str, dict[str, ConditionSum]] = {}
    boards: dict[str, BoardSum] = {}
    stood: dict[str, tuple[str, int]] = {}
    usage: dict[str, UsageSum] = {}
    grades: dict[str, dict[str, int]] = {}

    def add(self, tally: Tally, *, is_compared: bool, counts: bool) -> None:
        """Add one tally. `is_compared` is False for draws that may have been chosen to be seen.

        If `counts` is False, only change what later tallies depend on, such as owners.
        """
        match tally.of:
            case Owned(entity=entity, seat=seat):
                self.owners[entity] = seat
            case Ticked(entity=entity, condition=name, rounds=rounds, is_set=is_set):
                condition = self.conditions.setdefault(entity, {}).setdefault(name, ConditionSum())
                condition.tick(rounds, is_set=is_set, counts=counts)
            case _ if not counts:
                return
            case Attempted() as attempt if tally.dice and is_compared:
                self._attempt(tally, attempt, tally.dice)
            case Settled(entity=entity, use=use) as settled:
                for group, who in ((SEATS, person_of(self.owners, tally)), (ENTITIES, entity)):
                    self._use(group, who, use).settle(settled)
            case Moved(entity=entity, pool=pool) as moved:
                pools = self.points.setdefault(entity, {})
                pools.setdefault(pool, PoolSum()).move(tally.version, moved)
            case Landed() as landed if is_compared:
                self._land(landed, tally.dice)
            case Wore() as wore if tally.dice and is_compared:
                name = wore.die if tally.dice == m.DRAWN else f"{wore.die}, {m.DECLARED}"
                self.usage.setdefault(name, UsageSum()).roll(wore)
            case Graded(entity=entity, grade=grade):
                grades = self.grades.setdefault(entity.removeprefix("@"), {})
                grades[grade] = grades.get(grade, 0) + 1

    def _use(self, group: str, who: str, use: str) -> UseSum:
        uses = self.results.setdefault(group, {}).setdefault(who, {})
        return uses.setdefault(use, UseSum())

    def _attempt(self, tally: Tally, attempt: Attempted, origin: str) -> None:
        person, table = person_of(self.owners, tally), luck.ranked(attempt)
        self.uses.setdefault(person, {}).setdefault(attempt.use, RollCount()).add(attempt)
        for group, who in ((SEATS, person), (ENTITIES, attempt.entity)):
            if len(attempt.chances) <= MAX_OUTCOMES:
                self._use(group, who, attempt.use).roll(attempt, origin)
            if table is not None or attempt.successes:
                courses = self.luck.setdefault(origin, {}).setdefault(group, {})
                course = courses.get(who) or courses.setdefault(who, _course(group))
                course.add(table, attempt, tally.version)
        if table is not None:
            self._remember(moment(tally, attempt, person), origin, attempt)

    def _remember(self, made: Moment, origin: str, attempt: Attempted) -> None:
        best = self.moments.setdefault(origin, {})
        _keep(best, "rarest", made)
        if attempt.is_save and made.is_good and attempt.outcome in attempt.successes:
            _keep(best, "save", made)
        if made.stakes:
            _keep(best, f"decisive-{made.stakes}", made)

    def _land(self, landed: Landed, origin: str) -> None:
        name = f"{landed.board}, {m.DECLARED}" if origin == m.DECLARED else landed.board
        token, before = f"{landed.entity}/{landed.board}", None
        if landed.how == "altered":
            name, before = self.stood.get(token, (name, None))
        board = self.boards.get(name) or self.boards.setdefault(name, empty_board(landed.points))
        if landed.how == "rolled":
            board.roll(landed)
        else:
            board.alter(before, landed.at)
        self.stood[token] = (name, landed.at)


class Owners(msgspec.Struct):
    """Who played each entity after each version, in the branch that the version belongs to.

    `versions` lists the newest versions that changed this, by an event or by a rewind, and `known`
    has the seats by entity after each of them.
    """

    versions: list[int] = []
    known: list[dict[str, str]] = []

    def newest(self) -> dict[str, str]:
        return self.known[-1] if self.known else {}

    def own(self, version: int, entity: str, seat: str) -> None:
        self._change(version, {**self.newest(), entity: seat})

    def rewind(self, version: int, to: int) -> None:
        """Return to the owners of an earlier version, or to the oldest that are known."""
        nth = bisect_right(self.versions, to) - 1
        is_forgotten = len(self.versions) == MAX_OWNER_CHANGES
        owners = self.known[max(0, nth)] if nth >= 0 or is_forgotten else {}
        self._change(version, owners)

    def _change(self, version: int, owners: dict[str, str]) -> None:
        if owners == self.newest():
            return
        if self.versions and self.versions[-1] == version:
            self.known[-1] = owners
            return
        self.versions.append(version)
        self.known.append(owners)
        del self.versions[:-MAX_OWNER_CHANGES], self.known[:-MAX_OWNER_CHANGES]


class Ever(msgspec.Struct):
    """Everything that was played, also what rewinds undid: a fair sample of the dice.

    `faces` is keyed by origin, die or deck, and seat (or EVERYONE). `secret` has the number of each
    seat's secret draws and how many of them are hidden. `sealed` has the version of the first
    secret value that the viewers may see, by origin and seat. `voided` has the results of voided
    draws that are known, by the number of the draw.
    """

    turns: int = 0
    rewinds: int = 0
    owners: Owners = msgspec.field(default_factory=Owners)
    sealed: dict[str, int] = {}
    faces: dict[str, dict[str, dict[str, FaceSum]]] = {}
    luck: dict[str, dict[str, LuckSum]] = {}
    rolls: list[RollRecord] = []
    voids: list[VoidRecord] = []
    missing: dict[str, int] = {}
    voided: dict[int, m.VoidedResult] = {}
    secret: dict[str, tuple[int, int]] = {}
    tempo: TempoSum = msgspec.field(default_factory=TempoSum)

    def add(self, tally: Tally, *, is_compared: bool, is_hidden: bool) -> None:
        if tally.sealed and isinstance(tally.of, Rolled | Attempted | Landed | Wore):
            self.sealed.setdefault(f"{tally.dice}/{tally.seat}", tally.version)
        match tally.of:
            case Owned(entity=entity, seat=seat):
                self.owners.own(tally.version, entity, seat)
            case Rolled() as rolled if tally.dice and is_compared:
                self._roll(tally, rolled)
            case Attempted() as attempt if tally.dice and is_compared:
                self._attempt(tally, attempt, person_of(self.owners.newest(), tally))
            case Graded(entity=entity, is_secret=True) if tally.dice == m.DRAWN:
                seat = entity.removeprefix("@")
                number, hidden = self.secret.get(seat, (0, 0))
                self.secret[seat] = number + 1, hidden + is_hidden
            case Voided(entity=entity, draw=draw, missing=missing):
                seat = entity.removeprefix("@")
                self.voids.append(VoidRecord(tally.version, draw, seat, missing))
                del self.voids[:-MAX_VOIDS]
                for each in missing:
                    self.missing[each] = self.missing.get(each, 0) + 1

    def _roll(self, tally: Tally, rolled: Rolled) -> None:
        source = f"{rolled.source} ({tally.die})" if tally.die else rolled.source
        seats = self.faces.setdefault(tally.dice, {}).setdefault(source, {})
        for seat in (EVERYONE, tally.seat):
            seats.setdefault(seat, FaceSum()).add(rolled)

    def _attempt(self, tally: Tally, attempt: Attempted, person: str) -> None:
        table = luck.ranked(attempt)
        points = None if table is None else table.points[attempt.outcome]
        if table is not None and points is not None:
            seats = self.luck.setdefault(tally.dice, {})
            seats.setdefault(person, LuckSum()).add(table, points, tally.version)
        self.rolls.append(
            RollRecord(
                tally.version,
                tally.seat,
                attempt.entity,
                attempt.use,
                attempt.value,
                attempt.outcome,
                points,
            )
        )
        del self.rolls[:-MAX_ROLLS]


class Running(msgspec.Struct):
    """The running statistics of a session up to `version`, as some viewers may see it."""

    version: int = 0
    live: Live = msgspec.field(default_factory=Live)
    ever: Ever = msgspec.field(default_factory=Ever)

    def add_turn(self, turn: TalliedTurn, *, is_live: bool = True, is_ever: bool = True) -> None:
        """Add one turn. `is_live` and `is_ever` tell which part does not contain it yet."""
        if turn.kind == TURN_KIND:
            self.live.turns += is_live and not turn.undone
            if is_ever:
                self.ever.turns += 1
                self.ever.tempo.add(turn)
        elif turn.kind == REWIND_KIND and is_ever:
            self.ever.rewinds += 1

    def return_to(self, rewind: TalliedRewind) -> None:
        """Give entities back to the seats that played them. Call it between the tallies."""
        self.ever.owners.rewind(rewind.version, rewind.to)

    def add(
        self,
        tally: Tally,
        *,
        is_compared: bool = True,
        is_hidden: bool = False,
        is_live: bool = True,
        is_ever: bool = True,
        counts: bool = True,
    ) -> None:
        """Add one tally.

        `is_compared` is False for draws that may have been chosen to be seen, and `is_hidden` True
        for the draws of turns that the viewers may not see. `is_live` and `is_ever` tell which part
        does not contain the tally yet. If `counts` is False, only change what later tallies depend
        on.
        """
        if is_ever and counts:
            self.ever.add(tally, is_compared=is_compared, is_hidden=is_hidden)
        if is_live and not tally.undone:
            self.live.add(tally, is_compared=is_compared, counts=counts)


def person_of(owners: Mapping[str, str], tally: Tally) -> str:
    """Return the seat whose luck it is: the one that plays the entity, or else the one that acted.

    `owners` maps entities to the seats that play them.
    """
    return owners.get(tally.of.entity, tally.seat)


def _course(group: str) -> LuckCourse:
    """Return an empty course. Only the luck of seats is tested, so only theirs must be exact."""
    return LuckCourse(LuckSum(is_exact=group == SEATS))


def _keep(best: dict[str, Moment], kind: str, made: Moment) -> None:
    if kind not in best or made.chance < best[kind].chance:
        best[kind] = made


def success_chance(attempt: Attempted) -> float:
    """Return the probability of a success."""
    chances = (attempt.chances[each] for each in attempt.successes)
    return sum(numerator / denominator for numerator, denominator in chances)


def moment(tally: Tally, attempt: Attempted, person: str) -> Moment:
    """Return the roll with the chance of its outcome or one more extreme in the same direction."""
    shares = {name: above / below for name, (above, below) in attempt.chances.items()}
    names = list(shares)
    at = names.index(attempt.outcome)
    worse, better = (sum(shares[each] for each in part) for part in (names[: at + 1], names[at:]))
    return Moment(
        tally.version,
        person,
        attempt.entity,
        attempt.use,
        attempt.value,
        attempt.outcome,
        min(worse, better),
        better < worse,
        attempt.stakes,
    )
