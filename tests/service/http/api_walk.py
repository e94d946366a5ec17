"""Who wanders through the API: the tables that its answers told of, and the tokens and keys of their seats."""

from __future__ import annotations

import json
import random
import re
from typing import Any
from uuid import uuid4

from msgspec import UNSET
from schemathesis import Case

from domain.available_commands import available_commands
from domain.session.state import Session
from fairlog.testing.random_commands import builtins, wish
from tests.support.campaigns import CampaignClient
from tests.support.server import Holder, SessionClient, TestServer
from workers.audits import compute_audit
from workers.jobs import compute_statistics

ID = re.compile(r"[0-9a-f]{32}")
RECENT = 6
"""Tables that a case may be moved to: those that were opened last."""


class Wanderer:
    """Keeps the tokens of every table; `house` is on the same files as the server, to sign and to look things up."""

    def __init__(self, house: TestServer, seed: int) -> None:
        self.house, self.source = house, random.Random(seed)
        self.tables: dict[str, SessionClient] = {}
        self.holders: dict[tuple[str, str], Holder] = {}
        self.campaigns: list[tuple[CampaignClient, SessionClient]] = []
        self._keys: set[str] = set()

    def often(self, chance: float) -> bool:
        return self.source.random() < chance

    def keyed(self, case: Case) -> None:
        """A key that came before mostly becomes a new one."""
        if case.headers.get("Idempotency-Key") in self._keys and self.often(0.9):
            case.headers["Idempotency-Key"] = uuid4().hex
        self._keys.add(case.headers.get("Idempotency-Key", ""))

    def speak(self, case: Case, evening: SessionClient, seat: str | None) -> None:
        if seat in evening.tokens:
            case.headers["Authorization"] = f"Bearer {evening.tokens[seat]}"

    def learn(self, case: Case, status: int, body: bytes) -> None:
        """What an answer gave: the token of a seat, or a job to be done."""
        told = _object(body)
        if status in (200, 201) and ID.fullmatch(str(told.get("session"))) and "token" in told:
            table = self.tables.setdefault(
                told["session"], SessionClient(self.house, told["session"], {})
            )
            table.tokens[told["seat"]] = told["token"]
            if told["role"] == "gm" and self.state(table).info.draws == "table" and self.often(0.7):
                self.holder(table, told["seat"]).bring()
        elif status == 201 and case.operation.label.endswith("/renew"):
            self.tables[case.path_parameters["session"]].tokens[told["seat"]] = told["token"]
        elif status == 202 and "job" in told and "campaign" not in told and self.often(0.2):
            work = compute_audit if told["job"].startswith("audit") else compute_statistics
            self.house.follow()
            work(self.house.app, told.get("session") or case.path_parameters["session"])

    def campaign(self) -> tuple[CampaignClient, SessionClient]:
        """A campaign and a session of it in which Ana has the seat p1: a new one, or one of the last."""
        if not self.campaigns or self.often(0.2):
            made = CampaignClient(self.house)
            made.add("ana", "ben")
            session = made.open()
            made.joins("ana", session, seat="p1")
            self.campaigns.append((made, session))
        return self.source.choice(self.campaigns[-RECENT:])

    def holder(self, evening: SessionClient, seat: str) -> Holder:
        """The key and the chain of a seat."""
        role = self.state(evening).by(seat).role.value
        return self.holders.setdefault((evening.session, seat), Holder(evening, seat, role))

    def state(self, evening: SessionClient) -> Session:
        return self.house.app.log.read(evening.session).session

    def command(self, evening: SessionClient, seat: str) -> dict[str, Any]:
        """One that the table offers to the seat, or any of its room."""
        state = self.state(evening)
        offered = [
            each.example for each in available_commands(state, state.by(seat)) if each.allowed
        ]
        example = self.source.choice(offered) if offered and self.often(0.8) else UNSET
        made = wish(self.source, state.ruleset, state.table) if example is UNSET else example
        return dict(builtins(made))

    def table(self, case: Case) -> SessionClient | None:
        """The table that the case is for; made up ids mostly become those of one that is there."""
        places = case.path_parameters or {}
        if "session" not in places or not self.tables:
            return None
        if places["session"] not in self.tables and self.often(0.9):
            case.path_parameters["session"] = self.source.choice(list(self.tables)[-RECENT:])
        return self.tables.get(str(case.path_parameters["session"]))

    def seat(self, evening: SessionClient) -> str | None:
        """The GM more often than all others; sometimes nobody."""
        seats = list(evening.tokens)
        return self.source.choice([seats[0]] * (len(seats) + 1) + seats + [None])


def _object(body: bytes) -> dict[str, Any]:
    """What an answer says, where it is one object of JSON."""
    try:
        told = json.loads(body)
    except ValueError:  # a picture, a stream, a log
        return {}
    return told if isinstance(told, dict) else {}
