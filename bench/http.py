"""Turns over HTTP: 16 clients in 16 sessions, against the same server storing one row each."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from contextlib import closing

from bench.clients import Client, Done, Load, run
from bench.measurement import Measurement
from bench.servers import RAW_APP, RAW_PATH, Served, postgres, served
from service.client.api import ApiConnection

CLIENTS = 16
ROUNDS, SECONDS = 10, 2.0
"""Product and floor are measured in turn, so that a disturbance affects both."""
RAT = {"kind": "dhextiny.CreateCreature", "entity": "rat", "name": "Rat", "lp": 6}
BODIES = tuple(
    json.dumps({"command": {"kind": f"dhextiny.{kind}", "entity": "rat"}})
    for kind in ("Check", "Settle")
)


def on_sqlite() -> Measurement:
    with served(RAW_APP) as server:
        return _figure("SQLite FULL", server)


def on_postgres() -> Measurement:
    with postgres() as url, served(RAW_APP, DATABASE_URL=url) as server:
        return _figure("PostgreSQL", server)


def players(server: Served, sessions: int = CLIENTS) -> tuple[Client, ...]:
    """Return a client for each of `sessions` new sessions. It only makes a rat's checks."""
    return tuple(_player(server) for _ in range(sessions))


def _player(server: Served) -> Client:
    with closing(ApiConnection(server.url)) as gm:
        ticket = gm.post(
            "/v1/sessions", {"ruleset": "dhextiny", "title": "Bench", "options": {}}
        ).json
        gm.token, path = ticket["token"], f"/v1/sessions/{ticket['session']}/commands"
        assert gm.post(path, {"command": RAT}).status == 201
    return Client(path, gm.token, BODIES)


def _figure(database: str, server: Served) -> Measurement:
    ours = players(server)
    floor = tuple(Client(RAW_PATH, client.token, client.bodies) for client in ours)
    (
        load(server, ours, SECONDS),
        load(server, floor, SECONDS),
    )  # the first second is no measure of the rest
    done = [[load(server, clients, SECONDS) for clients in (ours, floor)] for _ in range(ROUNDS)]
    turns, posts = zip(*done, strict=True)
    mine, least = (statistics.median(each.rate for each in those) for those in (turns, posts))
    said = ", ".join(
        f"p{share} {_at(turns, share / 100)} / {_at(posts, share / 100)} ms" for share in (50, 99)
    )
    name = f"turns over HTTP, {CLIENTS} clients and sessions, {database}"
    return Measurement(name, mine, least, "turns/s", mine / least, 0.6, least=True, said=said)


def load(server: Served, clients: Sequence[Client], seconds: float) -> Done:
    """Run all clients for some seconds and return the result."""
    return run(Load(*server.place, seconds, tuple(clients)))


def _at(rounds: Sequence[Done], share: float) -> str:
    """Return a quantile of the latency in ms."""
    latencies = sorted(latency for done in rounds for latency in done.latencies)
    return f"{1e3 * latencies[int(share * (len(latencies) - 1))]:.0f}"
