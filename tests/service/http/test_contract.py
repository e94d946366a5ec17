"""Schemathesis over the whole OpenAPI document, in process: whatever it sends, the answers are as the document says."""

from __future__ import annotations

import atexit
import json
import re
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.pytest.plugin import SchemathesisCase
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    missing_required_header,
    negative_data_rejection,
)

from domain.proof.signed_note import vkey_text
from domain.rulesets import RULESETS
from service.http import validation
from service.http.app import document
from service.http.conditional import TAGS_PATTERN
from service.http.errors import PROBLEMS
from service.http.openapi import DOCUMENT
from service.jobs.embedded_server import EmbeddedQueueServer
from tests.service.http.pointless import addressed, nameable, without_points
from tests.service.http.test_cosignatures import Cosigner
from tests.support.campaigns import CampaignClient
from tests.support.example import EXAMPLE, FIRST, as_json, over, seated, to_draw
from tests.support.scale import LONG, scale
from tests.support.server import DrawTable, Holder, SessionClient, TestServer, laid, settings_in
from workers.audits import compute_audit
from workers.jobs import compute_statistics

KEY = re.compile("[!-~]{16,128}")
EXAMPLES = scale(1, 50)
PLACES = {
    "session": "0" * 31 + "1", "seat": "p1", "invitation": "0" * 16, "code": "fli_x", "ruleset": FIRST.name,
    "segment": "0", "version": "12", "draw": "0", "job": f"statistics-{'0' * 31}1-1",
    "plot": "luck", "token": "0" * 16, "webhook": "0" * 16, "campaign": "0" * 31 + "2", "person": "ana",
}  # fmt: skip
METHODS = ("get", "post", "put", "delete")
DRAW = as_json(EXAMPLE.draw)
SECRET = 11 + 2 * len(EXAMPLE.ready) + len(EXAMPLE.over)  # the turn behind those that lay the table
CHAIN, GIVE = (
    "/v1/sessions/{session}/seats/{seat}/chain",
    "/v1/sessions/{session}/draws/{draw}/contributions",
)
CAMPAIGN = "/v1/campaigns/{campaign}"
LINK = "0" * 64
MATCH_SCHEMA = {"anyOf": [{"type": "string", "pattern": f"^{TAGS_PATTERN}$"}, {"const": "*"}]}
"""The same as in the document, in two parts: Schemathesis makes invalid values from the one pattern."""
ACCEPTED: dict[str, Any] = {
    "/v1/sessions": {"ruleset": FIRST.name, "title": "The mint of Carrow"},
    "/v1/seats": {"code": PLACES["code"]},
    "/v1/sessions/{session}/commands": {"command": DRAW},
    "/v1/sessions/{session}/commands/dry-run": {"command": DRAW},
    "/v1/sessions/{session}/odds": {"command": DRAW},
    "/v1/sessions/{session}/rewind": {"to": 12, "reason": "again"},
    "/v1/sessions/{session}/narrate": {"text": "It rains."},
    "/v1/sessions/{session}/redact": {"version": 4, "reason": "asked for"},
    "/v1/sessions/{session}/close": {"carry_over": True},
    "/v1/sessions/{session}/invitations": {"role": "player"},
    "/v1/sessions/{session}/webhooks": {"url": "https://203.0.113.9/fairlog"},
    "/v1/sessions/{session}/webhooks/{webhook}/resume": {"after": 3},
    "/v1/sessions/{session}/tokens": {"name": "Dice bot", "scopes": ["read", "play"]},
    "/v1/sessions/{session}/seats/{seat}/name": {"name": "Ana's player"},
    "/v1/sessions/{session}/seats/{seat}/colour": {"colour": "teal"},
    "/v1/sessions/{session}/hand-over": {"seat": "p1"},
    "/v1/sessions/{session}/open-secret": {"turn": SECRET},
    "/v1/sessions/{session}/forks": {"version": 12},
    "/v1/sessions/{session}/cosignatures": {"note": "A checkpoint.", "vkey": "A key."},
    CHAIN: {"anchor": LINK, "length": 16, "public_key": LINK, "signature": 2 * LINK},
    "/v1/sessions/{session}/seats/{seat}/presence": {"present": False},
    "/v1/campaigns": {"title": "The long road", "person": "mo", "name": "Mo"},
    f"{CAMPAIGN}/hand-over": {"person": "mo"},
    f"{CAMPAIGN}/people": {"person": "cleo", "name": "Cleo"},
    f"{CAMPAIGN}/sessions": {"title": "The vault", "ruleset": FIRST.name},
    f"{CAMPAIGN}/sessions/{{session}}": {"session_token": "flt_x"},
    f"{CAMPAIGN}/sessions/{{session}}/join": {},
    f"{CAMPAIGN}/sessions/{{session}}/seats/{{seat}}": {"person": "ana"},
    GIVE: {
        "chain": 0,
        "position": 1,
        "link": LINK,
        "seen_size": 1,
        "seen_root": LINK,
        "signature": 2 * LINK,
    },
}
"""A body that is accepted, for every address that takes one."""


