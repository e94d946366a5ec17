"""Schemathesis over the whole OpenAPI document, in process: whatever it sends, the answers are as the document says."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from domain.rulesets import RULESETS
from service.http.documents import API
from tests.scale import scale
from tests.service.http.playing import Evening, House, laid, settings_in

KEY, VERSION = re.compile("[!-~]{16,128}"), re.compile(r'"[1-9][0-9]*"')
EXAMPLES = scale(20, 200)
PLACES = {"session": "0" * 31 + "1", "seat": "p1", "invitation": "0" * 16, "code": "fli_x", "ruleset": "dhextiny"}


def served() -> House:
    """A server whose document names ids that are there, so that what is sent comes past the door."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    house = House(settings_in(folder))
    atexit.register(house.close)
    document = json.loads(house.flask.extensions[API])
    for methods in document["paths"].values():
        for parameter in methods.get("parameters", []):
            parameter["schema"] = {"type": "string", "enum": [PLACES[parameter["name"]]]}
    house.flask.extensions[API] = json.dumps(document).encode()
    return house


HOUSE = served()
API_SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", HOUSE.flask)


@cache
def evening_for(operation: str) -> Evening:
    """A table of its own for each operation: one of them closes it."""
    return laid(HOUSE, options={"declared_dice": True})


def without_points(body: Any) -> Any:
    """JSON Schema takes 1.0 for an integer; we take what we would write, and that is 1."""
    match body:
        case float() if body.is_integer():
            return int(body)
        case dict():
            return {name: without_points(value) for name, value in body.items()}
        case list():
            return [without_points(value) for value in body]
    return body


@API_SCHEMA.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_server_keeps_its_contract(case: Case) -> None:
    evening = evening_for(case.operation.label)
    if case.path_parameters.get("session") == PLACES["session"]:
        case.path_parameters["session"] = evening.session
    if case.path_parameters.get("code") == PLACES["code"]:
        case.path_parameters["code"] = evening.invite()
    case.body = without_points(case.body)
    if KEY.fullmatch((case.headers or {}).get("Idempotency-Key", "")):
        case.headers["Idempotency-Key"] = uuid4().hex  # a key that came before is another test's matter
    if VERSION.fullmatch((case.headers or {}).get("If-Match", "")):
        case.headers["If-Match"] = f'"{evening.house.app.log.read(evening.session).session.version}"'
    case.call_and_validate(headers=evening.headers("gm"))


def test_the_document_is_openapi_3_1_with_every_union_discriminated() -> None:
    document = json.loads(HOUSE.client.get("/openapi.json").data)
    assert document["openapi"] == "3.1.0"
    command = document["components"]["schemas"]["Commanding"]["properties"]["command"]
    assert command["discriminator"]["propertyName"] == "kind"
    kinds = command["discriminator"]["mapping"]
    assert len(kinds) == len(command["oneOf"]) == sum(len(room.commands) for room in RULESETS)
    for kind, reference in kinds.items():
        shape = document["components"]["schemas"][reference.rpartition("/")[2]]
        assert shape["properties"]["kind"]["enum"] == [kind]
        assert "kind" in shape["required"]
        assert shape["additionalProperties"] is False


def test_every_problem_is_documented_as_one() -> None:
    document = json.loads(HOUSE.client.get("/openapi.json").data)
    for status, response in document["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], status
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            for status in [] if method == "parameters" else said["responses"]:
                refers = "$ref" in said["responses"][status]
                assert refers is (status >= "400") or (path, status) == ("/readyz", "503"), (path, method, status)


@pytest.mark.parametrize("name", ["Opening", "Rewind", "Narrate", "Close", "Inviting", "Taking", "HandOver", "Naming"])
def test_bodies_refuse_what_they_do_not_know(name: str) -> None:
    document = json.loads(HOUSE.client.get("/openapi.json").data)
    assert document["components"]["schemas"][name]["additionalProperties"] is False
