"""Campaigns over HTTP: people and their tokens, sessions in a row, seats, and who sees what."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.session.state import Session
from projections.results import CAMPAIGN, JobResult
from service.http.app import document
from service.sessions.campaigns import (
    MAX_PEOPLE,
    CampaignMapping,
    MappedPerson,
    MappedSession,
    campaigns_of,
)
from service.sessions.deletion import delete as delete_session
from service.store.schema import COLUMNS_BY_TABLE
from tests.support.campaigns import TITLE, CampaignClient, bearer
from tests.support.databases.places import DATABASES
from tests.support.example import EXAMPLE, FIRST, brought, over, to_draw
from tests.support.server import (
    KEY,
    Clock,
    DrawTable,
    Holder,
    SessionClient,
    TestServer,
    laid,
    rule,
    settings_in,
)
from workers.campaign_statistics import compute_campaign

TABLES = [name for name in COLUMNS_BY_TABLE if name.startswith("campaign")]
UNKNOWN = "f" * 32


@pytest.fixture
def campaign(house: TestServer) -> CampaignClient:
    made = CampaignClient(house)
    made.add("ana", "ben")
    return made


def rows(server: TestServer) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of campaigns."""
    return {
        table: sorted(server.app.recorder.query(f"SELECT {COLUMNS_BY_TABLE[table]} FROM {table}"))
        for table in TABLES
    }


def revision(campaign: CampaignClient) -> int:
    return campaigns_of(campaign.server.app).revisions()[campaign.id]


def state(session: SessionClient) -> Session:
    return session.house.app.log.read(session.session).session


def sees(session: SessionClient, token: str) -> bool:
    answer = session.house.client.get(session.path, headers=bearer(token))
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def played(campaign: CampaignClient) -> SessionClient:
    """A session with a draw that is not over, in which Ana and Ben have brought characters."""
    session = campaign.open()
    campaign.joins("ana", session)
    campaign.joins("ben", session)
    session.tokens["p1"], session.tokens["p2"] = session.tokens["ana"], session.tokens["ben"]
    session.go(("p1", EXAMPLE.bring), ("p2", brought("ben", "Ben")), ("gm", EXAMPLE.guest))
    session.go(*to_draw())
    return session


@pytest.mark.parametrize("database", DATABASES, indirect=True)
def test_the_life_of_a_campaign(house: TestServer) -> None:
    campaign = CampaignClient(house)
    assert campaign.view()["people"] == [
        {"id": "mo", "name": "Mo", "role": "gm", "since": campaign.people()["mo"]["since"]}
    ]
    campaign.add("ana", "ben")
    first = played(campaign)
    assert campaign.seats(first.session) == {"gm": "mo", "ana": "ana", "ben": "ben"}
    first.go(*over())
    second = campaign.continued()
    assert campaign.joins("ana", second)["seat"] == "ana"
    shown = campaign.view("ben")
    assert (shown["title"], shown["person"]) == (TITLE, "ben")
    assert [each["id"] for each in shown["sessions"]] == [first.session, second.session]
    assert shown["sessions"][1]["version"] == second.version()
    assert [each["title"] for each in shown["sessions"]] == ["The mint of Carrow", "The day after"]
    persons = {each["id"]: each.get("person") for each in shown["characters"]}
    assert persons | {"ana": "ana", "ben": "ben"} == persons
    for person, role in (("ana", "player"), ("mo", "gm")):
        assert campaign.people()[person]["role"] == role
    assert campaign.post("mo", "/hand-over", {"person": "ana"}).json["role"] == "gm"
    assert campaign.delete("mo", "/people/mo").status_code == 204
    assert campaign.get("mo").status_code == 404
    assert "left" in {each["id"]: each for each in campaign.view("ana")["people"]}["mo"]
    assert campaign.delete("ana").status_code == 204
    assert campaign.get("ana").status_code == 401  # no one has this token any more
    assert all(found == [] for found in rows(house).values())
    assert state(second).version  # its sessions stay


def test_the_next_session_has_the_characters_and_the_values_of_the_last(
    campaign: CampaignClient,
) -> None:
    first = played(campaign)
    first.go(*over())
    before = first.table("gm")
    second = campaign.continued(title="The vault")
    assert second.table("gm") == before
    assert second.get("gm", "").json["title"] == "The vault"
    assert state(second).info.options == state(first).info.options
    campaign.joins("ben", second)
    assert state(second).info.seats["ben"].name == "Ben"
    third = campaign.open(title="Another table", options={"listed": True})
    assert third.table("gm") != before
    assert state(third).info.options["listed"] is True


