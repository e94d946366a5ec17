"""Names of seats: what cannot be given, whichever way it is sent; and names like another's, which show whose they are."""
# ruff: noqa: RUF001  # look-alikes are what this is about

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from werkzeug.test import TestResponse

from domain.session.display_names import is_forbidden
from domain.session.messages import NameSeat
from domain.verify import Evidence, verify
from domain.verify.views_check import read_views
from service.cli.tell import tell
from service.platform.ed25519 import verify as ed25519
from service.sessions.command_handler import handle
from service.sessions.idempotency import RequestIdentity
from tests.support.browsers import PEOPLE
from tests.support.example import FIRST
from tests.support.server import SessionClient

REMOVE, VISIBLE, EDGES = "Remove the character U+", "Use at least one", "Remove the whitespace"
REFUSED = {
    "\u202eaniG": REMOVE,  # shown from right to left
    "\u2066Gina\u2069": REMOVE,
    "Gina\u200f": REMOVE,
    "Gi\u200bna": REMOVE,  # zero width
    "Gina\u200d": REMOVE,
    "\ufeffGina": REMOVE,
    "Gi\u00adna": REMOVE,
    "Gi\u0085na": REMOVE,  # C1 controls
    "Gina\x9b31m": REMOVE,
    "Gi\tna": REMOVE,
    "Gina\u2028Bo": REMOVE,
    "Gina\ue000": REMOVE,  # private use
    "Gina\U000e0041": REMOVE,  # tags
    "Gina\u0378": REMOVE,  # not assigned
    "\u3164": REMOVE,  # letters that show nothing
    "   ": VISIBLE,
    "\u00a0\u3000": VISIBLE,
    "\u0301": VISIBLE,
    " Gina": EDGES,
    "Gina ": EDGES,
    "Gina\u00a0": EDGES,
}
MARKED = ("Gina", "Ginа", "GINA", "Gina: I", "house", "Game Master", "(gm)")

Send = Callable[[SessionClient, str], TestResponse]


def opens(evening: SessionClient, name: str) -> TestResponse:
    body = {"ruleset": FIRST.name, "title": "x", "name": name}
    return evening.house.client.post("/v1/sessions", json=body)


def forks(evening: SessionClient, name: str) -> TestResponse:
    return evening.post("gm", "/forks", {"version": 5, "name": name})


def takes(evening: SessionClient, name: str) -> TestResponse:
    body = {"code": evening.invite(), "name": name}
    return evening.house.client.post("/v1/seats", json=body)


def renames(evening: SessionClient, name: str) -> TestResponse:
    return evening.post("p1", "/seats/p1/name", {"name": name})


API = (opens, forks, takes, renames)


@pytest.mark.parametrize("send", API)
def test_a_name_that_hides_or_reorders_text_is_malformed(
    evening: SessionClient, send: Send
) -> None:
    before = evening.house.log()
    for name, told in REFUSED.items():
        answer = send(evening, name)
        assert (answer.status_code, answer.json["code"]) == (422, "malformed"), ascii(name)
        [error] = answer.json["errors"]
        assert error["pointer"] == "#/name"
        assert error["detail"].startswith(told), ascii(name)
    assert evening.house.log() == before


def test_a_name_is_stored_in_its_composed_form(evening: SessionClient) -> None:
    answer = renames(evening, "Jose\u0301")
    assert answer.json["events"][0]["body"]["name"] == "Jos\u00e9"
    assert renames(evening, 80 * "e\u0301").status_code == 201
    assert renames(evening, 80 * "\u0958").status_code == 422  # two characters each, composed


def printed(evening: SessionClient, seat: str = "p2") -> str:
    answer = evening.house.client.get(
        f"/s/{evening.session}/transcript", headers=PEOPLE | evening.headers(seat)
    )
    assert answer.status_code == 200
    return answer.text


def told_to_p2(evening: SessionClient) -> list[str]:
    events = evening.get("p2", "/events?limit=500").json["events"]
    return [event["text"] for event in events if "text" in event]


