"""Random sessions of Pentola that get somewhere: mostly commands that the table waits for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from domain.chance import Enumerated
from domain.decider import By, Refused, fold
from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola import events as e
from domain.rulesets.pentola import ruleset
from domain.rulesets.pentola.rules import (
    Bonus,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Options,
    Phase,
)
from domain.rulesets.pentola.state import Moment, State
from tests.domain.rulesets.pentola.people import GM, P1, P2, SPECTATOR

IDS = ("ana", "ben", "rat", "owl")
R = "so it is"
OPENING: tuple[tuple[By, c.Command], ...] = (
    (P1, c.CreatePc("ana", "Ana", 13, 10, 6)),
    (P2, c.CreatePc("ben", "Ben", 9, 14)),
    (GM, c.CreateNpc("rat", "The rat", 3, 2)),
    (GM, c.CreateNpc("owl", "The owl", 4, 17)),
    (GM, c.CreateThing("door", "The door")),
    (P1, c.AddBonus("ana", "locks", Bonus.SKILL, 40)),
    (P1, c.AddBonus("ana", "burglar", Bonus.VOCATION, 25)),
    (GM, c.AddBonus("owl", "wise", Bonus.REPUTATION, 99)),
    (P2, c.AddItem("ben", "rope", Die.D4)),
    (P1, c.AddAbility("ana", "luck", Die.D6)),
    (GM, c.SetDistance("ana", "door", Distance.NEAR)),
    (GM, c.SetDistance("rat", "ana", Distance.DISTANT)),
)


class Turn(NamedTuple):
    """A command, the state before it, and its events or the rule that refused it."""

    state: State
    command: c.Command
    by: By
    asked: list[int]
    events: tuple[e.Event, ...]
    refused: str


def random_session(seed: int, length: int = 200) -> Iterator[Turn]:
    """Yield turns. Any exception but Refused breaks a law."""
    chosen = random.Random(seed)
    state = ruleset.decider.initial(Options(chosen.random() < 0.3))
    opening = iter(OPENING)
    for _ in range(length):
        by, command = next(opening, None) or _random_command(state, chosen)
        chance = _Faces([chosen.choice((1, chosen.randint(1, 100), 100)) for _ in range(4)])
        events: tuple[e.Event, ...] = ()
        refused = ""
        try:
            events = ruleset.decider.decide(state, command, by, chance)
        except Refused as refusal:
            refused = refusal.rule
        yield Turn(state, command, by, chance.sides, events, refused)
        state = fold(ruleset.decider.evolve, state, events)


class _Faces(Enumerated):
    """Faces that fit the die that is rolled."""

    def draw(self, sides: int) -> int:
        return (super().draw(sides) - 1) % sides + 1


def _random_command(state: State, chosen: random.Random) -> tuple[By, c.Command]:
    waiting = list(_expected_commands(state, chosen))
    if waiting and chosen.random() < 0.7:
        return GM, chosen.choice(waiting)
    by = chosen.choice((GM, GM, P1, P2, SPECTATOR))
    return by, chosen.choice(list(_other_commands(state, chosen)))


def _expected_commands(state: State, chosen: random.Random) -> Iterator[c.Command]:
    """Yield the commands that the table waits for."""
    bonuses = chosen.choice((UNSET, ("locks",), ("locks", "burglar"), ()))
    difficulty, characteristic = (
        chosen.choice(list(Difficulty)),
        chosen.choice(list(Characteristic)[:2]),
    )
    for entity, action in state.actions.items():
        if action.ruling is UNSET and entity not in state.tests:
            yield c.ExplainApproach(entity, "somehow")
            yield c.CallTest(entity, characteristic, difficulty)
            yield c.RuleAutomatic(entity, chosen.choice(list(Finding)))
    for entity, test in state.tests.items():
        yield from [c.Oppose(entity, other, characteristic, difficulty) for other in IDS]
        if test.score is UNSET:
            yield c.RollTest(entity, bonuses if entity == "ana" else UNSET)
    if state.moment is UNSET:
        yield c.StartMoment()
    else:
        yield from _moment_commands(state.moment, chosen)


def _moment_commands(moment: Moment, chosen: random.Random) -> Iterator[c.Command]:
    who = moment.at if moment.at is not UNSET else chosen.choice(moment.ids)
    flag, extra = chosen.choice((UNSET, True)), chosen.choice((UNSET, True))
    if moment.phase is Phase.ROLLING:
        yield c.RollInitiative(chosen.choice(moment.ids))
        yield c.RollRest()
        yield c.SetInitiative(who, chosen.choice(list(Difficulty)))
    if moment.phase is Phase.DECLARING:
        yield c.DeclareAction(who, "win", "a kick", flag, extra)
        yield c.DeclareReaction(who, "a dodge", chosen.choice(moment.ids), UNSET, UNSET, extra)
        yield c.DeclareMove(who, chosen.choice(("door", *IDS)), flag, UNSET, extra)
        yield c.EndDeclaration(who)


def _other_commands(state: State, chosen: random.Random) -> Iterator[c.Command]:
    one, other = chosen.choice(("ana", "ben", "rat", "nobody")), chosen.choice((*IDS, "door"))
    yield c.DeclareIntent(one, "win", chosen.choice((UNSET, "by wit")))
    yield c.Withdraw(one)
    yield c.UseItem("ben", "rope")
    yield c.RollUsage("ben", "rope")
    yield c.UseAbility("ana", "luck")
    yield c.PassMinute()
    yield c.AdjustUsageDie("ben", "rope", chosen.choice(list(Die)), R)
    yield c.AdjustBonus("ana", "locks", chosen.randint(0, 300), R)
    yield c.AdjustCharacteristic(
        one, chosen.choice(list(Characteristic)), chosen.randint(1, 100), R
    )
    yield c.RuleBonus("ana", "locks", chosen.random() < 0.5)
    yield c.SetDistance(one, other, chosen.choice(list(Distance)))
    yield c.StartMoment(tuple(chosen.sample(IDS, chosen.randint(0, 4))))
    yield c.SetOrder(tuple(chosen.sample(IDS, 4)), R)
    if chosen.random() < 0.2:
        yield c.EndMoment(R)
