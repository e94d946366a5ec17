"""The examples of the OpenAPI document: every operation has one, and the same requests get the same answers now."""

from __future__ import annotations

import json

from service.http.app import document
from tests.openapi.examples import FILE, VOLATILE, record


def test_the_examples_are_what_the_server_answers_now() -> None:
    stored, played = json.loads(FILE.read_text()), json.loads(json.dumps(record()))
    operations = {
        said["operationId"]
        for methods in document()["paths"].values()
        for method, said in methods.items()
        if method != "parameters"
    }
    assert set(played) == operations, "call the operation in tests/openapi/examples.py"
    for operation in operations:
        old, new = stored[operation], played[operation]
        if operation in VOLATILE:
            old, new = ({**each, "answer": None} for each in (old, new))
        assert new == old, f"{operation}: run python -m tests.openapi.examples, and review the diff"


def test_an_example_is_part_of_each_operation() -> None:
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            if method == "parameters":
                assert all("example" in parameter for parameter in said), path
                continue
            if "requestBody" in said:
                assert "example" in said["requestBody"]["content"]["application/json"], (
                    method,
                    path,
                )
            answers = [
                content
                for response in said["responses"].values()
                for content in response.get("content", {}).values()
            ]
            assert not answers or any("example" in content for content in answers), (method, path)
