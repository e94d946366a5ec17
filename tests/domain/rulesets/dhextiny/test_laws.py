"""What Dhextiny's book promises whatever is played."""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.rules import (
    MAX_CONDITIONS,
    MAX_POINTS,
    MIN_LP,
    Status,
    condition_key,
    fold_words,
)
from domain.rulesets.dhextiny.state import Entity, State
from tests.domain.scripts import script, scripts, seeds


@scripts
@given(seed=seeds)
def test_the_numbers_stay_on_the_sheet(seed: int) -> None:
    for state in script(ruleset, seed).states:
        capped = state.options.gains_stop_at_ap_max
        assert 0 <= state.point <= 5
        for entity in state.entities.values():
            assert 0 <= entity.ap <= (entity.ap_max if capped else MAX_POINTS)
            assert MIN_LP <= entity.lp <= entity.lp_start
            assert entity.status is Status.DEAD or (entity.status is Status.OK) == (entity.lp > 0)
            assert 0 <= entity.aflame <= 6
            check_abilities(entity)
        check_conditions(state)


def check_abilities(entity: Entity) -> None:
    names = {fold_words(ability.name) for ability in entity.abilities}
    assert len(names) == len(entity.abilities)


def check_conditions(state: State) -> None:
    for key, of in state.conditions.items():
        assert key == condition_key(of.entity, of.name)
        assert key.isascii()
        assert of.rounds != 0
        assert of.minutes != 0
    held = Counter(of.entity for of in state.conditions.values())
    assert all(count <= MAX_CONDITIONS for count in held.values())
