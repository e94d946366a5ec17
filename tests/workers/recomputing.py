"""Every figure once more, slowly, from the facts of a session: loops over what each event alone counts for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import sqrt
from statistics import median

from msgspec import UNSET

from domain.fact import Fact
from domain.ruleset import Room
from domain.session.messages import Declared, Rewound
from domain.session.state import Session
from domain.session.telling import tally
from domain.tally import Graded, Landed, Moved, Rolled, Settled, Ticked, Voided, Wore
from projections import statistics_model as shapes
from projections.statistics_model import SessionReport
from tests.projections.contract import dice_of, led
from tests.workers import pieces, reckoning
from tests.workers.pieces import Counting

DICE = ("drawn", "declared")


class Slowly:
    """A session's facts of some versions, `all` of them and the ones `kept`."""

    def __init__(
        self,
        room: Room,
        facts: Sequence[Fact],
        at: Callable[[int], Session],
        undone: bool = False,
        first: int = 1,
        last: int | None = None,
        hidden: Collection[int] = (),
    ) -> None:
        self.facts, self.undone, self.first, self.last = (
            facts,
            undone,
            first,
            len(facts) if last is None else last,
        )
        lineage, dice = (
            led(facts),
            {turn: dice_of(turn, facts) for turn in {fact.turn for fact in facts}},
        )
        self.open = [fact for fact in facts if not (fact.sealed and fact.turn in hidden)]
        every = [
            Counting(fact, dice.get(fact.turn, ""), fact.version not in lineage, count)
            for fact in self.open
            for count in tally(room, fact, at)
        ]
        self.span = range(first, self.last + 1)
        self.ever = [each for each in every if undone or not each.undone]
        self.all = [each for each in every if each.version in self.span]
        self.kept = [each for each in self.ever if each.version in self.span]
        self._lineage = lineage

    def figures(self) -> SessionReport:
        return SessionReport(
            len(self.facts),
            self.first,
            self.last,
            self.undone,
            {
                dice: {source: self.faces(dice, source) for source in self.sources(dice)}
                for dice in DICE
            },
            {
                group: {of: self.luck(group, of) for of in self.lucky(group)}
                for group in ("seats", "entities")
            },
            {
                group: {of: self.streaks(group, of) for of in self.lucky(group)}
                for group in ("seats", "entities")
            },
            {group: self.results(group) for group in ("seats", "entities")},
            self.points(),
            self.conditions(),
            self.boards(),
            self.usage(),
            self.rewinds(),
            self.tempo(),
            self.draws(),
            shapes.Tests(0, 0.01, "fair", ""),
        )

    def rolls(self, dice: str, **fields: str) -> list[Counting]:
        return [
            each
            for each in self.kept
            if isinstance(each.count, Rolled)
            and each.dice == dice
            and all(getattr(each.count, field) == value for field, value in fields.items())
        ]

    def sources(self, dice: str) -> set[str]:
        return {each.count.source for each in self.rolls(dice)}

    def faces(self, dice: str, source: str) -> shapes.Faces:
        every = self.rolls(dice, source=source)
        seats = {each.fact.seat for each in every}
        by_seat = {
            seat: pieces.faces([each for each in every if each.fact.seat == seat], {})
            for seat in seats
        }
        return pieces.faces(every, by_seat)

    def lucky(self, group: str) -> dict[str, list[reckoning.Luck]]:
        found: dict[str, list[reckoning.Luck]] = {}
        for each in self.rolls("drawn"):
            luck = reckoning.luck_of(each.version, each.count)
            if luck is not None:
                found.setdefault(each.of(group), []).append(luck)
        return found

    def luck(self, group: str, of: str) -> shapes.Luck:
        draws = self.lucky(group)[of]
        totals = accumulate(draw.mid - Fraction(1, 2) for draw in draws)
        spreads = accumulate(draw.variance for draw in draws)
        series = tuple(
            (draw.version, float(total) / sqrt(spread))
            for draw, total, spread in zip(draws, totals, spreads, strict=True)
        )
        return shapes.Luck(
            len(draws),
            reckoning.z_of(draws),
            series,
            reckoning.lucky(draws) if group == "seats" else UNSET,
        )

    def streaks(self, group: str, of: str) -> dict[str, shapes.Streak]:
        draws, half, found = self.lucky(group)[of], Fraction(1, 2), dict[str, shapes.Streak]()
        for way, over in (("lucky", 1), ("unlucky", -1)):
            came = [over * (draw.mid - half) > 0 for draw in draws]
            spans = [
                (first, last) for first in range(len(draws)) for last in range(first, len(draws))
            ]
            runs = [(first, last) for first, last in spans if all(came[first : last + 1])]
            if runs:
                first, last = max(runs, key=lambda span: (span[1] - span[0], -span[0]))
                chances = [
                    sum(
                        (share for mid, share in draw.mids.items() if over * (mid - half) > 0),
                        Fraction(),
                    )
                    for draw in draws
                ]
                length = last - first + 1
                p = reckoning.run_of(length, chances)
                found[way] = shapes.Streak(length, draws[first].version, draws[last].version, p)
        return found

    def results(self, group: str) -> dict[str, dict[str, shapes.Use]]:
        counts = [
            each
            for each in self.kept
            if isinstance(each.count, Settled)
            or (isinstance(each.count, Rolled) and each.dice and each.count.outcome is not UNSET)
        ]
        found: dict[str, dict[str, shapes.Use]] = {}
        for each in counts:
            of, use = each.of(group), each.count.use
            mine = [other for other in counts if other.of(group) == of and other.count.use == use]
            found.setdefault(of, {})[use] = pieces.use(mine)
        return found

    def points(self) -> dict[str, dict[str, shapes.Pool]]:
        found: dict[str, dict[str, shapes.Pool]] = {}
        moves = [each for each in self.kept if isinstance(each.count, Moved)]
        for each in moves:
            who, pool = each.count.entity, each.count.pool
            mine = [
                other for other in moves if (other.count.entity, other.count.pool) == (who, pool)
            ]
            whys = {
                move.count.why: [m.count.by for m in mine if m.count.why == move.count.why]
                for move in mine
            }
            start = mine[0].version - 1, mine[0].count.now - mine[0].count.by
            found.setdefault(who, {})[pool] = shapes.Pool(
                {why: pieces.flow(moved) for why, moved in whys.items()},
                (start, *((other.version, other.count.now) for other in mine)),
            )
        return found

    def conditions(self) -> dict[str, dict[str, shapes.Condition]]:
        found: dict[str, dict[str, shapes.Condition]] = {}
        for each in self.kept:
            if isinstance(each.count, Ticked):
                who, condition = each.count.entity, each.count.condition
                ticks = [
                    other
                    for other in self.ever
                    if isinstance(other.count, Ticked)
                    and (other.count.entity, other.count.condition) == (who, condition)
                ]
                steps = "".join(
                    self.step(other, ticks) for other in ticks if other.version in self.span
                )
                lasted = max(
                    self.lasted(other, ticks) for other in ticks if other.version in self.span
                )
                found.setdefault(who, {})[condition] = shapes.Condition(
                    steps.count("b"), steps.count("e"), steps.count("r"), lasted
                )
        return found

    def before(self, tick: Counting, ticks: list[Counting]) -> Counting | None:
        """The last of the ticks on the branch that this one is of."""
        on = led(self.facts[: tick.version - 1])
        return next(
            (
                each
                for each in reversed(ticks)
                if each.version in on and each.version < tick.version
            ),
            None,
        )

    def step(self, tick: Counting, ticks: list[Counting]) -> str:
        last = self.before(tick, ticks)
        return pieces.step(0 if last is None else last.count.rounds, tick.count.rounds)

    def lasted(self, tick: Counting, ticks: list[Counting]) -> int:
        """The rounds since it began or the versions did."""
        last, step = self.before(tick, ticks), self.step(tick, ticks)
        if step == "e" or tick.version not in self.span:
            return 0
        return (step == "r") + (0 if last is None else self.lasted(last, ticks))

    def boards(self) -> dict[str, shapes.Board]:
        """Each roll of the token, and where it stood before the entity's next roll."""
        landed = [each for each in self.kept if isinstance(each.count, Landed)]
        found: dict[str, shapes.Board] = {}
        for each in landed:
            name = each.count.board + (", declared" if each.dice == "declared" else "")
            if name not in found:
                mine = list(pieces.stands(landed, each.count.board, each.dice == "declared"))
                rolled = [roll for roll, _ in mine if roll is not None]
                places = range(len(each.count.points))
                found[name] = shapes.Board(
                    each.count.points,
                    tuple(sum(roll.at == place for roll in rolled) for place in places),
                    tuple(
                        float(sum(Fraction(*roll.chances.get(str(p), (0, 1))) for roll in rolled))
                        for p in places
                    ),
                    tuple(sum(end == place for _, end in mine) for place in places),
                )
        return found

    def usage(self) -> dict[str, shapes.Usage]:
        wore = [each for each in self.kept if isinstance(each.count, Wore)]
        names = {(each.count.die, each.dice) for each in wore}
        return {
            die + (", declared" if dice == "declared" else ""): pieces.usage(
                [each.count for each in wore if (each.count.die, each.dice) == (die, dice)]
            )
            for die, dice in names
        }

    def rewinds(self) -> shapes.Rewinds:
        within = [fact for fact in self.open if self.first <= fact.version <= self.last]
        turns = [
            f for f in within if isinstance(f.body, Declared) and f.version not in self._lineage
        ]
        return shapes.Rewinds(
            sum(isinstance(fact.body, Rewound) for fact in within),
            len(turns),
            tuple(self._redrawn()),
        )

    def _redrawn(self) -> Iterator[shapes.Redrawn]:
        drawn = [
            each for each in self.all if isinstance(each.count, Rolled) and each.dice == "drawn"
        ]
        for each in drawn:
            if each.undone:
                rewind = next(
                    fact.version
                    for fact in self.facts
                    if isinstance(fact.body, Rewound) and fact.body.to < each.version < fact.version
                )
                alike = [other for other in drawn if pieces.kind(other) == pieces.kind(each)]
                after = next((other.fact.turn for other in alike if other.version > rewind), 0)
                pool = [other for other in alike if other.fact.turn == each.fact.turn]
                place = next(nth for nth, other in enumerate(pool) if other is each)
                there = [other for other in alike if other.fact.turn == after][place : place + 1]
                again = (pieces.draw(there[0]), pieces.mid(there[0])) if there else (UNSET, UNSET)
                named = each.fact.seat, each.count.entity, each.count.source, each.count.use
                yield shapes.Redrawn(pieces.draw(each), *named, rewind, pieces.mid(each), *again)

    def tempo(self) -> shapes.Tempo:
        turns = [
            f
            for f in self.open
            if isinstance(f.body, Declared) and self.first <= f.version <= self.last
        ]
        gaps = [(after, (after.at - before.at) / 60_000) for before, after in pairwise(turns)]
        seats = {
            seat: shapes.Pace(
                sum(turn.seat == seat for turn in turns),
                sum(turn.seat == seat for turn in turns) / len(turns),
                sum(gap for turn, gap in gaps if turn.seat == seat),
            )
            for seat in {turn.seat for turn in turns}
        }
        minutes = [gap for _, gap in gaps]
        return shapes.Tempo(
            len(turns),
            sum(minutes),
            median(minutes or [0.0]),
            seats,
            tuple((turn.version, gap) for turn, gap in gaps),
            tuple((turn.version, turn.seat) for turn in turns),
        )

    def draws(self) -> shapes.Draws:
        graded = [each.count for each in self.kept if isinstance(each.count, Graded)]
        voids = [each for each in self.all if isinstance(each.count, Voided)]
        missing = [seat for each in voids for seat in each.count.missing]
        return shapes.Draws(
            pieces.numbers([each.grade for each in graded]),
            {
                each.entity[1:]: pieces.numbers(
                    [g.grade for g in graded if g.entity == each.entity]
                )
                for each in graded
            },
            tuple(
                shapes.Void(each.version, each.count.k, each.count.entity[1:], each.count.missing)
                for each in voids
            ),
            pieces.numbers(missing),
        )
