"""Every figure against a slow, obvious recomputation from the facts of random evenings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import UNSET

from domain.fact import Fact
from domain.ruleset import Room
from domain.rulesets import RULESETS
from domain.session.messages import Declared, Rewound
from domain.session.telling import tally
from domain.tally import Count, Moved, Rolled, Settled, Ticked
from projections.tallies import evening_of
from tests.evenings import play
from tests.projections.contract import dice_of, led
from tests.scale import scale
from workers.statistics import figures

SEEDS = range(scale(4, 40))


class Counting(NamedTuple):
    fact: Fact
    dice: str
    undone: bool
    count: Any


class Played(NamedTuple):
    room: Room
    facts: list[Fact]
    figures: dict[str, Any]

    def all(self) -> Iterator[Counting]:
        lineage = led(self.facts)
        for fact in self.facts:
            for count in tally(self.room, fact):
                yield Counting(fact, dice_of(fact.turn, self.facts), fact.version not in lineage, count)

    def kept(self, kind: type[Count]) -> list[Counting]:
        return [each for each in self.all() if not each.undone and isinstance(each.count, kind)]


EVENINGS = [pytest.param((room, seed), id=f"{room.name}-{seed}") for room in RULESETS for seed in SEEDS]


@pytest.fixture(scope="module", params=EVENINGS)
def played(request: pytest.FixtureRequest) -> Played:
    room, seed = request.param
    facts = play(seed, 200, room, rewinds=0.03)
    return Played(room, facts, figures(evening_of(room, facts)))


def test_figures_are_plain_json_as_of_a_version(played: Played) -> None:
    assert msgspec.json.decode(msgspec.json.encode(played.figures)) == played.figures
    assert played.figures["version"] == len(played.facts)


@pytest.mark.parametrize("dice", ["drawn", "declared"])
def test_faces(played: Played, dice: str) -> None:
    seen: dict[tuple[str, str], int] = {}
    expected: dict[tuple[str, str], Fraction] = {}
    for each in played.kept(Rolled):
        if each.dice == dice:
            key = each.count.source, each.count.value
            seen[key] = seen.get(key, 0) + 1
            for value, chance in each.count.chances.items():
                key = each.count.source, value
                expected[key] = expected.get(key, Fraction()) + Fraction(*chance)
    figure = {
        (source, value): entry
        for source, values in played.figures["faces"][dice].items()
        for value, entry in values.items()
    }
    assert figure.keys() == seen.keys() | expected.keys()
    for key, entry in figure.items():
        assert entry == {"seen": seen.get(key, 0), "expected": pytest.approx(float(expected[key]), abs=1e-6)}


@pytest.mark.parametrize("group", ["seats", "entities"])
def test_results(played: Played, group: str) -> None:
    def name(each: Counting) -> str:
        return each.fact.seat if group == "seats" else str(each.count.entity)

    def number(kind: type[Count], who: str, use: str, **fields: str) -> int:
        return sum(
            name(each) == who
            and each.count.use == use
            and all(getattr(each.count, field, each.dice) == value for field, value in fields.items())
            for each in played.kept(kind)
        )

    def chance(who: str, use: str, outcome: str, dice: str) -> float:
        return float(
            sum(
                Fraction(*each.count.outcomes[outcome])
                for each in played.kept(Rolled)
                if name(each) == who and each.count.use == use and each.dice == dice and outcome in each.count.outcomes
            )
        )

    figure = played.figures["results"][group]
    wanted = [each for each in played.kept(Rolled) if each.count.outcome is not UNSET] + played.kept(Settled)
    assert {(who, use) for who, uses in figure.items() for use in uses} == {
        (name(each), each.count.use) for each in wanted
    }
    for who, uses in figure.items():
        for use, entry in uses.items():
            for outcome, found in entry["outcomes"].items():
                assert found["settled"] == number(Settled, who, use, outcome=outcome)
                for dice in ("drawn", "declared"):
                    assert found[dice]["seen"] == number(Rolled, who, use, outcome=outcome, dice=dice)
                    assert found[dice]["expected"] == pytest.approx(chance(who, use, outcome, dice), abs=1e-6)
            for rolled, ends in entry["changed"].items():
                for outcome, times in ends.items():
                    assert times == number(Settled, who, use, rolled=rolled, outcome=outcome)
    assert total(figure, "settled") == len(played.kept(Settled))
    assert sum(
        times
        for uses in figure.values()
        for entry in uses.values()
        for ends in entry["changed"].values()
        for times in ends.values()
    ) == sum(each.count.rolled is not UNSET for each in played.kept(Settled))


def total(figure: dict[str, Any], what: str) -> int:
    return sum(
        found[what] for uses in figure.values() for entry in uses.values() for found in entry["outcomes"].values()
    )


def test_points(played: Played) -> None:
    found = {
        (entity, pool, why): entry
        for entity, pools in played.figures["points"].items()
        for pool, whys in pools.items()
        for why, entry in whys.items()
    }
    moves = [each.count for each in played.kept(Moved)]
    assert found == {
        key: {
            "gained": sum(max(0, move.by) for move in moves if (move.entity, move.pool, move.why) == key),
            "lost": sum(max(0, -move.by) for move in moves if (move.entity, move.pool, move.why) == key),
            "times": sum((move.entity, move.pool, move.why) == key for move in moves),
        }
        for key in {(move.entity, move.pool, move.why) for move in moves}
    }


def test_conditions(played: Played) -> None:
    ticks: dict[tuple[str, str], list[int]] = {}
    for each in played.kept(Ticked):
        ticks.setdefault((each.count.entity, each.count.condition), []).append(each.count.rounds)
    found = {
        (entity, condition): entry
        for entity, held in played.figures["conditions"].items()
        for condition, entry in held.items()
    }
    assert found.keys() == ticks.keys()
    for key, rounds in ticks.items():
        before = [0, *rounds]
        assert found[key] == {
            "ended": rounds.count(0),
            "begun": sum(0 < now >= last for last, now in zip(before, rounds, strict=False)),
            "rounds": sum(0 < now < last for last, now in zip(before, rounds, strict=False)),
        }
        assert sum(found[key].values()) == len(rounds)


def test_rewinds(played: Played) -> None:
    figure, lineage = played.figures["rewinds"], led(played.facts)
    assert figure["count"] == sum(isinstance(fact.body, Rewound) for fact in played.facts)
    assert figure["turns"] == sum(isinstance(f.body, Declared) and f.version not in lineage for f in played.facts)
    drawn = [each for each in played.all() if each.dice == "drawn" and isinstance(each.count, Rolled)]
    undone = [each for each in drawn if each.undone]
    assert [entry["version"] for entry in figure["draws"]] == [each.fact.version for each in undone]
    for entry, each in zip(figure["draws"], undone, strict=True):
        left = next(
            fact.version
            for fact in played.facts[each.fact.version :]
            if isinstance(fact.body, Rewound) and each.fact.version not in led(played.facts[: fact.version])
        )
        later = [
            other
            for other in drawn
            if other.fact.version > left
            and (other.fact.seat, other.count.use, other.count.source)
            == (each.fact.seat, each.count.use, each.count.source)
        ]
        assert entry["rewind"] == left
        assert entry["value"] == each.count.value
        assert entry.get("next", {}).get("version") == (later[0].fact.version if later else None)


def test_tempo(played: Played) -> None:
    declared = [fact for fact in played.facts if isinstance(fact.body, Declared)]
    gaps = sorted(later.at - earlier.at for earlier, later in pairwise(declared))
    middle = (gaps[(len(gaps) - 1) // 2] + gaps[len(gaps) // 2]) / 2
    figure = played.figures["tempo"]
    assert figure["turns"] == len(declared)
    assert figure["minutes"] == pytest.approx((declared[-1].at - declared[0].at) / 60_000, abs=1e-3)
    assert figure["minutes_per_turn"] == pytest.approx(middle / 60_000, abs=1e-3)
    for seat, entry in figure["seats"].items():
        number = sum(fact.seat == seat for fact in declared)
        assert entry == {"turns": number, "share": pytest.approx(number / len(declared), abs=1e-4)}
    assert sum(entry["turns"] for entry in figure["seats"].values()) == len(declared)


@pytest.mark.parametrize("room", RULESETS, ids=lambda room: room.name)
def test_the_generated_evenings_have_something_to_count(room: Room) -> None:
    """Else the comparisons above would be of nothing."""
    every: list[Any] = [figures(evening_of(room, play(seed, 200, room, rewinds=0.03))) for seed in SEEDS]
    for part in ("results", "rewinds"):
        assert any(figure[part] for figure in every), part
    drawn = [values for figure in every for values in figure["faces"]["drawn"].values()]
    assert sum(entry["seen"] for values in drawn for entry in values.values()) > 5 * len(
        SEEDS
    )  # Pentola rolls only where it matters


def test_some_room_has_points_to_count() -> None:
    assert any(figures(evening_of(room, play(SEEDS[0], 200, room)))["points"] for room in RULESETS)
