"""What a stranger gets to see of a listed session, and what the list of sessions holds; test_matrix.py has the rest."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from projections.runner import catch_up
from tests.support.server import SessionClient, TestServer, laid


def addresses(house: TestServer, method: str) -> list[str]:
    """Every address of that method below a session, as the document names them."""
    paths = json.loads(house.client.get("/openapi.json").data)["paths"]
    return [path for path, said in paths.items() if method in said and "{session}" in path]


def filled(path: str, session: str) -> str:
    path = (
        path.replace("{session}", session).replace("{seat}", "p1").replace("{invitation}", "0" * 16)
    )
    path = path.replace("{token}", "0" * 16).replace("{webhook}", "0" * 16)
    path = path.replace("{campaign}", "c" * 32).replace("{person}", "ana")
    path = (
        path.replace("{segment}", "0")
        .replace("{version}", "1")
        .replace("{draw}", "0")
        .replace("{plot}", "tempo")
    )
    assert "{" not in path
    asking = {"inclusion": "?version=1", "consistency": "?from=1", "compare": "?from=1"}
    return path + asking.get(path.rpartition("/")[2], "")


def headers(house: TestServer, stranger: str) -> dict[str, str]:
    if stranger == "none":
        return {}
    return {"Authorization": f"Bearer {house.open().tokens['gm']}"}


def test_a_listed_session_can_be_read_by_everyone_and_played_by_its_seats(
    house: TestServer,
) -> None:
    evening = laid(house, options={"listed": True})
    for stranger in ("none", "elsewhere"):
        sent = headers(house, stranger)
        for path in addresses(house, "get"):
            answer = house.client.get(filled(path, evening.session), headers=sent)
            if path.endswith("/draws/pending"):
                assert answer.status_code == 404  # for anyone: none waits
                continue
            own = path.endswith(
                ("/commands", "/invitations", "/audit-reads", "/tokens", "/webhooks", "/{webhook}")
            )
            assert (answer.status_code in (200, 202)) is not own, path
        answer = house.client.post(f"{evening.path}/narrate", json={"text": "x"}, headers=sent)
        assert answer.status_code in (401, 404)


@pytest.mark.parametrize("followed", [False, True])
def test_the_list_holds_ones_own_and_the_listed(house: TestServer, followed: bool) -> None:
    secret, listed = (
        laid(house, title="secret"),
        laid(house, title="for all", options={"listed": True}),
    )
    if followed:
        house.follow()
    everyone = [] if not followed else ["for all"]
    titles = [line["title"] for line in house.client.get("/v1/sessions").json["sessions"]]
    assert titles == everyone
    mine = house.client.get("/v1/sessions", headers=secret.headers("p1")).json["sessions"]
    assert [line["title"] for line in mine] == [*everyone, "secret"]
    assert (
        house.client.get("/v1/sessions", headers=listed.headers("gm")).json["sessions"][0]["title"]
        == "for all"
    )


def test_the_list_shows_tables_as_everyone_may_see_them(house: TestServer) -> None:
    def line(seat: str | None) -> Any:
        [found] = house.client.get("/v1/sessions", headers=listed.headers(seat)).json["sessions"]
        return found

    listed = laid(house, options={"listed": True})
    house.follow()
    stored, own, whole = line(None), line("gm"), listed.get(None, "").json
    same = ("version", "at", "turn", "title", "closed", "seats", "table")
    assert {name: stored[name] for name in same} == {name: whole[name] for name in same}
    assert own == stored
    listed.post("gm", "/narrate", {"text": "And on."})
    assert (line(None)["version"], line("gm")["version"]) == (own["version"], own["version"] + 1)
    catch_up(house.app.log, house.app.read_models.tables)
    assert line(None)["version"] == own["version"] + 1, "from the log if read models differ"


def test_a_removed_seat_sees_nothing_more(evening: SessionClient) -> None:
    evening.delete("gm", "/seats/watcher")
    assert evening.get("watcher", "").status_code == 401


def test_the_list_comes_in_pages(house: TestServer) -> None:
    for nth in range(7):
        house.open(title=f"evening {nth}", options={"listed": True})
    house.follow()
    titles, address = [], "/v1/sessions?limit=3"
    while address:
        answer = house.client.get(address)
        titles.append([line["title"][-1] for line in answer.json["sessions"]])
        found = re.fullmatch(r'<(.+)>; rel="next"', answer.headers.get("Link", ""))
        address = found[1] if found else ""
        assert ("next" in answer.json) is bool(address)
    assert titles == [["6", "5", "4"], ["3", "2", "1"], ["0"]]
