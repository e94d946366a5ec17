"""Laws of FanSys, which hold whatever is commanded and however the dice fall."""

from __future__ import annotations

from hypothesis import given
from msgspec import UNSET

from domain.rulesets.fansys import commands as c, events as e, ruleset
from domain.rulesets.fansys.rules import dice, sheet
from domain.rulesets.fansys.rules.vocabulary import Pools, RollPurpose, Throw
from domain.rulesets.fansys.state import State
from fairlog.testing.script import Accepted
from tests.domain.rulesets.fansys.people import NATURAL
from tests.domain.scripts import script, scripts, seeds


@scripts
@given(seed=seeds)
def test_every_turn_keeps_the_rules(seed: int) -> None:
    for turn in script(ruleset, seed).accepted:
        check_pools(turn.after)
        for event in turn.events:
            check_event(turn, event)
        check_round(turn)


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


def check_event(turn: Accepted, event: e.Event) -> None:
    match event:
        case e.Harmed(_, nature, points, absorbed, _, old, new):
            assert points == absorbed + old.hp - new.hp or new.hp == sheet.MIN_HP
            assert untouched(nature is NATURAL, old) == untouched(nature is NATURAL, new)
        case e.AttackRolled():
            check_throw(event.throw)
        case e.CheckRolled() | e.CheckSettled() | e.Taken():
            unopposed = isinstance(event, e.CheckSettled) and event.against is not UNSET
            assert event.entity in turn.state.checks or unopposed
            assert event.entity not in turn.after.checks
            if isinstance(event, e.CheckRolled):
                check_throw(event.throw)
                assert turn.after.entities[event.entity].granted == ()
            character = turn.state.entities[event.entity]
            if character.bodiless and (event.use, event.name) == (RollPurpose.SAVE, "CON"):
                assert event.success is True or isinstance(turn.command, c.FailWillingly)


def check_round(turn: Accepted) -> None:
    """Where rounds are counted, nobody moves beyond the speed in one, or sprints and acts."""
    when, rounds = turn.command, turn.after.rounds
    assert not any(so_far.sprinted and so_far.acted for so_far in rounds.values())
    if isinstance(when, c.Move) and when.entity in rounds:
        speed = turn.state.entities[when.entity].speeds[when.mode.value]
        most = speed * sheet.SPRINT if when.sprint is True else speed
        assert rounds[when.entity].moved <= most


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