def test_a_repeated_request_for_the_next_session_opens_one(campaign: CampaignClient) -> None:
    played(campaign)
    body = {"title": "The vault"}
    first = campaign.post("mo", "/sessions", body, Idempotency_Key=KEY)
    again = campaign.post("mo", "/sessions", body, Idempotency_Key=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json == again.json
    assert again.headers["Idempotency-Replayed"] == "true"
    assert len(campaign.view()["sessions"]) == 2
    other = campaign.post("mo", "/sessions", {"title": "Else"}, Idempotency_Key=KEY)
    assert rule(other) == (422, "key-reused")
    fresh = campaign.post("mo", "/sessions", body | {"ruleset": "open"}, Idempotency_Key=KEY + "2")
    again = campaign.post("mo", "/sessions", body | {"ruleset": "open"}, Idempotency_Key=KEY + "2")
    assert fresh.json == again.json
    assert len(campaign.view()["sessions"]) == 3


def test_the_same_next_session_twice_at_once_is_one(campaign: CampaignClient) -> None:
    played(campaign)
    start = Barrier(4)

    def send(_: int) -> TestResponse:
        start.wait()
        return campaign.post("mo", "/sessions", {"title": "The vault"}, Idempotency_Key=KEY)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["token"] for answer in answers}) == 1
    assert len(campaign.view()["sessions"]) == 2


def test_what_cannot_be_continued(campaign: CampaignClient, house: TestServer) -> None:
    answer = campaign.post("mo", "/sessions", {"title": "The vault"})
    assert rule(answer) == (409, "nothing-to-continue")
    foreign = laid(house)
    body = {"session_token": foreign.tokens["gm"]}
    assert campaign.put("mo", f"/sessions/{foreign.session}", body).status_code == 200
    assert campaign.delete("mo", f"/sessions/{foreign.session}/seats/gm").status_code == 204
    answer = campaign.post("mo", "/sessions", {"title": "The vault"})
    assert rule(answer) == (409, "no-seat-to-continue")
    body = {"title": "The vault", "options": {}, "draws": "house", "free_rolls": True}
    answer = campaign.post("mo", "/sessions", body)
    assert rule(answer) == (422, "malformed")
    pointers = {each["pointer"] for each in answer.json["errors"]}
    assert pointers == {"#/options", "#/draws", "#/free_rolls"}


def test_the_next_session_has_the_colours_of_the_last(campaign: CampaignClient) -> None:
    last = campaign.open()
    answer = last.house.client.put(
        f"{last.path}/seats/gm/colour", json={"colour": "teal"}, headers=last.headers("gm")
    )
    assert answer.status_code == 204
    assert campaign.continued().get("gm", "").json["seats"]["gm"]["colour"] == "teal"


@pytest.mark.parametrize("free_rolls", [True, False])
def test_a_new_session_has_free_rolls_if_they_are_asked_for(
    campaign: CampaignClient, free_rolls: bool
) -> None:
    session = campaign.open(free_rolls=free_rolls)
    roll = {"command": {"kind": "rolls.Roll", "notation": "2d6+1"}}
    assert session.post("gm", "/commands", roll).status_code == (201 if free_rolls else 422)


def test_joining_twice_gives_a_new_token_and_ends_the_old_one(campaign: CampaignClient) -> None:
    session = campaign.open()
    old = campaign.joins("ana", session)
    version = session.version()
    assert (old["seat"], old["role"], old["version"]) == ("ana", "player", version)
    bot = session.post("ana", "/tokens", {"name": "Bot", "scopes": ["read"]}).json["token"]
    new = campaign.joins("ana", session)
    assert (new["seat"], new["version"]) == ("ana", version)
    assert (sees(session, old["token"]), sees(session, new["token"])) == (False, True)
    assert sees(session, bot)
    gm = campaign.joins("mo", session)
    assert (gm["seat"], gm["role"]) == ("gm", "gm")


def test_a_repeated_request_to_join_gets_the_same_ticket(campaign: CampaignClient) -> None:
    session = campaign.open()
    path = f"/sessions/{session.session}/join"
    first = campaign.post("ana", path, {}, Idempotency_Key=KEY)
    again = campaign.post("ana", path, {}, Idempotency_Key=KEY)
    assert first.json == again.json
    assert sees(session, first.json["token"])
    retaken = campaign.post("ana", path, {}, Idempotency_Key=KEY + "2")
    assert campaign.post("ana", path, {}, Idempotency_Key=KEY + "2").json == retaken.json
    # Others get tokens of their own, also with the same key.
    other = campaign.post("ben", path, {}, Idempotency_Key=KEY)
    assert (other.json["seat"], other.json["token"] != first.json["token"]) == ("ben", True)


