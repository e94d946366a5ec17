"""What is wrong with a form, field by field, and the noes that a form can meet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.http.errors import Problem
from service.web.forms import wrong
from tests.service.http.session_client import House, settings_in
from tests.service.web.forms import PEOPLE
from tests.service.web.test_pages import OURS

ERRORS: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {}),
    ({"to": ["One.", "Two."]}, {"to": "One. Two."}),
    ({"command": {"steps": ["Too many."]}}, {"steps": "Too many."}),
    (
        {"options": {"deadline": ["Too long."]}, "title": ["None."]},
        {"deadline": "Too long.", "title": "None."},
    ),
    ({"faces": {0: ["No number."], 2: ["Too high."]}}, {"faces": "No number. Too high."}),
    ({"command": {"ids": {1: ["No id."]}}}, {"ids": "No id."}),
    ({"chain": {"_schema": ["Invalid input type."]}}, {"chain": "Invalid input type."}),
]


@pytest.mark.parametrize(("errors", "said"), ERRORS, ids=str)
def test_errors_are_told_by_field(errors: dict[str, Any], said: dict[str, str]) -> None:
    assert wrong(Problem("malformed", "", errors=errors)) == said


def test_a_problem_without_fields_has_none() -> None:
    assert wrong(Problem("conflict", "")) == {}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    served = House(settings_in(tmp_path))
    yield served
    served.close()


def test_a_form_that_is_too_large_is_to_be_made_smaller(house: House) -> None:
    title = "x" * (house.settings.max_body + 1)
    answer = house.client.post("/new", data={"title": title}, headers=PEOPLE | OURS)
    assert (answer.status_code, "send less" in answer.text) == (413, True)
