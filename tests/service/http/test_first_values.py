"""What the API says of each game to people who choose one or create a character."""

from __future__ import annotations

from typing import Any

import pytest

from domain.rulesets import RULESETS
from tests.support.server import TestServer


def test_every_game_is_described_in_a_line(house: TestServer) -> None:
    for line in house.client.get("/v1/rulesets").json["rulesets"]:
        view = house.client.get(f"/v1/rulesets/{line['name']}").json
        for field in ("title", "summary", "shape"):
            assert line[field] == view[field]
        assert set(view["first_steps"]) <= set(view["commands"])
        assert 20 <= len(line["summary"]) <= 90


@pytest.mark.parametrize("ruleset", [each.name for each in RULESETS])
def test_a_character_can_be_created_with_a_name_alone(house: TestServer, ruleset: str) -> None:
    """A player writes a name, and takes over the first values for the rest."""
    schemas: dict[str, Any] = house.client.get(f"/v1/rulesets/{ruleset}").json["commands"]
    evening = house.open(ruleset=ruleset)
    evening.seat("p1")
    offered = evening.get("p1", "/commands?values=true").json["commands"]
    created = [
        each
        for each in offered
        if each["allowed"] and {"entity", "name"} <= set(schemas[each["kind"]]["required"])
    ]
    assert created
    for nth, each in enumerate(created):
        schema = schemas[each["kind"]]
        named: dict[str, Any] = {"kind": each["kind"], "entity": f"pia-{nth}", "name": "Pia"}
        first = {
            name: schema["properties"][name]["examples"][0]
            for name in schema["required"]
            if name not in named
        }
        answer = evening.post("p1", "/commands", {"command": named | first})
        assert answer.status_code == 201, answer.text