def test_a_person_has_the_seat_that_they_had_in_the_last_session(campaign: CampaignClient) -> None:
    first = campaign.open()
    assert campaign.joins("ana", first, seat="p1")["seat"] == "p1"
    second = campaign.continued()
    assert campaign.joins("ana", second)["seat"] == "p1"
    third = campaign.open()
    assert campaign.joins("ben", third, seat="p1")["seat"] == "p1"
    assert campaign.joins("ana", third)["seat"] == "ana", "as p1 is Ben's"
    refused = campaign.post("ana", f"/sessions/{third.session}/join", {"seat": "p1"})
    assert rule(refused) == (409, "not-your-seat")


def test_no_one_joins_on_the_seat_of_another(campaign: CampaignClient) -> None:
    session = campaign.open()
    session.seat("ana")  # by an invitation, so it is not known whose it is
    path = f"/sessions/{session.session}/join"
    assert rule(campaign.post("ana", path, {})) == (409, "seat-held")
    assert rule(campaign.post("ana", path, {"seat": "gm"})) == (409, "seat-held")
    assert rule(campaign.post("ana", path, {"seat": "house"})) == (409, "seat-held")
    session.delete("ana", "/seats/ana")
    assert rule(campaign.post("ana", path, {})) == (409, "seat-held")
    assert campaign.joins("ana", session, seat="p1")["seat"] == "p1"
    session.delete("p1", "/seats/p1")
    assert campaign.joins("ana", session)["seat"] == "p1", "it was hers"


def test_a_person_joins_with_a_chain(campaign: CampaignClient) -> None:
    session = campaign.open(draws="table")
    holder = Holder(session, "ana")
    campaign.joins("ana", session, seat="ana", chain=holder.anchored())
    assert state(session).info.seats["ana"].public_key == holder.public
    # A lost device: the seat gets a new token, but its key stays.
    campaign.joins("ana", session)
    assert state(session).info.seats["ana"].public_key == holder.public
    path = f"/sessions/{session.session}/join"
    again = campaign.post("ana", path, {"seat": "ana", "chain": holder.anchored(1)})
    assert rule(again) == (409, "chain-there")
    assert holder.leave(1).status_code == 200
    assert rule(campaign.post("ana", path, {})) == (409, "chain-needed")
    campaign.joins("ana", session, seat="ana", chain=holder.anchored(1))
    later = Holder(session, "ben")
    campaign.joins("ben", session)
    campaign.joins("ben", session, seat="ben", chain=later.anchored())
    manifest = campaign.get("ana", "/manifest").json
    assert {each["id"]: each["keys"] for each in manifest["people"]} == {
        "mo": [],
        "ana": [holder.public],
        "ben": [later.public],
    }


def test_a_closed_session_gives_a_token_but_no_new_seat(campaign: CampaignClient) -> None:
    session = campaign.open()
    campaign.joins("ana", session)
    assert session.post("gm", "/close", {"carry_over": True}).status_code == 201
    assert sees(session, campaign.joins("ana", session)["token"])
    answer = campaign.post("ben", f"/sessions/{session.session}/join", {})
    assert rule(answer) == (409, "session-closed")
    assert campaign.view()["sessions"][0]["closed"] is True
    assert campaign.continued().version() > 0


def test_a_lost_personal_token_is_replaced_by_the_gm(campaign: CampaignClient) -> None:
    old = campaign.tokens["ana"]
    answer = campaign.post("mo", "/people/ana/token", None)
    assert (answer.status_code, answer.json["person"], answer.json["name"]) == (201, "ana", "Ana")
    assert campaign.get("ana").status_code == 401
    campaign.tokens["ana"] = answer.json["token"]
    assert campaign.get("ana").status_code == 200
    assert old.startswith("flc_")
    assert rule(campaign.post("ana", "/people/ben/token", None)) == (409, "gm-only")
    assert campaign.post("mo", "/people/eve/token", None).status_code == 404


