"""Seeded draws against their exact odds: every die of the room, the outcomes of tests, who wins and who acts first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from scipy.stats import chisquare

from domain import odds
from domain.decider import By
from domain.proof.chain import value
from domain.ruleset import Message
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola import ruleset
from domain.rulesets.pentola.rules import CHAIN, SIDES, Usable
from domain.tally import Rolled, Settled
from tests.domain.rulesets.given import after
from tests.domain.rulesets.pentola.people import (
    EASY,
    GM,
    HARD,
    P1,
    P2,
    TABLE,
    called,
    initiative,
    opposed,
    rolled,
    started,
)
from tests.scale import scale

DRAWS = scale(8_000, 100_000)
DICE = [e.UsableAdded("toph", f"a {die}", Usable.ABILITY, die) for die in CHAIN[:-1]]

COMMANDS: list[tuple[str, Sequence[Message], By, Message]] = [
    ("a test against 36", called("toph"), P1, c.RollTest("toph")),
    (
        "an easy one against 158",
        called("toph", difficulty=EASY),
        P1,
        c.RollTest("toph", ("fencing",)),
    ),
    ("a hard one against 18", called("toph", difficulty=HARD), P1, c.RollTest("toph")),
    (
        "the last roll of an opposed test",
        [*called("tarasi"), opposed("tarasi", "toph"), rolled("tarasi", "tarasi", 50, 0, 21)],
        P1,
        c.RollTest("toph", ("fencing",)),
    ),
    (
        "the last initiative of two",
        [started("toph", "tarasi"), initiative("toph", 31)],
        P2,
        c.RollInitiative("tarasi", ("gearslinger",)),
    ),
    (
        "two at once, of three",
        [started("toph", "galner", "guard"), initiative("toph", 31)],
        GM,
        c.RollRest(("needlejutsu",)),
    ),
    *((f"the usage die {die}", DICE, P1, c.UseAbility("toph", f"a {die}")) for die in CHAIN[:-1]),
]


class Drawn:
    """The values of one seed, in the order asked (fairness.md)."""

    def __init__(self, name: str, nth: int) -> None:
        self.seed, self.asked = f"{name} {nth}".encode().ljust(32, b"\0"), 0

    def draw(self, sides: int) -> int:
        self.asked += 1
        return value(self.seed, self.asked - 1, sides)


def fits(seen: Mapping[str, int], chances: Mapping[str, Fraction]) -> bool:
    """Neither too far from the chances nor too near."""
    draws = sum(seen.values())
    assert set(seen) <= set(chances)
    names = sorted(chances)
    expected = [float(chances[name] * draws) for name in names]
    p = chisquare([seen.get(name, 0) for name in names], expected).pvalue
    return bool(0.001 < p < 0.999)


@pytest.mark.parametrize(
    ("name", "given", "by", "when"), COMMANDS, ids=[row[0] for row in COMMANDS]
)
def test_outcomes_agree_with_the_odds(
    name: str, given: Sequence[Message], by: By, when: Message
) -> None:
    state = after(when, [*TABLE, *given])
    seen = Counter(outcome(state, when, by, Drawn(name, nth)) for nth in range(DRAWS))
    assert fits(seen, odds.odds(ruleset, state, when, by))


def outcome(state: object, when: Message, by: By, drawn: Drawn) -> str:
    events = ruleset.decider.decide(state, when, by, drawn)  # type: ignore[arg-type]
    counts = (count for event in events for count in ruleset.tally(event))
    *_, last = (count.outcome for count in counts if isinstance(count, Rolled | Settled))
    return str(last)


@pytest.mark.parametrize("sides", [100, *(SIDES[die] for die in CHAIN[:-1])])
def test_each_face_of_each_die(sides: int) -> None:
    chance = Drawn("faces", sides)
    seen = Counter(str(chance.draw(sides)) for _ in range(DRAWS))
    assert fits(seen, {str(face): Fraction(1, sides) for face in range(1, sides + 1)})