@cache
def in_process() -> TestServer:
    """Return a server whose document names ids that are there, so that requests get past the sign-in."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    settings = settings_in(
        folder, FAIRLOG_STREAM_SECONDS="0.05", REDIS_URL="", FAIRLOG_WEBHOOKS_PRIVATE="yes"
    )
    queue = EmbeddedQueueServer(settings)
    queue.start()
    atexit.register(queue.stop)
    house = TestServer(settings)
    atexit.register(house.close)
    described = document()
    for path, methods in described["paths"].items():
        for parameter in methods.get("parameters", []):
            parameter["schema"] = {"type": "string", "enum": [PLACES[parameter["name"]]]}
            del parameter["example"]
        for method in ("post", "put"):
            if "requestBody" in methods.get(method, {}):
                methods[method]["requestBody"]["content"]["application/json"]["example"] = ACCEPTED[
                    path
                ]
        for said in (methods[method] for method in METHODS if method in methods):
            for parameter in said["parameters"]:
                if parameter["name"] == "If-Match":
                    parameter["schema"] = MATCH_SCHEMA
            # Schemathesis checks each message of a stream.
            for sent in (
                said["responses"]["200"]["content"].values() if "200" in said["responses"] else ()
            ):
                sent["schema"] = sent["schema"].get("contentSchema", sent["schema"])
    # Schemathesis takes prefixItems for the items of an older draft: tuples are checked as arrays.
    text = re.sub(
        r'"prefixItems": \[[^]]*\], "items": (false|{})', '"items": {}', json.dumps(described)
    )
    house.flask.extensions[DOCUMENT] = text.encode()
    return house


@cache
def schema_of(*, corners: bool) -> BaseSchema:
    """Return the schema of the server's document; `corners`: with the coverage phase."""
    schema = schemathesis.openapi.from_wsgi("/openapi.json", in_process().flask)
    schema.config.phases.coverage.enabled = corners
    rejected = schema.config.checks.negative_data_rejection
    # A malformed request may be too large as well.
    rejected.expected_statuses = [*rejected.expected_statuses, "413"]
    schema.as_strategy()  # reads the constants of our code, which the schemas of one operation share
    return schema


LARGE_BODY = (
    "POST /v1/sessions",
    "POST /v1/sessions/{session}/commands",
    "POST /v1/sessions/{session}/commands/dry-run",
    "POST /v1/sessions/{session}/odds",
    f"POST {CAMPAIGN}/sessions",
)
"""Operations that take a command, or the options of a ruleset. The corners of all these schemas are thousands of requests:
the long run alone sends them."""
OPERATIONS = {
    f"{method.upper()} {path}": said[method]
    for path, said in document()["paths"].items()
    for method in METHODS
    if method in said
}
FOR_THE_GM = [
    operation for operation in OPERATIONS if re.search(r"/invitations(/{invitation})?$", operation)
]
ROOMS = {ruleset.name: set(validation.options_schema(ruleset).fields) for ruleset in RULESETS}
ANSWERED: dict[str, Counter[int]] = defaultdict(Counter)
"""How often each operation was answered with which status, in this process."""