def test_a_person_renews_their_token_and_may_repeat_that(campaign: CampaignClient) -> None:
    first = campaign.post("ana", "/people/ana/token", None, Idempotency_Key=KEY)
    again = campaign.post("ana", "/people/ana/token", None, Idempotency_Key=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json == again.json
    assert campaign.post("ana", "/people/ana/token", None).status_code == 401
    assert campaign.get("ana").status_code == 401
    campaign.tokens["ana"] = first.json["token"]
    assert campaign.get("ana").status_code == 200


def test_who_leaves_sees_nothing_more_and_keeps_the_seats(campaign: CampaignClient) -> None:
    session = campaign.open()
    seat = campaign.joins("ana", session)
    assert campaign.delete("ana", "/people/ana").status_code == 204
    assert campaign.get("ana").status_code == 404
    assert campaign.post("ana", f"/sessions/{session.session}/join", {}).status_code == 404
    assert sees(session, seat["token"])
    assert campaign.seats(session.session)["ana"] == "ana"
    assert campaign.delete("mo", "/people/ana").status_code == 404
    mapping = campaigns_of(campaign.server.app).mapping(campaign.id)
    assert mapping is not None
    assert mapping.people["ana"] == MappedPerson("Ana", left=True)
    campaign.add("ana")  # returns
    assert campaign.joins("ana", session)["seat"] == "ana"
    assert "left" not in campaign.people()["ana"]


def test_who_is_forgotten_leaves_no_name_and_no_seat(campaign: CampaignClient) -> None:
    session = campaign.open()
    campaign.joins("ana", session)
    campaign.joins("ben", session)
    store_report(campaign, revision(campaign))
    assert campaign.delete("ana", "/people/ana?forget=true").status_code == 204
    assert campaign.get("ana").status_code == 401
    assert "Ana" not in str(rows(campaign.server))
    assert campaign.seats(session.session) == {"gm": "mo", "ben": "ben"}
    answers = campaign.server.app.recorder.query("SELECT seat FROM answers")
    assert not [seat for (seat,) in answers if seat.endswith(":ana")]
    assert campaign.get("mo", "/statistics").status_code == 202
    campaign.delete("ben", "/people/ben")
    assert campaign.delete("mo", "/people/ben?forget=true").status_code == 204
    assert list(campaign.people()) == ["mo"]


def test_statistics_from_before_someone_was_forgotten_are_not_shown(
    campaign: CampaignClient,
) -> None:
    """Not even if a worker that began before stores them afterwards."""
    before = revision(campaign)
    campaign.delete("mo", "/people/ana?forget=true")
    store_report(campaign, before)
    assert campaign.get("mo", "/statistics").status_code == 202
    store_report(campaign, revision(campaign))
    assert campaign.get("mo", "/statistics").json["current"] is True
    campaign.add("eve")
    assert campaign.get("mo", "/statistics").json["current"] is False


def store_report(campaign: CampaignClient, revision: int) -> None:
    body = f'{{"turns":{revision}}}'
    campaign.server.app.read_models.results.put(JobResult(campaign.id, CAMPAIGN, revision, body))


def test_statistics_are_waited_for_at_their_job(campaign: CampaignClient) -> None:
    answer = campaign.get("ana", "/statistics")
    job = f"campaign-{campaign.id}"
    assert (answer.status_code, answer.json) == (202, {"campaign": campaign.id, "job": job})
    assert (answer.headers["Location"], answer.headers["Retry-After"]) == (f"/v1/jobs/{job}", "2")
    store_report(campaign, 7)
    assert campaign.get("ana", "/statistics").json["figures"] == {"turns": 7}
    client = campaign.server.client
    shown = client.get(f"/v1/jobs/{job}", headers=bearer(campaign.tokens["ana"]))
    assert shown.json["status"] == "finished"
    assert shown.json["result"] == f"{campaign.path}/statistics"
    stranger = campaign.server.open().tokens["gm"]
    for token in (None, stranger, CampaignClient(campaign.server).tokens["mo"]):
        answers = [
            client.get(f"/v1/jobs/campaign-{each}", headers=bearer(token))
            for each in (campaign.id, UNKNOWN)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert shape(answers[0]) == shape(answers[1])


def test_workers_attribute_seats_to_people(campaign: CampaignClient) -> None:
    app, session = campaign.server.app, played(campaign)
    session.go(*over())
    campaign.continued()
    compute_campaign(app, campaign.id)
    shown = campaign.get("ben", "/statistics").json
    assert (shown["current"], shown["figures"]["sessions"]) == (True, 2)
    assert {"ana", "ben"} <= set(shown["figures"]["people"]) <= {"mo", "ana", "ben"}
    campaign.delete("mo", "/people/ana?forget=true")
    compute_campaign(app, campaign.id)
    people = campaign.get("ben", "/statistics").json["figures"]["people"]
    assert people.get("ana", {"turns": 0})["turns"] == 0


def test_the_gm_stays_or_hands_over(campaign: CampaignClient) -> None:
    assert rule(campaign.delete("mo", "/people/mo")) == (409, "last-gm")
    assert rule(campaign.delete("mo", "/people/mo?forget=true")) == (409, "last-gm")
    body = {"person": "ana"}
    assert rule(campaign.post("ben", "/hand-over", body)) == (409, "gm-only")
    assert campaign.post("mo", "/hand-over", {"person": "eve"}).status_code == 404
    first = campaign.post("mo", "/hand-over", body, Idempotency_Key=KEY)
    assert campaign.post("mo", "/hand-over", body, Idempotency_Key=KEY).json == first.json
    assert {each["id"]: each["role"] for each in campaign.view()["people"]} == {
        "mo": "player",
        "ana": "gm",
        "ben": "player",
    }
    assert rule(campaign.post("mo", "/people", {"person": "x", "name": "X"})) == (409, "gm-only")


def test_people_have_ids_of_their_own(campaign: CampaignClient) -> None:
    answer = campaign.post("mo", "/people", {"person": "ana", "name": "Another"})
    assert (rule(answer), answer.json["facts"]) == ((409, "person-taken"), {"person": "ana"})
    answer = campaign.post("mo", "/people", {"person": "house", "name": "House"})
    assert rule(answer) == (409, "person-reserved")
    body = {"person": "eve", "name": "Eve"}
    first = campaign.post("mo", "/people", body, Idempotency_Key=KEY)
    assert campaign.post("mo", "/people", body, Idempotency_Key=KEY).json == first.json
    for nth in range(MAX_PEOPLE - len(campaign.people())):
        campaign.add(f"extra-{nth}")
    answer = campaign.post("mo", "/people", {"person": "late", "name": "Late"})
    assert (rule(answer), answer.json["facts"]) == (
        (409, "too-many-people"),
        {"most": MAX_PEOPLE},
    )


def test_the_same_person_at_once_is_added_once(campaign: CampaignClient) -> None:
    start = Barrier(4)

    def send(nth: int) -> TestResponse:
        start.wait()
        return campaign.post("mo", "/people", {"person": "eve", "name": f"Eve {nth}"})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(send, range(4)))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]


