"""A report once more, slowly and in another way: loops over the events of a session.

It has faces, luck, streaks, results, points, conditions, boards, usage dice, rewinds, tempo, draws and
the counts of secret draws. Sums of chances are exact: they are sums of fractions, or of whole numbers.
Tests of decks, verdicts, highlights and headlines have cases that are worked out by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from math import comb, lcm, prod, sqrt
from statistics import median
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.descriptions import tally
from domain.session.messages import Declared, Rewound
from domain.session.state import Session
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
from projections.statistics_model import SessionReport
from tests.projections.contract import dice_of, die_of, led

Json = dict[str, Any]
Shares = Mapping[int, Fraction]
ORIGINS = ("drawn", "declared")
GROUPS = ("seats", "entities")
MANY_SIDES, RANGES = 20, 10
MIN_TESTED, MIN_IN_WORDS = 10, 5
MAX_OUTCOMES = 12
BREAK_MINUTES = 30
EXACT_DRAWS = 40
"""The distribution of the luck of more draws is not computed here: it would take long."""


class Count(NamedTuple):
    """One count of an event.

    `person` is the seat whose luck it is. `is_compared` is False for secret draws that may have
    been chosen to be seen.
    """

    fact: RecordedEvent
    dice: str
    die: str
    undone: bool
    person: str
    is_compared: bool
    is_hidden: bool
    of: Any

    @property
    def version(self) -> int:
        return self.fact.version

    def name(self, group: str) -> str:
        return self.person if group == "seats" else str(self.of.entity)


class Recomputation:
    """The counts of a session, or of the versions from `first` to `last`.

    The secrets of the turns in `hidden` are left out.
    """

    def __init__(
        self,
        ruleset: AnyRuleset,
        facts: Sequence[RecordedEvent],
        at: Callable[[int], Session],
        *,
        hidden: Collection[int] = (),
        first: int = 1,
        last: int | None = None,
    ) -> None:
        self.span = range(first, (len(facts) if last is None else last) + 1)
        self.is_whole = first == 1 and last is None
        self.lineage = led(facts)
        self.every_rewind = [fact for fact in facts if isinstance(fact.body, Rewound)]
        visible = [fact for fact in facts if not (fact.sealed and fact.turn in hidden)]
        self.facts = [fact for fact in visible if fact.version in self.span]
        counts = {fact.version: tally(ruleset, fact, at) for fact in visible}
        owners = _owners(facts, counts)
        chosen = chosen_seats(facts, at(len(facts)), hidden)
        dice = {turn: dice_of(turn, facts) for turn in {fact.turn for fact in facts}}
        self.every = [
            Count(
                fact,
                dice[fact.turn],
                die_of(fact.turn, facts),
                fact.version not in self.lineage,
                owners[fact.version].get(count.entity, fact.seat),
                not (fact.sealed and (dice[fact.turn], fact.seat) in chosen),
                fact.turn in hidden,
                count,
            )
            for fact in visible
            for count in counts[fact.version]
        ]
        self.within = [each for each in self.every if each.version in self.span]
        self.kept = [each for each in self.within if not each.undone]

    def report(self) -> Json:
        return {
            "faces": {origin: self.faces(origin) for origin in ORIGINS},
            "luck": {
                origin: {group: self.luck(origin, group) for group in GROUPS} for origin in ORIGINS
            },
            "streaks": {
                origin: {group: self.streaks(origin, group) for group in GROUPS}
                for origin in ORIGINS
            },
            "results": {group: self.results(group) for group in GROUPS},
            "points": self.points(),
            "conditions": self.conditions(),
            "boards": self.boards(),
            "usage": self.usage(),
            "rewinds": self.rewinds(),
            "tempo": self.tempo(),
            "draws": self.draws(),
            "secret": self.secret(),
        }

    def faces(self, origin: str) -> Json:
        """Count what the dice showed, also in branches that were undone."""
        rolls = [
            each
            for each in self.within
            if isinstance(each.of, Rolled) and each.dice == origin and each.is_compared
        ]
        found = {}
        for source in {_source(each) for each in rolls}:
            mine = [each for each in rolls if _source(each) == source]
            seats = {
                seat: _faces(
                    [each.of for each in mine if each.fact.seat == seat],
                    {"faces", "repeats"} if origin == "declared" else {"faces"},
                )
                for seat in {each.fact.seat for each in mine}
            }
            tests = {"faces", "repeats"} if origin == "drawn" else {"faces"}
            found[source] = _faces([each.of for each in mine], tests) | {"seats": seats}
            if not self.is_whole:
                for each in (found[source], *seats.values()):
                    del each["tests"]
        return found

    def _attempts(self, counts: Iterable[Count], origin: str, name: str, group: str) -> list[Count]:
        return [each for each in _attempts(counts, origin) if each.name(group) == name]

    def luck(self, origin: str, group: str) -> Json:
        found: Json = {}
        for name in {each.name(group) for each in _attempts(self.kept, origin)}:
            attempts = self._attempts(self.kept, origin, name, group)
            draws = _draws(attempts)
            if not draws:
                continue
            found[name] = {
                "draws": len(draws),
                "z": _z(draws),
                "series": [(draw.version, _z(draws[: n + 1])) for n, draw in enumerate(draws)],
            }
            if tries := [each.of for each in attempts if each.of.successes]:
                found[name]["successes"] = {
                    "seen": sum(each.outcome in each.successes for each in tries),
                    "of": len(tries),
                    "expected": float(
                        sum(
                            Fraction(*each.chances[name])
                            for each in tries
                            for name in each.successes
                        )
                    ),
                }
            if group == "seats" and self.is_whole:
                every = _draws(self._attempts(self.within, origin, name, group))
                found[name] |= _seat_luck(draws, every)
        return found

    def streaks(self, origin: str, group: str) -> Json:
        found: Json = {}
        for name in {each.name(group) for each in _attempts(self.kept, origin)}:
            draws = _draws(self._attempts(self.kept, origin, name, group))
            rows = {"lucky": _streak(draws, 1), "unlucky": _streak(draws, -1)}
            if any(rows.values()):
                found[name] = {way: row for way, row in rows.items() if row}
                if group == "entities":
                    for row in found[name].values():
                        del row["p"]
        return found

    def results(self, group: str) -> Json:
        found: Json = {}
        for each in self.kept:
            is_roll = isinstance(each.of, Attempted) and each.dice and each.is_compared
            if isinstance(each.of, Settled) or (is_roll and len(each.of.chances) <= MAX_OUTCOMES):
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
                pool = pools.setdefault(each.of.pool, {"why": {}, "level": []})
                if each.of.now is not UNSET:
                    begin = each.version - 1, each.of.now - each.of.by
                    pool["level"] = pool["level"] or [begin]
                    pool["level"].append((each.version, each.of.now))
                flow = pool["why"].setdefault(each.of.why, {"gained": 0, "lost": 0, "times": 0})
                flow["gained" if each.of.by > 0 else "lost"] += abs(each.of.by)
                flow["times"] += 1
        return found

    def conditions(self) -> Json:
        """Follow each condition from its beginning, and count what happens in the versions."""
        found: Json = {}
        ticks = [each for each in self.every if isinstance(each.of, Ticked) and not each.undone]
        for entity, name in {(each.of.entity, each.of.condition) for each in ticks}:
            mine = [each for each in ticks if (each.of.entity, each.of.condition) == (entity, name)]
            condition = _condition(mine, self.span)
            if any(condition.values()):
                found.setdefault(entity, {})[name] = condition
        return found

    def boards(self) -> Json:
        found: Json = {}
        landings = [each for each in self.kept if isinstance(each.of, Landed) and each.is_compared]
        for token in {(each.of.entity, each.of.board) for each in landings}:
            mine = [each for each in landings if (each.of.entity, each.of.board) == token]
            board = ""
            for each, after in zip(mine, [*mine[1:], None], strict=True):
                if each.of.how == "rolled" or not board:
                    board = _named(each.of.board, each.dice)
                none = [0] * len(each.of.points)
                into = found.setdefault(
                    board,
                    {
                        "points": list(each.of.points),
                        "rolled": [*none],
                        "expected": [Fraction() for _ in none],
                        "settled": [*none],
                    },
                )
                into["rolled"][each.of.at] += each.of.how == "rolled"
                into["settled"][each.of.at] += after is None or after.of.how == "rolled"
                for point, chance in each.of.chances.items():
                    into["expected"][int(point)] += Fraction(*chance)
        for board in found.values():
            board["expected"] = [float(each) for each in board["expected"]]
        return found

    def usage(self) -> Json:
        rolls = [
            each
            for each in self.kept
            if isinstance(each.of, Wore) and each.dice and each.is_compared
        ]
        found: Json = {}
        for name in {_named(each.of.die, each.dice) for each in rolls}:
            mine = [each.of for each in rolls if _named(each.of.die, each.dice) == name]
            down = [
                ({"down": each.chance}, "down" if each.left != each.die else "") for each in mine
            ]
            found[name] = {"rolls": len(mine), "down": _seen(down)["down"]}
        return found

    def rewinds(self) -> Json:
        undone = [f for f in self._turns() if f.version not in self.lineage]
        rolls = [each for each in _attempts(self.within) if each.dice]
        return {
            "count": sum(isinstance(fact.body, Rewound) for fact in self.facts),
            "turns": len(undone),
            "draws": [self._redrawn(each, rolls) for each in rolls if each.undone],
        }

    def _redrawn(self, each: Count, rolls: Sequence[Count]) -> Json:
        rewind = next(
            fact.version for fact in self.every_rewind if fact.body.to < each.version < fact.version
        )
        alike = (
            other
            for other in rolls
            if other.version > rewind
            and (other.of.entity, other.of.use) == (each.of.entity, each.of.use)
        )
        again = next(alike, None)
        return {
            "draw": _drawn_value(each),
            "seat": each.fact.seat,
            "entity": each.of.entity,
            "use": each.of.use,
            "rewind": rewind,
        } | ({} if again is None else {"next": _drawn_value(again)})

    def _turns(self) -> list[RecordedEvent]:
        return [fact for fact in self.facts if isinstance(fact.body, Declared)]

    def tempo(self) -> Json:
        turns = self._turns()
        waits = [(after, (after.at - before.at) / 60_000) for before, after in pairwise(turns)]
        gaps = [(turn, minutes) for turn, minutes in waits if minutes <= BREAK_MINUTES]
        seconds = [round(minutes * 60) for _, minutes in gaps]
        return {
            "turns": len(turns),
            "minutes": sum(minutes for _, minutes in gaps),
            "minutes_per_turn": median(seconds or [0]) / 60,
            "breaks": len(waits) - len(gaps),
            "seats": {
                seat: {
                    "turns": sum(turn.seat == seat for turn in turns),
                    "share": sum(turn.seat == seat for turn in turns) / len(turns),
                    "minutes": sum(gap for turn, gap in gaps if turn.seat == seat),
                }
                for seat in {turn.seat for turn in turns}
            },
            "gaps": [(turn.version, gap) for turn, gap in gaps],
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
                    "draw": each.of.draw,
                    "seat": each.of.entity[1:],
                    "missing": each.of.missing,
                }
                for each in voids
            ],
            "missing": _times(seat for each in voids for seat in each.of.missing),
        }

    def secret(self) -> Json:
        """Count the secret draws of the seats of which some are hidden."""
        found: Json = {}
        secrets = [
            each for each in self.within if isinstance(each.of, Graded) and each.of.is_secret
        ]
        secrets = [each for each in secrets if each.dice == "drawn"]
        for seat in {each.of.entity for each in secrets if each.is_hidden}:
            mine = [each for each in secrets if each.of.entity == seat]
            number_open = sum(not each.is_hidden for each in mine)
            found[seat[1:]] = {"draws": len(mine), "open": number_open}
        return found


def _owners(
    facts: Sequence[RecordedEvent], counts: Mapping[int, Sequence[Any]]
) -> dict[int, dict[str, str]]:
    """Return who plays each entity after each version, in the branch of that version."""
    owners: dict[int, dict[str, str]] = {0: {}}
    for fact in facts:
        before = fact.body.to if isinstance(fact.body, Rewound) else fact.version - 1
        new = [each for each in counts.get(fact.version, ()) if isinstance(each, Owned)]
        owners[fact.version] = owners[before] | {each.entity: each.seat for each in new}
    return owners


def chosen_seats(
    facts: Sequence[RecordedEvent], session: Session, hidden: Collection[int]
) -> set[tuple[str, str]]:
    """Return the origin and the seat of secret values of which some are hidden."""
    found = set()
    for turn in hidden:
        first = next(fact for fact in facts if fact.turn == turn)
        if not first.sealed and dice_of(turn, facts) == "drawn":
            found.add(("drawn", first.seat))
        if first.sealed and session.info.options.get("declared_dice"):
            found.add(("declared", first.seat))
    return found


def _source(each: Count) -> str:
    return f"{each.of.source} ({each.die})" if each.die else str(each.of.source)


def _named(name: str, dice: str) -> str:
    return f"{name}, declared" if dice == "declared" else name


def _faces(rolls: Sequence[Rolled], tests: Collection[str]) -> Json:
    sides = 0 if rolls[0].left else int(rolls[0].source[1:])
    values = _seen([(_face_chances(roll), _face_label(roll.value, sides)) for roll in rolls])
    found: Json = {"draws": len(rolls), "values": values, "tests": {}}
    if sides > 1 and len(rolls) >= MIN_TESTED:
        x2 = sum((of["seen"] - of["expected"]) ** 2 / of["expected"] for of in values.values())
        found["tests"]["faces"] = {"draws": len(rolls), "statistic": x2, "df": len(values) - 1}
    if sides > 1 and len(rolls) > MIN_TESTED and "repeats" in tests:
        pairs = list(pairwise(roll.value for roll in rolls))
        found["tests"]["repeats"] = _repeats(sum(a == b for a, b in pairs), len(pairs), sides)
    return found


def _repeats(repeats: int, pairs: int, sides: int) -> Json:
    """Return the binomial test, two-sided, with half of the probability of this very number."""
    ways = [comb(pairs, k) * (sides - 1) ** (pairs - k) for k in range(pairs + 1)]
    less = Fraction(2 * sum(ways[:repeats]) + ways[repeats], 2 * sides**pairs)
    p = float(min(1, 2 * min(less, 1 - less)))
    return {"draws": pairs, "statistic": float(repeats), "p": p}


def _face_chances(roll: Rolled) -> dict[str, tuple[int, int]]:
    if roll.left:
        return {value: (roll.left.count(value), len(roll.left)) for value in roll.left}
    sides = int(roll.source[1:])
    labels = [_face_label(str(face), sides) for face in range(1, sides + 1)]
    return {label: (labels.count(label), sides) for label in labels}


def _face_label(face: str, sides: int) -> str:
    """Return the face, or the tenth of the faces that it is in."""
    if sides <= MANY_SIDES:
        return face
    tenths = groupby(range(1, sides + 1), key=lambda each: (each - 1) * RANGES // sides)
    [label] = [
        f"{tenth[0]} to {tenth[-1]}"
        for tenth in (list(faces) for _, faces in tenths)
        if int(face) in tenth
    ]
    return label


class Luck(NamedTuple):
    """The luck of each outcome, and the probability of each luck, with its mean and variance."""

    points: Mapping[str, int]
    shares: Shares
    mean: Fraction
    variance: Fraction


class Draw(NamedTuple):
    """The luck of a draw, and the luck that it could have had."""

    version: int
    points: int
    luck: Luck

    @property
    def shares(self) -> Shares:
        return self.luck.shares


def _attempts(counts: Iterable[Count], origin: str = "") -> list[Count]:
    return [
        each
        for each in counts
        if isinstance(each.of, Attempted)
        and each.is_compared
        and (each.dice == origin or not origin)
    ]


def _draws(attempts: Iterable[Count]) -> list[Draw]:
    """Return the draws that have luck."""
    return [
        Draw(each.version, luck.points[each.of.outcome], luck)
        for each in attempts
        if (luck := luck_of(each.of)) is not None
    ]


def luck_of(attempt: Attempted) -> Luck | None:
    """Return the luck of what could come, or None if the attempt has no luck."""
    if not attempt.is_ranked or len(attempt.chances) == 1:
        return None
    return _luck(tuple(attempt.chances.items()))


@cache
def _luck(chances: Sequence[tuple[str, tuple[int, int]]]) -> Luck:
    worse, points, shares = Fraction(), {}, dict[int, Fraction]()
    for outcome, chance in chances:
        share = Fraction(*chance)
        better = 1 - worse - share
        exact = 50 * (worse - better)
        luck = points[outcome] = int(abs(exact) + Fraction(1, 2)) * (1 if exact > 0 else -1)
        shares[luck] = shares.get(luck, Fraction()) + share
        worse += share
    mean = sum((at * share for at, share in shares.items()), Fraction())
    variance = sum((share * (at - mean) ** 2 for at, share in shares.items()), Fraction())
    return Luck(points, shares, mean, variance)


def _z(draws: Sequence[Draw]) -> float:
    off = sum(draw.points - draw.luck.mean for draw in draws)
    return float(off) / sqrt(sum(draw.luck.variance for draw in draws))


def _seat_luck(draws: Sequence[Draw], every: Sequence[Draw]) -> Json:
    found: Json = {"undone": len(every) - len(draws), "tests": {}}
    if MIN_IN_WORDS <= len(draws) <= EXACT_DRAWS:
        found["percentile"] = float(tails(draws)[0])
    if len(every) >= MIN_TESTED:
        found["tests"]["luck"] = {"draws": len(every), "statistic": _z(every)}
    if MIN_TESTED <= len(every) <= EXACT_DRAWS:
        p = float(min(1, 2 * min(tails(every))))
        found["tests"]["luck"] |= {"p": p, "method": "exact"}
    return found


def tails(draws: Sequence[Draw]) -> tuple[Fraction, Fraction]:
    """Return the probabilities of less luck and of more; half of that of equal luck is in each."""
    ways, whole = {0: 1}, 1
    for draw in draws:
        below = lcm(*(share.denominator for share in draw.shares.values()))
        of_draw = {at: int(share * below) for at, share in draw.shares.items()}
        after: dict[int, int] = {}
        for total, number in ways.items():
            for at, times in of_draw.items():
                after[total + at] = after.get(total + at, 0) + number * times
        ways, whole = after, whole * below
    came = sum(draw.points for draw in draws)
    same = ways.get(came, 0)
    less = 2 * sum(number for total, number in ways.items() if total < came) + same
    return Fraction(less, 2 * whole), 1 - Fraction(less, 2 * whole)


def _streak(draws: Sequence[Draw], side: int) -> Json:
    """Return the first of the longest rows of draws whose luck is on that side of 0."""
    rows, longest = (
        [list(row) for _, row in groupby(draws, lambda draw: draw.points * side > 0)],
        [],
    )
    for row in rows:
        if row[0].points * side > 0 and len(row) > len(longest):
            longest = row
    if not longest:
        return {}
    chances = [sum(share for at, share in draw.shares.items() if at * side > 0) for draw in draws]
    return {
        "length": len(longest),
        "first": longest[0].version,
        "last": longest[-1].version,
        "p": chance_of_row(len(longest), chances),
    }


def chance_of_row(length: int, chances: Sequence[Fraction]) -> float:
    """Follow the probability of each length that the last row can have, until it is reached."""
    lengths, reached = [1.0] + [0.0] * (length - 1), 0.0
    for chance in map(float, chances):
        reached += lengths[-1] * chance
        lengths = [sum(lengths) * (1 - chance), *(before * chance for before in lengths[:-1])]
    return reached


def _use(counts: Sequence[Count]) -> Json:
    settled = [each.of for each in counts if isinstance(each.of, Settled)]
    drawn, declared = (
        _seen(
            [
                (each.of.chances, each.of.outcome)
                for each in counts
                if isinstance(each.of, Attempted) and each.dice == dice
            ]
        )
        for dice in ORIGINS
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


def _condition(ticks: Sequence[Count], span: range) -> Json:
    """Count the rounds from one tick to the next, if time passed between them."""
    found, left, row = {"begun": 0, "ended": 0, "rounds": 0, "longest": 0}, 0, 0
    for each in ticks:
        is_new = each.of.is_set and each.of.rounds and each.of.rounds >= left
        # A condition can have begun, or been set to more rounds, in a secret or before a fork.
        passed = 0 if each.of.is_set else max(0, left - each.of.rounds)
        left = each.of.rounds
        if each.version in span:
            row += passed
            found["begun"] += bool(is_new)
            found["rounds"] += passed
            found["ended"] += not left
            found["longest"] = max(found["longest"], row)
        row = row if left else 0
    return found


def _seen(draws: Sequence[tuple[Mapping[str, tuple[int, int]], str]]) -> Json:
    found = {}
    for value in {value for chances, _ in draws for value in chances}:
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
    """Return the bounds that at most one count in forty lies below, or above, exactly."""
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


def _drawn_value(each: Count) -> Json:
    found = {"version": each.version, "value": each.of.value, "outcome": each.of.outcome}
    luck = luck_of(each.of)
    return found if luck is None else found | {"luck": luck.points[each.of.outcome]}


def _times(names: Iterable[str]) -> dict[str, int]:
    every = list(names)
    return {name: every.count(name) for name in every}


def compare(found: SessionReport, slow: Recomputation) -> None:
    """Raise AssertionError if they differ by more than numbers are rounded."""
    shown = msgspec.to_builtins(found)
    for name, expected in slow.report().items():
        assert not (apart := list(_differences(shown[name], expected, name))), "\n".join(apart[:20])


MORE = {
    "adjusted", "error", "evidence", "even", "luck", "mean", "method", "p", "percentile", "streak", "survived",
    "tests", "text", "verdict", "seats", "biases", "df", "faces", "repeats",
}  # fmt: skip
"""What a report has that is not recomputed, or not always."""


def _differences(found: Any, expected: Any, path: str) -> Iterator[str]:
    if isinstance(expected, dict):
        missing = {key for key in expected.keys() - found.keys() if expected[key]}
        if missing or found.keys() - expected.keys() - MORE:
            yield f"{path}: {sorted(found)}, not {sorted(expected)}"
        for key in found.keys() & expected.keys():
            yield from _differences(found[key], expected[key], f"{path}.{key}")
    elif isinstance(expected, list | tuple):
        if len(found) != len(expected):
            yield f"{path}: {found!r}, not {expected!r}"
        for nth, (one, other) in enumerate(zip(found, expected, strict=False)):
            yield from _differences(one, other, f"{path}[{nth}]")
    elif isinstance(expected, float | int):
        if abs(found - expected) > _tolerance(path, expected):
            yield f"{path}: {found!r}, not {expected!r}"
    elif found != expected:
        yield f"{path}: {found!r}, not {expected!r}"


def _tolerance(path: str, expected: float) -> float:
    """Return how far a number may be off, because it was rounded."""
    if path.endswith((".p", ".percentile")):
        return max(1e-5 * expected, 1e-38)
    if "minutes" in path or "gaps" in path:
        return 6e-4
    return 1e-4 if "series" in path or "share" in path else 2e-6
