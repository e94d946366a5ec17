"""The odds of typical situations, which every ruleset has."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.support.server import TestServer, settings_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: f"{each.name} {each.edition}")
def test_each_situation_has_all_its_outcomes(house: TestServer, ruleset: AnyRuleset) -> None:
    shown = house.client.get(f"/v1/rulesets/{ruleset.name}/odds").json
    kinds = {str(command.__struct_config__.tag) for command in ruleset.commands}
    assert shown["situations"]
    for each in shown["situations"]:
        assert each["kind"] in kinds
        chances = each["outcomes"].values()
        assert len(chances) > 1
        assert sum(Fraction(one["numerator"], one["denominator"]) for one in chances) == 1


def test_an_unknown_ruleset_has_none(house: TestServer) -> None:
    assert house.client.get("/v1/rulesets/nothing/odds").status_code == 404


def test_the_sample_tells_what_followed_and_keeps_the_difficulty_of_its_roll(
    house: TestServer,
) -> None:
    flip = house.client.get("/v1/rulesets/deckahedron/odds").json["sample"]
    assert flip["card"]["detail"].startswith("difficult")
    assert flip["table"]["forecasts"]["ida.Strength"]["chosen"] == "worst of 2"
    [line] = flip["after"]
    assert line.startswith("The GM: The gate moves")
    test = house.client.get("/v1/rulesets/pentola/odds").json["sample"]
    assert test.get("after", []) == []  # another's turn follows
    attack = house.client.get("/v1/rulesets/fansys/odds").json["sample"]
    assert attack["after"] == [
        "Bo Halfpenny damages the old sow: 1 damage.",
        "The old sow loses 1 SP.",
    ]