def name_of(operation: str) -> str:
    return "test_contract_" + re.sub(r"\W+", "_", operation).strip("_")


def drawn_together(house: TestServer, *, is_over: bool) -> SessionClient:
    """A table whose seats draw together, behind its first draw or while that waits."""
    circle = DrawTable(house)
    circle.evening.go(*to_draw()[:-1])
    assert circle.evening.command("p1", EXAMPLE.draw).status_code == 202
    if is_over:
        circle.give(*circle.holders)
    return circle.evening


class CampaignTable(SessionClient):
    """A session of a campaign. Its requests are those of the campaign's GM, with the personal token."""

    def __init__(self, house: TestServer) -> None:
        campaign = CampaignClient(house)
        campaign.add("ana", "ben")
        opened = campaign.open()
        campaign.joins("ana", opened, seat="p1")
        super().__init__(house, opened.session, {"gm": campaign.tokens["mo"]})
        self.campaign, self.token_of_gm = campaign.id, opened.tokens["gm"]


@cache
def evening_for(house: TestServer, operation: str, ruleset: str) -> SessionClient:
    """A table of its own for each operation: one of them closes it."""
    if "{campaign}" in operation:
        return CampaignTable(house)
    if "/draws/" in operation:
        return drawn_together(
            house,
            is_over=operation not in (f"POST {GIVE}", "GET /v1/sessions/{session}/draws/pending"),
        )
    if ruleset == FIRST.name:
        evening = laid(house, options={"declared_dice": True})
        evening.go(*over(), *seated(EXAMPLE.ready))
        whispered = evening.post("gm", "/narrate", {"text": "A trap.", "audience": "gm"})
        assert whispered.json["turn"] == SECRET
        if re.search("/statistics|/audits", operation):
            compute_statistics(house.app, evening.session)
            compute_audit(house.app, evening.session)
        return evening
    evening = house.open(ruleset=ruleset, options={"declared_dice": True})
    evening.seat("p1")
    return evening


def ruleset_of(body: Any) -> str:
    """The ruleset that a command is of, so that it is sent to a session of its own."""
    match body:
        case {"command": {"kind": str(kind)}} if kind.partition(".")[0] in ROOMS:
            return kind.partition(".")[0]
    return FIRST.name


def of_one_ruleset(body: Any) -> Any:
    """An opening whose options are those of another ruleset opens that one: the document cannot say so."""
    match body:
        case {"ruleset": str(ruleset), "options": dict(options)} if ruleset in ROOMS:
            return {
                **body,
                "ruleset": next((name for name in ROOMS if options.keys() <= ROOMS[name]), ruleset),
            }
    return body


def with_ruleset(body: Any) -> Any:
    """Options, edition and draws of the next session need a ruleset: the document cannot say so."""
    match body:
        case {"title": _} if "ruleset" not in body and not body.keys() <= {"title"}:
            return {**body, "ruleset": FIRST.name}
    return body


def in_order(query: dict[str, Any] | None) -> dict[str, Any]:
    """Versions from and to that the session has come to, the lower first: the document cannot say so."""
    told = {name: value for name, value in (query or {}).items() if name in ("from", "to")}
    ends = {name: min(value, 12) for name, value in told.items() if in_bounds(value)}
    ordered = (
        dict(zip(("from", "to"), sorted(ends.values()), strict=True)) if len(ends) == 2 else ends
    )
    return {**(query or {}), **ordered}


def in_bounds(version: object) -> bool:
    return isinstance(version, int) and not isinstance(version, bool) and 1 <= version < 2**53


