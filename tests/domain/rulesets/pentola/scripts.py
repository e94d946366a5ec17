"""Random evenings of this room that get somewhere: mostly what the table waits for, sometimes anything."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from domain.chance import Enumerated
from domain.decider import By, Refused, fold
from domain.rulesets.pentola import ruleset
from domain.rulesets.pentola.messages.commands import Command
from domain.rulesets.pentola.messages.commands import moments as m
from domain.rulesets.pentola.messages.commands import play as p
from domain.rulesets.pentola.messages.events import Event
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
OPENING: tuple[tuple[By, Command], ...] = (
    (P1, p.CreatePc("ana", "Ana", 13, 10, 6)),
    (P2, p.CreatePc("ben", "Ben", 9, 14)),
    (GM, p.CreateNpc("rat", "The rat", 3, 2)),
    (GM, p.CreateNpc("owl", "The owl", 4, 17)),
    (GM, p.CreateThing("door", "The door")),
    (P1, p.AddBonus("ana", "locks", Bonus.SKILL, 40)),
    (P1, p.AddBonus("ana", "burglar", Bonus.VOCATION, 25)),
    (GM, p.AddBonus("owl", "wise", Bonus.REPUTATION, 99)),
    (P2, p.AddItem("ben", "rope", Die.D4)),
    (P1, p.AddAbility("ana", "luck", Die.D6)),
    (GM, p.SetDistance("ana", "door", Distance.NEAR)),
    (GM, p.SetDistance("rat", "ana", Distance.DISTANT)),
)


class Turn(NamedTuple):
    """A command, the state before it and what it came to: events, or the rule that refused it."""

    state: State
    command: Command
    by: By
    asked: list[int]
    events: tuple[Event, ...]
    refused: str


def evening(seed: int, length: int = 200) -> Iterator[Turn]:
    """Any exception but Refused breaks the law."""
    chosen = random.Random(seed)
    state = ruleset.decider.initial(Options(chosen.random() < 0.3))
    wishes = iter(OPENING)
    for _ in range(length):
        by, command = next(wishes, None) or _wish(state, chosen)
        chance = Enumerated([chosen.choice((1, chosen.randint(1, 100), 100)) for _ in range(4)])
        turn = _judged(state, command, by, _Within(chance))
        yield turn
        state = fold(ruleset.decider.evolve, state, turn.events)


class _Within:
    """Faces that fit the die that is asked for."""

    def __init__(self, chance: Enumerated) -> None:
        self.chance = chance

    def draw(self, sides: int) -> int:
        return (self.chance.draw(sides) - 1) % sides + 1


def _judged(state: State, command: Command, by: By, within: _Within) -> Turn:
    try:
        events = ruleset.decider.decide(state, command, by, within)
    except Refused as refused:
        return Turn(state, command, by, within.chance.sides, (), refused.rule)
    return Turn(state, command, by, within.chance.sides, events, "")


def _wish(state: State, chosen: random.Random) -> tuple[By, Command]:
    waiting = list(_waiting(state, chosen))
    if waiting and chosen.random() < 0.7:
        return GM, chosen.choice(waiting)
    by = chosen.choice((GM, GM, P1, P2, SPECTATOR))
    return by, chosen.choice(list(_anything(state, chosen)))


def _waiting(state: State, chosen: random.Random) -> Iterator[Command]:
    """What the table waits for now."""
    bonuses = chosen.choice((UNSET, ("locks",), ("locks", "burglar"), ()))
    difficulty, characteristic = (
        chosen.choice(list(Difficulty)),
        chosen.choice(list(Characteristic)[:2]),
    )
    for entity, action in state.actions.items():
        if action.ruling is UNSET and entity not in state.tests:
            yield p.ExplainApproach(entity, "somehow")
            yield p.CallTest(entity, characteristic, difficulty)
            yield p.RuleAutomatic(entity, chosen.choice(list(Finding)))
    for entity, test in state.tests.items():
        yield from [p.Oppose(entity, other, characteristic, difficulty) for other in IDS]
        if test.score is UNSET:
            yield p.RollTest(entity, bonuses if entity == "ana" else UNSET)
    if state.moment is UNSET:
        yield m.StartMoment()
    else:
        yield from _in_moment(state.moment, chosen)


def _in_moment(moment: Moment, chosen: random.Random) -> Iterator[Command]:
    who = moment.at if moment.at is not UNSET else chosen.choice(moment.ids)
    flag, extra = chosen.choice((UNSET, True)), chosen.choice((UNSET, True))
    if moment.phase is Phase.ROLLING:
        yield m.RollInitiative(chosen.choice(moment.ids))
        yield m.RollRest()
        yield m.SetInitiative(who, chosen.choice(list(Difficulty)))
    if moment.phase is Phase.DECLARING:
        yield m.DeclareAction(who, "win", "a kick", flag, extra)
        yield m.DeclareReaction(who, "a dodge", chosen.choice(moment.ids), UNSET, UNSET, extra)
        yield m.DeclareMove(who, chosen.choice(("door", *IDS)), flag, UNSET, extra)
        yield m.EndDeclaration(who)


def _anything(state: State, chosen: random.Random) -> Iterator[Command]:
    one, other = chosen.choice(("ana", "ben", "rat", "nobody")), chosen.choice((*IDS, "door"))
    yield p.DeclareIntent(one, "win", chosen.choice((UNSET, "by wit")))
    yield p.Withdraw(one)
    yield p.UseItem("ben", "rope")
    yield p.RollUsage("ben", "rope")
    yield p.UseAbility("ana", "luck")
    yield p.PassMinute()
    yield p.AdjustUsageDie("ben", "rope", chosen.choice(list(Die)), R)
    yield p.AdjustBonus("ana", "locks", chosen.randint(0, 300), R)
    yield p.AdjustCharacteristic(
        one, chosen.choice(list(Characteristic)), chosen.randint(1, 100), R
    )
    yield p.RuleBonus("ana", "locks", chosen.random() < 0.5)
    yield p.SetDistance(one, other, chosen.choice(list(Distance)))
    yield m.StartMoment(tuple(chosen.sample(IDS, chosen.randint(0, 4))))
    yield m.SetOrder(tuple(chosen.sample(IDS, 4)), R)
    if chosen.random() < 0.2:
        yield m.EndMoment(R)