def test_an_existing_session_is_added_with_the_token_of_its_gm(campaign: CampaignClient) -> None:
    session = laid(campaign.server)
    path = f"/sessions/{session.session}"
    bot = session.post("gm", "/tokens", {"name": "Bot", "scopes": ["read"]}).json["token"]
    elsewhere = laid(campaign.server)
    for token in (session.tokens["p1"], bot, elsewhere.tokens["gm"], "flt_x"):
        answer = campaign.put("mo", path, {"session_token": token})
        assert rule(answer) == (409, "session-token-wrong")
    body = {"session_token": session.tokens["gm"]}
    assert rule(campaign.put("ana", path, body)) == (409, "gm-only")
    unknown = campaign.put("mo", f"/sessions/{UNKNOWN}", body)
    assert rule(unknown) == (409, "session-token-wrong")
    added = campaign.put("mo", path, body)
    assert (added.status_code, added.json["seats"]) == (200, {"gm": "mo"})
    before = revision(campaign)
    assert campaign.put("mo", path, body).json == added.json
    assert revision(campaign) == before
    other = CampaignClient(campaign.server)
    assert rule(other.put("mo", path, body)) == (409, "session-in-campaign")
    assert campaign.delete("mo", path).status_code == 204
    assert campaign.delete("mo", path).status_code == 404
    assert other.put("mo", path, body).status_code == 200