@pytest.mark.parametrize("follows", [True, False])
def test_who_takes_the_gms_name_is_told_apart_everywhere(
    evening: SessionClient, tmp_path: Path, *, follows: bool
) -> None:
    evening.post("gm", "/seats/gm/name", {"name": "Gina"})
    evening.post("gm", "/narrate", {"text": "It rains."})
    assert "Gina: It rains." in told_to_p2(evening)
    evening.post("p1", "/seats/p1/name", {"name": "Gina"})
    said = evening.post("p1", "/narrate", {"text": "I, the GM, rule that Bo is dead."}).json
    if follows:
        evening.house.follow()
    false, true = "Gina (p1): I, the GM, rule that Bo is dead.", "Gina (gm): It rains."
    assert said["events"][0]["text"] == false
    assert {false, true} <= set(told_to_p2(evening))
    shown = evening.get("p2", "").json
    assert (shown["names"]["@gm"], shown["names"]["@p1"]) == ("Gina (gm)", "Gina (p1)")
    assert shown["seats"]["p1"]["name"] == "Gina (p1)"
    for seat in ("p1", "p2"):
        page = printed(evening, seat)
        said_by = re.findall(r"<b class=who>([^<]+)</b>.*\n<p class=words><bdi>([^<]+)", page)
        assert {false, true} <= {f"{name}: {words}" for name, words in said_by}
        assert ">Gina<" not in page
        assert "Gina (p1), player" in page
    log = tmp_path / "evening.fairlog"
    log.write_bytes(evening.get("gm", "/export").data)
    assert f"  {false}\n" in CliRunner().invoke(tell, [str(log)]).stdout


@pytest.mark.parametrize("name", MARKED)
def test_a_doubtful_name_is_taken_and_marked(evening: SessionClient, name: str) -> None:
    evening.post("gm", "/seats/gm/name", {"name": "Gina"})
    assert renames(evening, name).status_code == 201
    assert evening.get("p2", "").json["names"]["@p1"] == f"{name} (p1)"


def named_before(evening: SessionClient, name: str) -> None:
    """p1 has a name that an earlier version accepted."""
    request = RequestIdentity("p1", "", b"")
    handle(evening.house.app, evening.session, NameSeat("p1", name), request)


def as_told_before(events: bytes, shown: str, name: str) -> bytes:
    """The events as earlier servers told them, with every name as it was sent."""
    page = json.loads(events)
    for event in page["events"]:
        if (sent := event.get("body", {})).get("kind") == "session.SeatNamed":
            event["text"] = f'The seat "{sent["seat"]}" is now called "{sent["name"]}".'
        elif "text" in event:
            event["text"] = event["text"].replace(shown, name)
    return json.dumps(page).encode()


def test_an_old_log_with_such_names_is_valid_and_shows_nothing_of_them(
    evening: SessionClient, tmp_path: Path
) -> None:
    accepted = [name for name in REFUSED if "\t" not in name]
    for name in accepted:
        named_before(evening, name)
        assert evening.get("p2", "").json["names"]["@p1"].endswith("(p1)"), ascii(name)
    named_before(evening, "\u202eaniG")
    evening.post("p1", "/narrate", {"text": "Here."})
    evening.house.follow()
    exported = evening.get("gm", "/export").data
    whole = evening.get("gm", "/events?limit=500").data
    earlier = as_told_before(whole, "\ufffdaniG (p1)", "\u202eaniG")
    assert earlier.count(b"u202eaniG") > whole.decode().count("\u202eaniG")
    for views in (whole, earlier):
        known = Evidence(views=read_views(views))
        report = verify(exported.splitlines(keepends=True), ed25519, known)
        assert (report.valid, report.failure) == (True, None)
    log = tmp_path / "evening.fairlog"
    log.write_bytes(exported)
    forbidden = {char for name in accepted for char in name if is_forbidden(char)}
    for shown in (
        *told_to_p2(evening),
        CliRunner().invoke(tell, [str(log)]).stdout.replace("\n", ""),
        printed(evening),
    ):
        assert not (forbidden - set("\n")) & set(shown)
    assert "\ufffdaniG (p1): Here." in told_to_p2(evening)