def placed(case: Case, evening: SessionClient) -> None:
    """Ids that only stand for one become those of what is there now."""
    places = case.path_parameters
    if places.get("session") == PLACES["session"]:
        places["session"] = evening.session
    if isinstance(evening, CampaignTable) and places.get("campaign") == PLACES["campaign"]:
        places["campaign"] = evening.campaign
        if case.body == ACCEPTED[f"{CAMPAIGN}/sessions/{{session}}"]:
            case.body = {"session_token": evening.token_of_gm}
    if places.get("job") == PLACES["job"]:
        places["job"] = f"statistics-{evening.session}-1"
    if places.get("code") == PLACES["code"]:
        places["code"] = evening.invite()
    if places.get("invitation") == PLACES["invitation"]:
        places["invitation"] = evening.post("gm", "/invitations", {"role": "player"}).json["id"]
    if isinstance(case.body, dict) and case.body.get("code") == PLACES["code"]:
        case.body = {**case.body, "code": evening.invite()}
    if case.body == ACCEPTED["/v1/sessions/{session}/cosignatures"]:
        cosigner = Cosigner(evening, "gm")
        text = cosigner.checkpoint()
        case.body = {"note": text + cosigner.line(text), "vkey": vkey_text(cosigner.key)}
    if case.body == ACCEPTED[CHAIN]:
        case.body = Holder(evening, "p1").anchored()
    if case.body == ACCEPTED[GIVE]:
        given = Holder(evening, "gm", "gm").contribution(evening.get("gm", "/draws/pending").json)
        case.body = {
            name: value for name, value in msgspec.to_builtins(given).items() if name != "seat"
        }


def with_next_draw(body: Any, evening: SessionClient) -> Any:
    """Entropy is for the next draw, whatever its number is by now: the document cannot say so."""
    match body:
        case {"entropy": _, "draw": int(k)} if not isinstance(k, bool) and 0 <= k < 2**53:
            return {**body, "draw": evening.house.app.log.read(evening.session).session.k}
    return body


def keeps_its_contract(case: Case) -> None:
    house, operation = in_process(), case.operation.label
    evening = evening_for(house, operation, ruleset_of(case.body))
    placed(case, evening)
    if operation == f"POST {CAMPAIGN}/sessions":
        case.body = with_ruleset(case.body)
    case.body = with_next_draw(
        of_one_ruleset(addressed(nameable(without_points(case.body)))), evening
    )
    if "/statistics" in operation:
        case.query = in_order(case.query)
    for seat in (
        ("p1", "gm")
        if operation in FOR_THE_GM
        else ("p1",)
        if operation == f"POST {CHAIN}"
        else ("gm",)
    ):
        if KEY.fullmatch((case.headers or {}).get("Idempotency-Key", "")):
            case.headers["Idempotency-Key"] = (
                uuid4().hex
            )  # a key that came before is another test's matter
        tags = (case.headers or {}).get("If-Match", "")
        if re.fullmatch(TAGS_PATTERN, tags):
            version = evening.house.app.log.read(evening.session).session.version
            case.headers["If-Match"] = f'{tags}, "{version}"'
        # In process nothing unzips: that is what a client does.
        headers = evening.headers(seat, Accept_Encoding="identity")
        # Which charts a range has is known only after its figures have been computed: until then, 202.
        in_range = not {"from", "to"}.isdisjoint(case.query or {})
        other_chart = case.path_parameters.get("plot", PLACES["plot"]) != PLACES["plot"]
        # A parameter without a value is not sent, and every request has a token: it can be valid.
        is_unsent = any(value in (None, [], ()) for value in (case.query or {}).values())
        can_be_valid = (other_chart and in_range) or is_unsent
        answer = case.call_and_validate(
            headers=headers,
            app=house.client.application,
            excluded_checks=[negative_data_rejection] * can_be_valid
            # Without a token, a campaign is an unknown one.
            + [missing_required_header, ignored_auth] * ("{campaign}" in operation),
        )
        ANSWERED[operation][answer.status_code] += 1