def test_seats_are_linked_with_their_own_token_alone(campaign: CampaignClient) -> None:
    session = laid(campaign.server)
    body = {"session_token": session.tokens["gm"]}
    assert campaign.put("mo", f"/sessions/{session.session}", body).status_code == 200
    path = f"/sessions/{session.session}/seats"
    assert rule(campaign.put("ana", f"{path}/p1", {"person": "ana"})) == (409, "seat-token-needed")
    wrong = [session.tokens["p2"], session.tokens["gm"], campaign.tokens["ana"], "flt_x"]
    wrong.append(session.post("p1", "/tokens", {"name": "Bot", "scopes": ["play"]}).json["token"])
    for token in wrong:
        answer = campaign.put("ana", f"{path}/p1", {"person": "ana", "seat_token": token})
        assert rule(answer) == (409, "seat-token-wrong")
    own = {"person": "ana", "seat_token": session.tokens["p1"]}
    assert rule(campaign.put("ben", f"{path}/p1", own)) == (409, "gm-only")
    assert campaign.put("ana", f"{path}/p1", own).json["seats"] == {"gm": "mo", "p1": "ana"}
    assert campaign.put("mo", f"{path}/p2", {"person": "ben"}).status_code == 200
    assert campaign.put("mo", f"{path}/p9", {"person": "ben"}).json["rule"] == "seat-unknown"
    assert campaign.put("mo", f"{path}/house", {"person": "ben"}).json["rule"] == "seat-reserved"
    assert campaign.put("mo", f"{path}/p2", {"person": "eve"}).status_code == 404
    assert rule(campaign.delete("ana", f"{path}/p2")) == (409, "gm-only")
    assert campaign.delete("ana", f"{path}/p1").status_code == 204
    assert campaign.delete("mo", f"{path}/p1").status_code == 404
    assert campaign.seats(session.session) == {"gm": "mo", "p2": "ben"}


def test_a_gm_who_handed_over_the_session_gives_away_no_seat_of_it(
    campaign: CampaignClient,
) -> None:
    session = campaign.open()
    campaign.joins("ana", session)
    assert session.post("gm", "/hand-over", {"seat": "ana"}).status_code == 201
    path = f"/sessions/{session.session}/seats/ana"
    assert rule(campaign.put("mo", path, {"person": "mo"})) == (409, "seat-token-needed")
    assert campaign.seats(session.session)["ana"] == "ana"


def test_every_change_raises_the_revision(campaign: CampaignClient) -> None:
    seen = [revision(campaign)]

    def raised() -> bool:
        seen.append(revision(campaign))
        return seen[-1] > seen[-2]

    session = campaign.open()
    assert raised()
    campaign.joins("ana", session)
    assert raised()
    campaign.joins("ana", session)
    assert not raised()
    campaign.post("ana", "/people/ana/token", None)
    assert not raised()
    path = f"/sessions/{session.session}"
    for method, address in (
        ("DELETE", f"{path}/seats/ana"),
        ("DELETE", path),
        ("DELETE", "/people/ben"),
        ("DELETE", "/people/ana?forget=true"),
    ):
        assert campaign.send(method, "mo", address).status_code == 204
        assert raised(), address


def test_the_mapping_is_what_statistics_need(campaign: CampaignClient) -> None:
    session = campaign.open()
    campaign.joins("ana", session)
    found = campaigns_of(campaign.server.app)
    people = {each: MappedPerson(each.capitalize(), left=False) for each in ("mo", "ana", "ben")}
    seats = {"gm": "mo", "ana": "ana"}
    assert found.mapping(campaign.id) == CampaignMapping(
        revision(campaign), TITLE, people, (MappedSession(session.session, 1, seats),)
    )
    assert found.of_session(session.session) == campaign.id
    assert (found.mapping(UNKNOWN), found.of_session(UNKNOWN)) == (None, None)
    manifest = campaign.get("ben", "/manifest").json
    assert manifest == {
        "v": 1,
        "campaign": campaign.id,
        "title": TITLE,
        "people": [{"id": each, "name": each.capitalize(), "keys": []} for each in people],
        "sessions": [{"session": session.session, "number": 1, "seats": seats}],
    }


@pytest.mark.parametrize("database", DATABASES, indirect=True)
def test_a_deleted_session_leaves_its_campaign(house: TestServer) -> None:
    campaign = CampaignClient(house)
    first, second = campaign.open(), campaign.open()
    store_report(campaign, revision(campaign))
    before = revision(campaign)
    delete_session(house.app, second.session)
    assert [each["id"] for each in campaign.view()["sessions"]] == [first.session]
    assert revision(campaign) > before
    assert campaign.get("mo", "/statistics").status_code == 202
    delete_session(house.app, first.session)
    assert (campaign.view()["sessions"], campaign.view()["characters"]) == ([], [])


