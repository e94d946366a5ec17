"""What holds for any evening of this book, whatever is commanded and however the dice fall."""

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
from domain.rulesets.fansys.rules.vocabulary import Gauge, Nature, Options, Pools, Use
from domain.rulesets.fansys.state import State
from domain.tally import Moved
from tests.domain.rulesets.fansys.people import GM, NATURAL, P1, P2
from tests.domain.rulesets.fansys.wishes import OPENING, Wish, options, scripts
from tests.scale import scale

DECIDER = ruleset.decider
laws = settings(max_examples=scale(25, 500), deadline=None)


class Fall:
    """Faces that come round and round, no higher than the die."""

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


def evening(script: list[Wish], opened: Options) -> Iterator[Turn]:
    state = DECIDER.initial(opened)
    for command, faces in [*(Wish(first, (6,)) for first in OPENING), *script]:
        try:
            events = DECIDER.decide(state, command, GM, Fall(faces))
        except Refused:
            continue
        new = fold(DECIDER.evolve, state, events)
        yield Turn(state, command, events, new)
        state = new


@laws
@given(scripts, options)
def test_pools_stay_within_what_there_can_be(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for of in turn.after.entities.values():
            left = of.pools
            assert sheet.MIN_HP <= left.hp <= left.hp_max
            assert 0 <= left.sp <= left.sp_max
            assert 0 <= left.mp <= left.mp_max
            assert 0 <= left.sp_dice <= left.sp_owned
            assert 0 <= left.mp_dice <= left.mp_owned


@laws
@given(scripts, options)
def test_maxima_follow_level_stats_and_dice(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for of in turn.after.entities.values():
            left = of.pools
            full = sheet.full_pools(of.level, of.stats, left.sp_owned, left.mp_owned)
            assert (left.hp_max, left.sp_max, left.mp_max) == (
                full.hp_max,
                full.sp_max,
                full.mp_max,
            )
            assert not of.bodiless or of.stats[:3] == (0, 0, 0)


@laws
@given(scripts, options)
def test_what_is_counted_is_what_the_pools_moved(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        counts = [
            each
            for event in turn.events
            for each in ruleset.tally(event)
            if isinstance(each, Moved)
        ]
        for name, was in turn.before.entities.items():
            now = turn.after.entities[name].pools
            for gauge, field in FIELDS.items():
                moved, left = (
                    [each for each in counts if (each.entity, each.pool) == (name, gauge)],
                    getattr(now, field),
                )
                assert left - getattr(was.pools, field) == sum(each.by for each in moved)
                assert [left] * bool(moved) == [each.now for each in moved[-1:]]


FIELDS = {
    Gauge.HP: "hp",
    Gauge.SP: "sp",
    Gauge.SP_DICE: "sp_dice",
    Gauge.MP: "mp",
    Gauge.MP_DICE: "mp_dice",
}


@laws
@given(scripts, options)
def test_damage_goes_somewhere_and_nowhere_twice(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            if isinstance(event, e.Harmed):
                assert (
                    event.points == event.absorbed + event.old.hp - event.pools.hp
                    or event.pools.hp == -999
                )
                assert spared(event.nature, event.old) == spared(event.nature, event.pools)


def spared(nature: Nature, left: Pools) -> tuple[int, ...]:
    """What damage of that nature never touches."""
    other = left.mp if nature is NATURAL else left.sp
    return other, left.sp_dice, left.mp_dice, left.sp_owned, left.mp_owned


@laws
@given(scripts, options)
def test_a_roll_says_what_its_dice_say(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            if isinstance(event, e.CheckRolled | e.AttackRolled):
                throw = event.throw
                assert len(throw.dice) == dice.DICE[throw.twist]
                assert throw.kept == dice.kept(throw.dice, throw.twist)
                assert throw.sum == dice.adjusted_sum(throw.kept, throw.capped)
                assert throw.total == throw.sum + sum(term.value for term in throw.terms)
                assert -2 <= throw.sum <= 28


@laws
@given(scripts, options)
def test_every_open_check_ends_and_granted_twists_with_it(
    script: list[Wish], opened: Options
) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            if isinstance(event, e.CheckRolled | e.CheckSettled | e.Taken):
                assert event.entity in turn.before.checks
                assert event.entity not in turn.after.checks
            if isinstance(event, e.CheckRolled):
                assert turn.after.entities[event.entity].granted == ()


@laws
@given(scripts, options)
def test_the_bodiless_never_fail_a_con_save(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for event in turn.events:
            if (
                isinstance(event, e.CheckRolled | e.CheckSettled)
                and event.use is Use.SAVE
                and event.entity == "ghost"
            ):
                willing = isinstance(turn.command, c.FailWillingly)
                assert event.name != "CON" or event.success is True or willing


@laws
@given(scripts, options)
def test_players_never_change_what_is_the_gms(script: list[Wish], opened: Options) -> None:
    for turn in evening(script, opened):
        for by in (P1, P2, By("s1", P1.role)):
            try:
                events = DECIDER.decide(turn.before, turn.command, by, Enumerated(()))
            except Refused:
                continue
            assert isinstance(turn.command, c.Create)
            assert events
