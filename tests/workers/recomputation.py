"""A report once more, slowly and in another way: loops over the events of a session.

It has faces, luck, results, points, rewinds, tempo and draws. Streaks, boards, usage dice, conditions
and the p of tests have cases that are computed by hand or by enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod, sqrt
from statistics import median
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.descriptions import tally
from domain.session.messages import Declared, Rewound
from domain.session.state import Session
from domain.tally import Graded, Moved, Rolled, Settled, Voided
from projections.statistics_model import SessionReport
from tests.projections.contract import dice_of, led

Json = dict[str, Any]
HALF = Fraction(1, 2)
GROUPS = ("seats", "entities")


class Count(NamedTuple):
    """One count of an event."""

    fact: RecordedEvent
    dice: str
    undone: bool
    of: Any

    @property
    def version(self) -> int:
        return self.fact.version

    def name(self, group: str) -> str:
        return self.fact.seat if group == "seats" else str(self.of.entity)


class Recomputation:
    """The counts of a session: `within` the versions, and `kept` if they are not undone."""

    def __init__(
        self,
        ruleset: AnyRuleset,
        facts: Sequence[RecordedEvent],
        at: Callable[[int], Session],
        undone: bool = False,
        first: int = 1,
        last: int | None = None,
        hidden: Collection[int] = (),
    ) -> None:
        span = range(first, (len(facts) if last is None else last) + 1)
        self.lineage = led(facts)
        self.every_rewind = [fact for fact in facts if isinstance(fact.body, Rewound)]
        self.facts = [
            fact
            for fact in facts
            if fact.version in span and not (fact.sealed and fact.turn in hidden)
        ]
        dice = {turn: dice_of(turn, facts) for turn in {fact.turn for fact in facts}}
        self.within = [
            Count(fact, dice.get(fact.turn, ""), fact.version not in self.lineage, count)
            for fact in self.facts
            for count in tally(ruleset, fact, at)
        ]
        self.kept = [each for each in self.within if undone or not each.undone]

    def report(self) -> Json:
        return {
            "faces": {dice: self.faces(dice) for dice in ("drawn", "declared")},
            "luck": {group: self.luck(group) for group in GROUPS},
            "results": {group: self.results(group) for group in GROUPS},
            "points": self.points(),
            "rewinds": self.rewinds(),
            "tempo": self.tempo(),
            "draws": self.draws(),
        }

    def faces(self, dice: str) -> Json:
        rolls = [each for each in self.kept if isinstance(each.of, Rolled) and each.dice == dice]
        found = {}
        for source in {each.of.source for each in rolls}:
            mine = [each for each in rolls if each.of.source == source]
            seats = {
                seat: _faces([each.of for each in mine if each.fact.seat == seat])
                for seat in {each.fact.seat for each in mine}
            }
            found[source] = _faces([each.of for each in mine]) | {"seats": seats}
        return found

    def luck(self, group: str) -> Json:
        found: Json = {}
        for each in self.kept:
            lucks = _lucks(each.of) if isinstance(each.of, Rolled) and each.dice == "drawn" else {}
            if lucks:
                came = each.of.value if each.of.outcome is UNSET else each.of.outcome
                draws = found.setdefault(each.name(group), [])
                spread = sum(share * (luck - HALF) ** 2 for luck, share in lucks.values())
                draws.append((each.version, lucks[came][0] - HALF, spread))
        return {
            name: {
                "draws": len(draws),
                "z": _z(draws),
                "series": [(draw[0], _z(draws[: nth + 1])) for nth, draw in enumerate(draws)],
            }
            for name, draws in found.items()
        }

    def results(self, group: str) -> Json:
        found: Json = {}
        for each in self.kept:
            is_result = isinstance(each.of, Settled) or (
                isinstance(each.of, Rolled) and each.dice and each.of.outcome is not UNSET
            )
            if is_result:
                uses = found.setdefault(each.name(group), {})
                uses.setdefault(each.of.use, []).append(each)
        return {
            name: {use: _use(counts) for use, counts in uses.items()}
            for name, uses in found.items()
        }

    def points(self) -> Json:
        found: Json = {}
        for each in self.kept:
            if isinstance(each.of, Moved):
                pools = found.setdefault(each.of.entity, {})
                begin = each.version - 1, each.of.now - each.of.by
                pool = pools.setdefault(each.of.pool, {"why": {}, "level": [begin]})
                pool["level"].append((each.version, each.of.now))
                flow = pool["why"].setdefault(each.of.why, {"gained": 0, "lost": 0, "times": 0})
                flow["gained" if each.of.by > 0 else "lost"] += abs(each.of.by)
                flow["times"] += 1
        return found

    def rewinds(self) -> Json:
        undone = [f for f in self._turns() if f.version not in self.lineage]
        drawn = [
            each for each in self.within if isinstance(each.of, Rolled) and each.dice == "drawn"
        ]
        return {
            "count": sum(isinstance(fact.body, Rewound) for fact in self.facts),
            "turns": len(undone),
            "draws": [self._redrawn(each, drawn) for each in drawn if each.undone],
        }

    def _redrawn(self, each: Count, drawn: Sequence[Count]) -> Json:
        rewind = next(
            fact.version for fact in self.every_rewind if fact.body.to < each.version < fact.version
        )
        kind = each.of.entity, each.of.use, each.of.source
        alike = [o for o in drawn if (o.of.entity, o.of.use, o.of.source) == kind]
        pool = [other for other in alike if other.fact.turn == each.fact.turn]
        nth = next(nth for nth, other in enumerate(pool) if other is each)
        turn = next((other.fact.turn for other in alike if other.version > rewind), 0)
        again = [other for other in alike if other.fact.turn == turn][nth : nth + 1]
        found = _draw("draw", "luck", each)
        for other in again:
            found |= _draw("next", "next_luck", other)
        return found | {
            "seat": each.fact.seat,
            "entity": each.of.entity,
            "source": each.of.source,
            "use": each.of.use,
            "rewind": rewind,
        }

    def _turns(self) -> list[RecordedEvent]:
        return [fact for fact in self.facts if isinstance(fact.body, Declared)]

    def tempo(self) -> Json:
        turns = self._turns()
        gaps = [(after, (after.at - before.at) / 60_000) for before, after in pairwise(turns)]
        minutes = [gap for _, gap in gaps]
        return {
            "turns": len(turns),
            "minutes": sum(minutes),
            "minutes_per_turn": median(minutes or [0.0]),
            "seats": {
                seat: {
                    "turns": sum(turn.seat == seat for turn in turns),
                    "share": sum(turn.seat == seat for turn in turns) / len(turns),
                    "minutes": sum(gap for turn, gap in gaps if turn.seat == seat),
                }
                for seat in {turn.seat for turn in turns}
            },
            "gaps": [(turn.version, gap) for turn, gap in gaps],
            "order": [(turn.version, turn.seat) for turn in turns],
        }

    def draws(self) -> Json:
        graded = [each.of for each in self.kept if isinstance(each.of, Graded)]
        voids = [each for each in self.within if isinstance(each.of, Voided)]
        return {
            "grades": _times(each.grade for each in graded),
            "seats": {
                each.entity[1:]: _times(g.grade for g in graded if g.entity == each.entity)
                for each in graded
            },
            "voids": [
                {
                    "version": each.version,
                    "k": each.of.k,
                    "seat": each.of.entity[1:],
                    "missing": each.of.missing,
                }
                for each in voids
            ],
            "missing": _times(seat for each in voids for seat in each.of.missing),
        }


def _faces(rolls: Sequence[Rolled]) -> Json:
    return {
        "draws": len(rolls),
        "values": _seen([(roll.chances, roll.value) for roll in rolls]),
    }


def _use(counts: Sequence[Count]) -> Json:
    settled = [each.of for each in counts if isinstance(each.of, Settled)]
    drawn, declared = (
        _seen(
            [
                (each.of.outcomes, each.of.outcome)
                for each in counts
                if isinstance(each.of, Rolled) and each.dice == dice
            ]
        )
        for dice in ("drawn", "declared")
    )
    none = {"seen": 0, "expected": 0.0, "low": 0, "high": 0}
    return {
        "outcomes": {
            outcome: {
                "settled": sum(each.outcome == outcome for each in settled),
                "drawn": drawn.get(outcome, none),
                "declared": declared.get(outcome, none),
            }
            for outcome in {each.outcome for each in settled} | drawn.keys() | declared.keys()
        },
        "changed": {
            rolled: _times(each.outcome for each in settled if each.rolled == rolled)
            for rolled in {each.rolled for each in settled if each.rolled is not UNSET}
        },
    }


def _seen(draws: Sequence[tuple[Mapping[str, tuple[int, int]], str]]) -> Json:
    found = {}
    for value in {value for chances, came in draws for value in (*chances, came)}:
        shares = [Fraction(*chances.get(value, (0, 1))) for chances, _ in draws]
        low, high = interval(shares)
        found[value] = {
            "seen": sum(came == value for _, came in draws),
            "expected": float(sum(shares)),
            "low": low,
            "high": high,
        }
    return found


def interval(chances: Sequence[Fraction]) -> tuple[int, int]:
    """Return the bounds that at most one count in forty lies below, or above; in integers."""
    ways = [1]
    for chance in chances:
        yes, no = chance.numerator, chance.denominator - chance.numerator
        ways = [
            no * here + yes * before for here, before in zip([*ways, 0], [0, *ways], strict=True)
        ]
    whole, upto = prod(chance.denominator for chance in chances), 0
    low = high = -1
    for number, way in enumerate(ways):
        upto += way
        if low < 0 and 40 * upto >= whole:
            low = number
        if high < 0 and 40 * upto >= 39 * whole:
            high = number
    return low, high


def _lucks(roll: Rolled) -> dict[str, tuple[Fraction, Fraction]]:
    """Return the luck and the chance of each value that a draw could have; {} if it has no luck."""
    chances = roll.chances if roll.outcome is UNSET else roll.outcomes
    shares = {
        value: Fraction(*chances[value])
        for value in roll.scale
        if value in chances and chances[value][0]
    }
    lucks = {
        value: (sum(list(shares.values())[:nth], Fraction()) + share / 2, share)
        for nth, (value, share) in enumerate(shares.items())
    }
    return lucks if len(shares) > 1 else {}


def _z(draws: Sequence[tuple[int, Fraction, Fraction]]) -> float:
    return float(sum(draw[1] for draw in draws)) / sqrt(sum(draw[2] for draw in draws))


def _draw(name: str, luck: str, each: Count) -> Json:
    drawn = {"version": each.version, "value": each.of.value}
    if each.of.outcome is not UNSET:
        drawn["outcome"] = each.of.outcome
    lucks, came = _lucks(each.of), drawn.get("outcome", each.of.value)
    return {name: drawn} | ({luck: float(lucks[came][0])} if lucks else {})


def _times(names: Iterable[str]) -> dict[str, int]:
    every = list(names)
    return {name: every.count(name) for name in every}


def compare(found: SessionReport, slow: Recomputation) -> None:
    """Raise AssertionError if they differ by more than floats are rounded."""
    shown = msgspec.to_builtins(found)
    for name, expected in slow.report().items():
        assert not (apart := list(_differences(shown[name], expected, name))), "\n".join(apart)


def _differences(found: Any, expected: Any, path: str) -> Iterable[str]:
    if isinstance(expected, dict):
        extra = found.keys() - expected.keys() - {"test", "seats"}
        if extra or expected.keys() - found.keys():
            defaults = {key for key in expected.keys() - found.keys() if not expected[key]}
            if extra or expected.keys() - found.keys() - defaults:
                yield f"{path}: {sorted(found)}, not {sorted(expected)}"
        for key in found.keys() & expected.keys():
            yield from _differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list | tuple):
        if len(found) != len(expected):
            yield f"{path}: {found!r}, not {expected!r}"
        for nth, (one, other) in enumerate(zip(found, expected, strict=False)):
            yield from _differences(one, other, f"{path}[{nth}]")
    elif isinstance(expected, float | int):
        if abs(found - expected) > (6e-4 if "minutes" in path or "gaps" in path else 1e-4):
            yield f"{path}: {found!r}, not {expected!r}"
    elif found != expected:
        yield f"{path}: {found!r}, not {expected!r}"