def test_a_repeated_creation_is_one_campaign(house: TestServer) -> None:
    body = {"title": TITLE, "person": "mo", "name": "Mo"}

    def send(**changed: str) -> TestResponse:
        return house.client.post(
            "/v1/campaigns", json=body | changed, headers={"Idempotency-Key": KEY}
        )

    first = send()
    assert (first.status_code, first.headers["Location"]) == (
        201,
        f"/v1/campaigns/{first.json['campaign']}",
    )
    assert send().json == first.json
    assert rule(send(title="Else")) == (422, "key-reused")
    assert send(person="house").json["rule"] == "person-reserved"
    headers = bearer(first.json["token"])
    assert house.client.delete(first.headers["Location"], headers=headers).status_code == 204
    assert rule(send()) == (422, "key-reused"), "a deleted campaign does not come back"


def test_campaigns_have_the_opening_key_and_the_limits_of_sessions(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, FAIRLOG_OPENING_KEY="k" * 40, FAIRLOG_OPENINGS="2")
    server = TestServer(settings)
    try:
        body = {"title": TITLE, "person": "mo", "name": "Mo"}
        assert rule(server.client.post("/v1/campaigns", json=body)) == (401, "opening-key-required")
        campaign = CampaignClient(server, Authorization=f"Bearer {'k' * 40}")
        assert campaign.open().version() > 0, "a member needs no key"
        answer = campaign.post("mo", "/sessions", {"title": "x", "ruleset": "open"})
        assert rule(answer) == (429, "too-many")
    finally:
        server.close()


def test_each_person_has_a_limit_of_requests(tmp_path: Path) -> None:
    server = TestServer(settings_in(tmp_path, FAIRLOG_RATE_TOKEN="3"))
    try:
        campaign = CampaignClient(server)
        campaign.add("ana")
        assert [campaign.get("mo").status_code for _ in range(3)] == [200, 200, 429]
        assert campaign.get("ana").status_code == 200
    finally:
        server.close()


def test_personal_tokens_expire_like_those_of_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("service.platform.clock.now_ms", clock.now_ms)
    server = TestServer(settings_in(tmp_path, FAIRLOG_TOKEN_DAYS="30"))
    try:
        campaign = CampaignClient(server)
        clock.ahead = 29 * 86_400_000
        assert campaign.get("mo").status_code == 200
        renewed = campaign.post("mo", "/people/mo/token", None).json["token"]
        clock.ahead = 31 * 86_400_000
        assert campaign.get("mo").status_code == 401
        campaign.tokens["mo"] = renewed
        assert campaign.get("mo").status_code == 200
    finally:
        server.close()


# Who sees a campaign.

BODIES: dict[str, Any] = {
    "handOverCampaign": {"person": "ana"},
    "addPerson": {"person": "eve", "name": "Eve"},
    "openNextSession": {"title": "The vault"},
    "addSession": {"session_token": "flt_x"},
    "joinSession": {},
    "linkSeat": {"person": "ana", "seat_token": "flt_x"},
}
FOR_ALL_MEMBERS = {
    "getCampaign",
    "getCampaignManifest",
    "getCampaignStatistics",
    "joinSession",
    "linkSeat",
    "removePerson",
    "renewPersonalToken",
    "unlinkSeat",
}
"""Operations that players may use: some of them only for themselves."""


def operations() -> Iterator[tuple[str, str, str]]:
    """Yield the id, method and path of each operation on a campaign."""
    for path, methods in document()["paths"].items():
        for method, said in methods.items():
            if method != "parameters" and "{campaign}" in path:
                yield said["operationId"], method.upper(), path


def shape(answer: TestResponse) -> tuple[int, dict[str, Any]]:
    """Return the status and the problem, without the id of the request."""
    return answer.status_code, {**answer.json, "instance": ""}


def call(
    server: TestServer, operation: tuple[str, str, str], headers: dict[str, str], **places: str
) -> TestResponse:
    name, method, path = operation
    for place, value in places.items():
        path = path.replace(f"{{{place}}}", value)
    assert "{" not in path
    client = server.flask.test_client(use_cookies=False)
    return client.open(path, method=method, json=BODIES.get(name), headers=headers)