@pytest.fixture
def exercised(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that the operation was accepted at least once, and refused to a player if it is the GM's."""
    yield
    [operation] = [each for each in OPERATIONS if name_of(each) == request.node.originalname]
    told = ANSWERED[operation]
    assert told.total() >= 2, told
    assert any(200 <= status < 300 for status in told), (operation, told)
    assert (409 in told) or operation not in FOR_THE_GM, (operation, told)


def contract_of(operation: str) -> Callable[[pytest.FixtureRequest], None]:
    """What to send is made when the test runs: all processes collect it, and one needs it."""

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    def sent(case: Case) -> None:
        keeps_its_contract(case)

    @pytest.mark.timeout(300)
    @pytest.mark.usefixtures("exercised")
    def test(request: pytest.FixtureRequest) -> None:
        whole = schema_of(corners=LONG or operation not in LARGE_BODY)
        schema = whole.include(name=operation)
        marked = schema.parametrize()(sent)
        collected = SchemathesisCase.from_parent(
            request.node.parent, name=request.node.name, test_function=marked, schema=schema
        )
        [item] = collected.collect()
        item.ihook.pytest_pyfunc_call(pyfuncitem=item)

    test.__name__ = name_of(operation)
    return test


# A test for each, since all that schemathesis makes of one function have one node id, and xdist runs an id once.
for each in OPERATIONS:
    globals()[name_of(each)] = contract_of(each)


def test_every_operation_of_the_document_has_its_own_test(request: pytest.FixtureRequest) -> None:
    described = document()
    documented = {
        (path, method) for path, said in described["paths"].items() for method in said
    } - {(path, "parameters") for path in described["paths"]}
    tests = [item for item in request.session.items if item.name.startswith("test_contract_")]
    assert (
        len({item.nodeid for item in tests})
        == len(tests)
        == len(documented)
        == len(OPERATIONS)
        >= 29
    )


def test_the_document_is_openapi_3_1_with_every_union_discriminated() -> None:
    described = document()
    assert described["openapi"] == "3.1.0"
    body = described["components"]["schemas"]["CommandRequest"]["properties"]["command"]
    assert body["$ref"] == "#/components/schemas/Command"
    command = described["components"]["schemas"]["Command"]
    assert command["discriminator"]["propertyName"] == "kind"
    kinds = command["discriminator"]["mapping"]
    commands = validation.commands()
    assert len(kinds) == len(command["oneOf"]) == len(commands)
    for kind, reference in kinds.items():
        shape = described["components"]["schemas"][reference.rpartition("/")[2]]
        assert shape["properties"]["kind"]["enum"] == [kind]
        assert "kind" in shape["required"]
        assert shape["additionalProperties"] is False


def test_every_problem_is_documented_as_one() -> None:
    described = document()
    for status, response in described["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], status
    for path, methods in described["paths"].items():
        for method, said in methods.items():
            for status in [] if method == "parameters" else said["responses"]:
                refers = "$ref" in said["responses"][status]
                assert refers is (status >= "400") or (path, status) == ("/readyz", "503"), (
                    path,
                    method,
                    status,
                )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_no_address_takes_what_it_does_not_know(operation: str) -> None:
    method, path = operation.split(" ")
    evening = evening_for(in_process(), operation, FIRST.name)
    address = path.format(**{**PLACES, "session": evening.session}) + "?unexpected=1"
    answer = in_process().client.open(
        address, method=method, json=ACCEPTED.get(path), headers=evening.headers("gm")
    )
    assert (answer.status_code, answer.json["code"]) == (422, "malformed")
    assert {"detail": "Unknown field.", "parameter": "unexpected"} in answer.json["errors"]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_problems_are_documented_where_they_can_be(operation: str) -> None:
    responses = OPERATIONS[operation]["responses"]
    codes = {
        code
        for response in responses.values()
        if "$ref" in response
        for code in response["$ref"].rpartition("/")[2].split(".")
    }
    keyed = any(
        parameter["name"] == "Idempotency-Key" for parameter in OPERATIONS[operation]["parameters"]
    )
    assert ("key-reused" in codes) is keyed
    assert "409" in responses or operation not in FOR_THE_GM
    assert {PROBLEMS[code].status for code in codes} == {
        int(status) for status in responses if status >= "400"
    } - {503 if operation == "GET /readyz" else 0}


@pytest.mark.parametrize(
    "name",
    [
        "OpenRequest",
        "Rewind",
        "Narrate",
        "Close",
        "InviteRequest",
        "TakeSeatRequest",
        "HandOver",
        "NameRequest",
        "CosignRequest",
        "ChainRequest",
    ],
)
def test_bodies_refuse_what_they_do_not_know(name: str) -> None:
    described = document()
    assert described["components"]["schemas"][name]["additionalProperties"] is False
