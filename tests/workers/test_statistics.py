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

    def number(self, kind: type[Count], **fields: str) -> int:
        """How many counts of the kind have these fields."""
        return len(list(self.where(kind, **fields)))

    def where(self, kind: type[Count], **fields: str) -> Iterator[Counting]:
        for each in self.kept(kind):
            known = {"seats": each.fact.seat, "entities": str(each.count.entity), "dice": each.dice}
            if all(known.get(field, getattr(each.count, field, None)) == value for field, value in fields.items()):
                yield each


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


each_group = pytest.mark.parametrize("group", ["seats", "entities"])


@each_group
def test_results_are_of_whoever_has_any(played: Played, group: str) -> None:
    rolled = [each for each in played.kept(Rolled) if each.count.outcome is not UNSET]
    found = {(who, use) for who, uses in played.figures["results"][group].items() for use in uses}
    assert found == {
        (each.fact.seat if group == "seats" else each.count.entity, each.count.use)
        for each in (*rolled, *played.kept(Settled))
    }


@each_group
def test_results_rolled_and_settled(played: Played, group: str) -> None:
    for use, who, entry in entries(played, group):
        for outcome, found in entry["outcomes"].items():
            fields = {group: who, "use": use, "outcome": outcome}
            assert found["settled"] == played.number(Settled, **fields)
            for dice in ("drawn", "declared"):
                assert found[dice]["seen"] == played.number(Rolled, dice=dice, **fields)
                chances = [each.count.outcomes for each in played.where(Rolled, dice=dice, **{group: who, "use": use})]
                expected = sum(Fraction(*chance[outcome]) for chance in chances if outcome in chance)
                assert found[dice]["expected"] == pytest.approx(float(expected), abs=1e-6)
    assert total(played.figures["results"][group], "settled") == len(played.kept(Settled))


@each_group
def test_results_that_were_changed(played: Played, group: str) -> None:
    changes = 0
    for use, who, entry in entries(played, group):
        for rolled, ends in entry["changed"].items():
            for outcome, times in ends.items():
                assert times == played.number(Settled, **{group: who, "use": use, "rolled": rolled, "outcome": outcome})
                changes += times
    assert changes == sum(each.count.rolled is not UNSET for each in played.kept(Settled))


def entries(played: Played, group: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Use, who, and the results of both."""
    for who, uses in played.figures["results"][group].items():
        yield from ((use, who, entry) for use, entry in uses.items())


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
    seen = sum(entry["seen"] for values in drawn for entry in values.values())
    assert seen > 3 * len(SEEDS)  # Pentola rolls only where it matters


def test_some_room_has_points_to_count() -> None:
    assert any(figures(evening_of(room, play(SEEDS[0], 200, room)))["points"] for room in RULESETS)