def test_every_route_is_as_for_an_unknown_campaign_if_one_is_no_member(
    campaign: CampaignClient,
) -> None:
    server, session = campaign.server, played(campaign)
    campaign.delete("mo", "/people/ben")
    other = CampaignClient(server)
    other.add("ana")
    foreign = laid(server)
    named = session.post("gm", "/tokens", {"name": "Bot", "scopes": ["read"]}).json["token"]
    strangers = {
        "no token": {},
        "the session's GM": bearer(session.tokens["gm"]),
        "a seat of the session": bearer(session.tokens["ana"]),
        "a bot of the session": bearer(named),
        "the cookie of a seat": {
            "Cookie": f"fairlog-seat={session.tokens['gm']}",
            "Sec-Fetch-Site": "same-origin",
        },
        "a GM elsewhere": bearer(foreign.tokens["gm"]),
        "a former member": bearer(campaign.tokens["ben"]),
        "another campaign's GM": bearer(other.tokens["mo"]),
        "another campaign's member": bearer(other.tokens["ana"]),
    }
    invalid = {
        "an unknown token": bearer("flc_" + "A" * 43),
        "an unknown token of a seat": bearer("flt_" + "A" * 43),
        "a malformed header": {"Authorization": "Bearer"},
    }
    before, end, walked = rows(server), server.app.log.end(), set[str]()
    for operation in operations():
        walked.add(operation[0])
        for kind, headers in (strangers | invalid).items():
            status = 401 if kind in invalid else 404
            here = {"session": session.session, "seat": "ana", "person": "ana"}
            there = {"session": UNKNOWN, "seat": "x", "person": "x"}
            answers = [
                call(server, operation, headers, campaign=found, **places)
                for found, places in (
                    (campaign.id, here),
                    (campaign.id, there),
                    (UNKNOWN, here),
                    (UNKNOWN, there),
                )
            ]
            assert {answer.status_code for answer in answers} == {status}, (operation, kind)
            assert all(shape(answer) == shape(answers[-1]) for answer in answers), (operation, kind)
    assert (rows(server), server.app.log.end()) == (before, end)
    documented = {
        said["operationId"]
        for path, methods in document()["paths"].items()
        for method, said in methods.items()
        if method != "parameters" and "/campaigns" in path
    }
    assert walked == documented - {"createCampaign"}
    assert len(walked) >= 14


def test_a_player_of_the_campaign_is_refused_what_is_for_the_gm(campaign: CampaignClient) -> None:
    session = played(campaign)
    before = rows(campaign.server)
    places = {"session": session.session, "seat": "ana", "person": "ana", "campaign": campaign.id}
    refused = set[str]()
    for operation in operations():
        if operation[0] in FOR_ALL_MEMBERS:
            continue
        answer = call(campaign.server, operation, bearer(campaign.tokens["ben"]), **places)
        assert (rule(answer), answer.json["facts"]) == ((409, "gm-only"), {"role": "player"})
        refused.add(operation[0])
    for operation in operations():  # what is Ana's
        if operation[0] in ("removePerson", "renewPersonalToken", "unlinkSeat", "linkSeat"):
            answer = call(campaign.server, operation, bearer(campaign.tokens["ben"]), **places)
            assert rule(answer) == (409, "gm-only"), operation
    assert rows(campaign.server) == before
    assert len(refused) == 6


def test_a_personal_token_is_none_of_a_seat(campaign: CampaignClient) -> None:
    session = campaign.open(options={"listed": True})
    headers = bearer(campaign.tokens["mo"])
    for path in (session.path, f"{session.path}/commands", "/v1/me", "/v1/sessions"):
        answer = campaign.server.client.get(path, headers=headers)
        assert rule(answer) == (401, "token-invalid"), path


def test_members_see_only_what_everyone_sees_of_the_table(campaign: CampaignClient) -> None:
    session = campaign.open()
    turn = session.secretly("gm", EXAMPLE.guest, "self")["turn"]
    assert campaign.view("mo")["characters"] == campaign.view("ana")["characters"] == []
    assert session.post("gm", "/open-secret", {"turn": turn}).status_code == 201
    [shown] = campaign.view("ana")["characters"]
    assert (shown["seat"], shown["person"]) == ("gm", "mo")


def test_a_table_that_draws_together_is_continued(campaign: CampaignClient) -> None:
    table = DrawTable(campaign.server)
    body = {"session_token": table.evening.tokens["gm"]}
    campaign.put("mo", f"/sessions/{table.evening.session}", body)
    table.evening.go(*to_draw()[:-1])
    assert table.evening.command("p1", EXAMPLE.draw).status_code == 202
    answer = campaign.post("mo", "/sessions", {"title": "The vault"})
    assert rule(answer) == (409, "draw-waits")
    table.give(*table.holders)
    second = campaign.continued()
    assert state(second).info.draws == "table"
    assert second.table("gm") == table.evening.table("gm")
    assert campaign.view()["sessions"][1]["ruleset"] == FIRST.name
