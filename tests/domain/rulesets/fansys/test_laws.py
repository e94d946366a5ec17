"""Laws of FanSys, which hold whatever is commanded and however the dice fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hypothesis import given, settings

from domain.chance import Enumerated
from domain.decider import By, Refused, fold
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys import events as e
from domain.rulesets.fansys import ruleset
from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.vocabulary import Gauge, Options, Pools, Throw, Use
from domain.rulesets.fansys.state import State
from domain.tally import Moved
from tests.domain.rulesets.fansys.commands import OPENING, options, scripts
from tests.domain.rulesets.fansys.people import GM, NATURAL, P1, P2
from tests.scale import scale

DECIDER = ruleset.decider
GAUGES = {
    Gauge.HP: "hp",
    Gauge.SP: "sp",
    Gauge.SP_DICE: "sp_dice",
    Gauge.MP: "mp",
    Gauge.MP_DICE: "mp_dice",
}


class RepeatedFaces:
    """Faces that repeat, limited to the sides of the die."""

    def __init__(self, faces: Sequence[int]) -> None:
        self.faces, self.nth = faces, 0

    def draw(self, sides: int) -> int:
        self.nth += 1
        return min(sides, self.faces[self.nth % len(self.faces)])


class Turn(NamedTuple):
    before: State
    command: c.Command
    events: tuple[e.Event, ...]
    after: State


Script = list[tuple[c.Command, Sequence[int]]]


def accepted_turns(script: Script, opened: Options) -> Iterator[Turn]:
    state = DECIDER.initial(opened)
    for command, faces in [*((first, (6,)) for first in OPENING), *script]:
        try:
            events = DECIDER.decide(state, command, GM, RepeatedFaces(faces))
        except Refused:
            continue
        new = fold(DECIDER.evolve, state, events)
        yield Turn(state, command, events, new)
        state = new


@settings(max_examples=scale(60, 2000), deadline=None)
@given(scripts, options)
def test_every_turn_keeps_the_rules(script: Script, opened: Options) -> None:
    for turn in accepted_turns(script, opened):
        check_pools(turn.after)
        check_counts(turn)
        check_players(turn)
        for event in turn.events:
            check_event(turn, event)


def check_pools(state: State) -> None:
    for character in state.entities.values():
        left = character.pools
        assert sheet.MIN_HP <= left.hp <= left.hp_max
        assert 0 <= left.sp <= left.sp_max
        assert 0 <= left.mp <= left.mp_max
        assert 0 <= left.sp_dice <= left.sp_owned
        assert 0 <= left.mp_dice <= left.mp_owned
        full = sheet.full_pools(character.level, character.stats, left.sp_owned, left.mp_owned)
        assert (left.hp_max, left.sp_max, left.mp_max) == (full.hp_max, full.sp_max, full.mp_max)
        assert not character.bodiless or character.stats[:3] == (0, 0, 0)


def check_counts(turn: Turn) -> None:
    """Check that statistics count exactly what the pools gained and lost."""
    counts = [each for event in turn.events for each in ruleset.tally(event)]
    for name, before in turn.before.entities.items():
        for gauge, field in GAUGES.items():
            mine = [
                each
                for each in counts
                if isinstance(each, Moved) and (each.entity, each.pool) == (name, gauge)
            ]
            now = getattr(turn.after.entities[name].pools, field)
            assert now - getattr(before.pools, field) == sum(each.by for each in mine)
            assert [now] * bool(mine) == [each.now for each in mine[-1:]]


def check_players(turn: Turn) -> None:
    """Check that no player may command what the GM does with the GM's characters."""
    for by in (P1, P2, By("s1", P1.role)):
        try:
            DECIDER.decide(turn.before, turn.command, by, Enumerated(()))
        except Refused:
            continue
        assert isinstance(turn.command, c.Create)


def check_event(turn: Turn, event: e.Event) -> None:
    match event:
        case e.Harmed(_, nature, points, absorbed, _, old, new):
            assert points == absorbed + old.hp - new.hp or new.hp == sheet.MIN_HP
            assert untouched(nature is NATURAL, old) == untouched(nature is NATURAL, new)
        case e.AttackRolled():
            check_throw(event.throw)
        case e.CheckRolled() | e.CheckSettled() | e.Taken():
            assert event.entity in turn.before.checks
            assert event.entity not in turn.after.checks
            if isinstance(event, e.CheckRolled):
                check_throw(event.throw)
                assert turn.after.entities[event.entity].granted == ()
            if (event.entity, event.use, event.name) == ("ghost", Use.SAVE, "CON"):
                assert event.success is True or isinstance(turn.command, c.FailWillingly)


def check_throw(throw: Throw) -> None:
    assert len(throw.dice) == dice.DICE[throw.twist]
    assert throw.kept == dice.kept(throw.dice, throw.twist)
    assert throw.sum == dice.adjusted_sum(throw.kept, throw.capped)
    assert throw.total == throw.sum + sum(term.value for term in throw.terms)
    assert -2 <= throw.sum <= 28


def untouched(natural: bool, left: Pools) -> tuple[int, ...]:
    """Return what damage of that nature never reduces."""
    other = left.mp if natural else left.sp
    return other, left.sp_dice, left.mp_dice, left.sp_owned, left.mp_owned
