"""A campaign over HTTP in process: its people with their tokens, and the sessions that it opens."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from tests.support.example import FIRST
from tests.support.server import SessionClient, TestServer

TITLE = "The long road"


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


class CampaignClient:
    """A campaign, and the personal tokens of its people. `mo` is its GM."""

    def __init__(self, server: TestServer, **headers: str) -> None:
        self.server = server
        body = {"title": TITLE, "person": "mo", "name": "Mo"}
        made = server.client.post("/v1/campaigns", json=body, headers=headers)
        assert made.status_code == 201, made.text
        self.id: str = made.json["campaign"]
        self.tokens: dict[str, str] = {"mo": made.json["token"]}

    @property
    def path(self) -> str:
        return f"/v1/campaigns/{self.id}"

    def send(
        self, method: str, person: str | None, path: str, body: object = None, **headers: str
    ) -> TestResponse:
        own = bearer(None if person is None else self.tokens[person])
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.server.client.open(
            self.path + path, method=method, json=body, headers=own | sent
        )

    def get(self, person: str | None, path: str = "") -> TestResponse:
        return self.send("GET", person, path)

    def post(self, person: str | None, path: str, body: object, **headers: str) -> TestResponse:
        return self.send("POST", person, path, body, **headers)

    def put(self, person: str | None, path: str, body: object) -> TestResponse:
        return self.send("PUT", person, path, body)

    def delete(self, person: str | None, path: str = "") -> TestResponse:
        return self.send("DELETE", person, path)

    def view(self, person: str = "mo") -> Any:
        answer = self.get(person)
        assert answer.status_code == 200, answer.text
        return answer.json

    def people(self) -> dict[str, Any]:
        return {each["id"]: each for each in self.view()["people"]}

    def seats(self, session: str) -> dict[str, str]:
        """Return the person of each linked seat."""
        [found] = [each for each in self.view()["sessions"] if each["id"] == session]
        return dict(found["seats"])

    def add(self, *people: str) -> None:
        for person in people:
            body = {"person": person, "name": person.capitalize()}
            answer = self.post("mo", "/people", body)
            assert answer.status_code == 201, answer.text
            self.tokens[person] = answer.json["token"]

    def open(self, person: str = "mo", **body: object) -> SessionClient:
        """Open a session: with the first ruleset, unless the body says otherwise."""
        return self.opened(person, {"ruleset": FIRST.name, "title": "The mint of Carrow", **body})

    def continued(self, person: str = "mo", title: str = "The day after") -> SessionClient:
        """Open a session that continues the last one."""
        return self.opened(person, {"title": title})

    def opened(self, person: str, body: object) -> SessionClient:
        answer = self.post(person, "/sessions", body)
        assert answer.status_code == 201, answer.text
        ticket = answer.json
        tokens = {"gm": ticket["token"], ticket["seat"]: ticket["token"]}
        return SessionClient(self.server, ticket["session"], tokens)

    def joins(self, person: str, session: SessionClient, **body: object) -> Any:
        """Let the person take their seat, and return the ticket."""
        answer = self.post(person, f"/sessions/{session.session}/join", body)
        assert answer.status_code == 201, answer.text
        session.tokens[answer.json["seat"]] = answer.json["token"]
        return answer.json


def campaign_with(session: SessionClient) -> CampaignClient:
    """A campaign that contains the session, and one person besides its GM."""
    campaign = CampaignClient(session.house)
    campaign.add("ana")
    added = campaign.put(
        "mo", f"/sessions/{session.session}", {"session_token": session.tokens["gm"]}
    )
    assert added.status_code == 200, added.text
    return campaign
