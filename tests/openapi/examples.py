"""The examples of the OpenAPI document: `python -m tests.openapi.examples` records them anew.

One scripted evening calls each operation once, on a server whose clock and random bytes are fixed. What it sends and
what the server answers is stored in service/http/examples.json, and a test plays it again.
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from werkzeug.test import TestResponse

from domain.proof.signed_note import vkey_text
from domain.session.messages import PresenceSet
from service.jobs.embedded_server import EmbeddedQueueServer
from service.platform import clock
from tests.service.http.test_cosignatures import Cosigner
from tests.support.example import EXAMPLE, as_json, over, to_draw
from tests.support.server import DrawTable, Holder, SessionClient, TestServer, ask, settings_in
from workers.audits import compute_audit
from workers.campaign_statistics import compute_campaign
from workers.jobs import compute_statistics

FILE = Path(__file__).parents[2] / "service" / "http" / "examples.json"
START_MS = 1_767_297_600_000  # 2026-01-01, 20:00 UTC
MAX_TEXT = 1200
"""Longer texts, such as an exported log, are cut off after a line."""
VOLATILE = ("checkReadiness", "getMetrics", "getStatus")
"""Operations whose answers depend on the machine."""

Example = dict[str, Any]
NOW_MS = [START_MS]
"""The time of the server. It moves by a second with each request."""


class Recorder:
    """Sends requests to a server, and stores each with its answer under the operation's id."""

    def __init__(self, server: TestServer) -> None:
        self.server = server
        self.examples: dict[str, Example] = {}
        self._keys = itertools.count(1)

    def call(
        self,
        operation: str,
        request: str,
        token: str = "",
        body: object = None,
        **headers: str,
    ) -> Any:
        """Send a request such as "GET /v1/sessions/{session}?limit=2"; `{name=value}` gives a path parameter."""
        NOW_MS[0] += 1000
        method, address = request.split(" ")
        path, _, query = address.partition("?")
        places = dict(re.findall(r"{(\w+)=([^}]*)}", path))
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if method == "POST":  # requests with PUT have the same effect if they are repeated
            sent["Idempotency-Key"] = f"example-key-{next(self._keys):04}"
        own = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.server.client.open(
            re.sub(r"{\w+=([^}]*)}", r"\1", path) + (f"?{query}" if query else ""),
            method=method,
            json=body,
            headers=sent | own,
        )
        assert answer.status_code < 300 or answer.status_code == 503, (operation, answer.text)
        self.examples[operation] = {
            "path": places,
            "query": dict(pair.split("=") for pair in query.split("&")) if query else {},
            **({} if body is None else {"body": body}),
            "status": answer.status_code,
            "type": answer.mimetype,
            "answer": answer_of(answer),
        }
        return answer.json if answer.mimetype == "application/json" else answer.text


def answer_of(answer: TestResponse) -> Any:
    """Return the JSON, or the beginning of a text: of a stream, the first two messages."""
    if answer.mimetype == "application/json":
        return answer.json
    if answer.mimetype == "text/event-stream":
        return "\n\n".join([*answer.text.split("\n\n")[:2], ""])
    return shortened(answer.text)


def shortened(text: str) -> str:
    """Return the first lines of the text, or the beginning of its only line."""
    if len(text) <= MAX_TEXT:
        return text
    return text[: text.rfind("\n", 0, MAX_TEXT) + 1] or text[:MAX_TEXT]


@contextmanager
def fixed_clock() -> Iterator[None]:
    """Fix the time and the random bytes: each call returns the next of a series."""
    seeds = itertools.count()

    def random_bytes() -> bytes:
        return sha256(b"example %d" % next(seeds)).digest()

    with (
        patch.object(clock, "now_ms", lambda: NOW_MS[0]),
        patch.object(clock, "random_bytes", random_bytes),
        patch.object(clock, "random_session_id", lambda: random_bytes()[:16].hex()),
        patch("service.platform.keys.random_bytes", random_bytes),
    ):
        yield


def record() -> dict[str, Example]:
    """Play the evening, and return an example of each operation."""
    NOW_MS[0] = START_MS
    with tempfile.TemporaryDirectory() as folder, fixed_clock():
        settings = settings_in(
            Path(folder),
            FAIRLOG_STREAM_SECONDS="0.05",
            FAIRLOG_PUBLIC_URL="https://fairlog.example",
            REDIS_URL="",
        )
        queue = EmbeddedQueueServer(settings)
        queue.start()
        try:
            with closing(TestServer(settings)) as server:
                return Evening(Recorder(server)).play()
        finally:
            queue.stop()


class Evening:
    """A session with a GM and two players, a session that draws by the table, and what surrounds them."""

    def __init__(self, recorder: Recorder) -> None:
        self.call, self.server, self.examples = recorder.call, recorder.server, recorder.examples
        self.session, self.gm, self.ana = "", "", ""

    def at(self, operation: str, request: str, body: object = None, **more: str) -> Any:
        """Call an operation of the session: "GET /events?limit=2"."""
        method, rest = request.split(" ")
        token = more.pop("token", self.ana)
        path = f"{method} /v1/sessions/{{session={self.session}}}{rest}"
        return self.call(operation, path, token, body, **more)

    def play(self) -> dict[str, Example]:
        parts = (self.begin, self.act, self.undo, self.draw, self.prove, self.count, self.end)
        for part in (*parts, self.meet_again):
            part()
        return self.examples

    def begin(self) -> None:
        self.call("checkLiveness", "GET /livez")
        self.call("listRulesets", "GET /v1/rulesets")
        self.call("getRuleset", "GET /v1/rulesets/{ruleset=dhextiny}")
        self.call("listTypicalOdds", "GET /v1/rulesets/{ruleset=dhextiny}/odds")
        opening = {"ruleset": "dhextiny", "title": "The other half of the map", "name": "Mo"}
        made = self.call(
            "openSession", "POST /v1/sessions", "", opening | {"options": {"listed": True}}
        )
        self.session, self.gm = made["session"], made["token"]
        body = {"role": "player", "seat": "ana", "expires_in_hours": 48}
        code = self.at("createInvitation", "POST /invitations", body, token=self.gm)["code"]
        self.at("listInvitations", "GET /invitations", token=self.gm)
        self.call("getInvitation", f"GET /v1/invitations/{{code={code}}}")
        taking = {"code": code, "name": "Ana's player", "colour": "violet"}
        self.ana = self.call("takeSeat", "POST /v1/seats", "", taking)["token"]
        spare = self.at(
            "createInvitation", "POST /invitations", body | {"seat": "ben"}, token=self.gm
        )
        self.at(
            "withdrawInvitation", f"DELETE /invitations/{{invitation={spare['id']}}}", token=self.gm
        )
        self.at("createInvitation", "POST /invitations", body, token=self.gm)
        self.at("nameSeat", "POST /seats/{seat=ana}/name", {"name": "Ana's player, Lea"})
        self.at("chooseColour", "PUT /seats/{seat=ana}/colour", {"colour": "teal"})
        self.call("getMe", "GET /v1/me", self.ana)
        bot = {"name": "Dice bot", "scopes": ["read", "play"], "expires_in_hours": 24}
        self.at("createToken", "POST /tokens", bot)
        [*_, token] = self.at("listTokens", "GET /tokens")["tokens"]
        self.at("revokeToken", f"DELETE /tokens/{{token={token['id']}}}")

    def act(self) -> None:
        create = {"kind": "dhextiny.CreatePc", "entity": "ana", "name": "Ana Quickfinger"}
        check = {"kind": "dhextiny.Check", "entity": "ana"}
        self.at("sendCommand", "POST /commands", {"command": create})
        self.at("listCommands", "GET /commands?values=true")
        self.at("tryCommand", "POST /commands/dry-run", {"command": check})
        self.at("getOdds", "POST /odds", {"command": check})
        self.at("narrate", "POST /narrate", {"text": "I pick the lock of the vault."})
        self.roll()
        settle = {"kind": "dhextiny.Settle", "entity": "ana"}
        self.at("sendCommand", "POST /commands", {"command": settle})
        self.roll()
        trap = {"text": "The lock is a trap.", "audience": "gm"}
        turn = self.at("narrate", "POST /narrate", trap, token=self.gm)["turn"]
        self.at("openSecret", "POST /open-secret", {"turn": turn}, token=self.gm)
        self.at("narrate", "POST /narrate", {"text": "I pick the lock of the vault."})

    def undo(self) -> None:
        version = self.at("getSession", "GET ")["version"]
        slip = self.at("narrate", "POST /narrate", {"text": "Lea says her address."})["version"]
        self.at("redactEvent", "POST /redact", {"version": slip, "reason": "This is private."})
        self.at("narrate", "POST /narrate", {"text": "I pick the lock of the vault."})
        body = {"to": version, "reason": "We misread the rule."}
        self.at("rewindSession", "POST /rewind", body, token=self.gm)
        for operation, address in (
            ("listEvents", "/events?after=10&limit=3"),
            ("listTurns", "/turns?limit=3"),
            ("getTimeline", "/timeline?after=10"),
            ("listBranches", "/branches"),
            ("getLineage", "/lineage"),
            ("searchEvents", "/search?kind=Checked&limit=2"),
            ("getEvent", "/events/{version=12}"),
            ("listRerolls", "/rerolls"),
            ("getFeed", "/feed"),
            ("getFeedSegment", "/feed/{segment=0}"),
            ("compareVersions", "/compare?from=10&to=14"),
            ("listConnectedSeats", "/connections"),
            ("streamEvents", "/stream?after=10"),
            ("getTranscript", "/transcript"),
            ("listAuditReads", "/audit-reads"),
        ):
            self.at(operation, f"GET {address}", token=self.gm)
        body = {"url": "https://hooks.example/fairlog", "format": "standard"}
        hook = self.at("createWebhook", "POST /webhooks", body, token=self.gm)["id"]
        self.at("listWebhooks", "GET /webhooks", token=self.gm)
        self.at("getWebhook", f"GET /webhooks/{{webhook={hook}}}", token=self.gm)
        self.at(
            "resumeWebhook",
            f"POST /webhooks/{{webhook={hook}}}/resume",
            {"after": 12},
            token=self.gm,
        )
        self.at("deleteWebhook", f"DELETE /webhooks/{{webhook={hook}}}", token=self.gm)
        fork = {"version": version, "title": "If we had run"}
        self.at("forkSession", "POST /forks", fork, token=self.gm)
        self.call("listSessions", "GET /v1/sessions?limit=2", self.ana)
        self.call("streamNotices", "GET /v1/me/stream", self.ana)

    def draw(self) -> None:
        """Draw by the table, in a session of its own."""
        table = DrawTable(self.server)
        here, self.session = self.session, table.evening.session
        gm, ana = table.evening.tokens["gm"], table.evening.tokens["p1"]
        table.evening.seat("late")
        holder = Holder(table.evening, "late")
        late = table.evening.tokens["late"]
        self.at("addChain", "POST /seats/{seat=late}/chain", holder.anchored(), token=late)
        seen = holder.seen(1)
        signature = holder.sign(PresenceSet(1, False, "late", **seen))
        body = {"present": False, "signature": signature} | seen
        self.at("setPresence", "POST /seats/{seat=late}/presence", body, token=late)
        table.evening.go(*to_draw()[:-1])
        ask(table)
        waiting = self.at("getPendingDraw", "GET /draws/pending", token=ana)
        given = msgspec.to_builtins(table.holders["p1"].contribution(waiting))
        body = {name: value for name, value in given.items() if name != "seat"}
        self.at("contributeToDraw", "POST /draws/{draw=0}/contributions", body, token=ana)
        table.give("gm", "p2")
        self.at("getDraw", "GET /draws/{draw=0}", token=ana)
        self.at("exportDraw", "GET /draws/{draw=0}/proof", token=ana)
        link = self.at("createRollLink", "PUT /draws/{draw=0}/link", token=ana)
        self.call("getSharedRoll", f"GET /v1/rolls/{{code={link['code']}}}")
        self.call("exportSharedRoll", f"GET /v1/rolls/{{code={link['code']}}}/proof")
        self.at("revokeRollLink", "DELETE /draws/{draw=0}/link", token=ana)
        table.evening.go(*over())
        ask_again = {"command": as_json(EXAMPLE.draw)}
        self.at("sendCommand", "POST /commands", ask_again, token=ana)
        NOW_MS[0] += 600_000
        self.at("voidDraw", "POST /draws/{draw=1}/void", token=gm)
        self.session = here
        settle = {"kind": "dhextiny.Settle", "entity": "ana"}
        self.at("sendCommand", "POST /commands", {"command": settle})
        self.roll()

    def roll(self) -> None:
        """Send the check that becomes the example of a command."""
        state = self.at("getSession", "GET ")
        check = {"kind": "dhextiny.Check", "entity": "ana"}
        entropy = sha256(b"example bytes of the player").hexdigest()
        body = {"command": check, "entropy": entropy, "draw": state["next_draw"]}
        self.at("sendCommand", "POST /commands", body, If_Match=f'"{state["version"]}"')

    def prove(self) -> None:
        self.server.follow()
        self.at("getCheckpoint", "GET /checkpoint")
        cosigner = Cosigner(SessionClient(self.server, self.session, {"gm": self.gm}), "gm")
        text = cosigner.checkpoint()
        body = {"note": text + cosigner.line(text), "vkey": vkey_text(cosigner.key)}
        self.at("cosignCheckpoint", "POST /cosignatures", body, token=self.gm)
        self.at("listCosignatures", "GET /cosignatures")
        self.at("proveInclusion", "GET /proofs/inclusion?version=3")
        self.at("proveConsistency", "GET /proofs/consistency?from=5")
        self.at("exportSession", "GET /export")

    def count(self) -> None:
        compute_statistics(self.server.app, self.session)
        for operation, rest in (
            ("getStatistics", ""),
            ("listPlots", "/plots"),
            ("getPlot", "/plots/{plot=tempo}.svg"),
            ("getPlotTable", "/plots/{plot=tempo}.csv"),
        ):
            self.at(operation, f"GET /statistics{rest}")
        job = self.at("requestAudit", "POST /audits")["id"]
        self.call("getJob", f"GET /v1/jobs/{{job={job}}}", self.ana)
        compute_audit(self.server.app, self.session)
        self.at("listAudits", "GET /audits")

    def end(self) -> None:
        self.at("handOverSession", "POST /hand-over", {"seat": "ana"}, token=self.gm)
        self.at("leaveSeat", "DELETE /seats/{seat=gm}", token=self.gm)
        self.at("closeSession", "POST /close", {"carry_over": True})
        self.server.follow()
        self.at("proveIndexed", "GET /proofs/index")
        self.call("getIndexCheckpoint", "GET /v1/index/checkpoint")
        self.call("listIndexEntries", "GET /v1/index/entries?limit=2")
        self.call("proveIndexInclusion", "GET /v1/index/proofs/inclusion?number=1")
        self.call("proveIndexConsistency", "GET /v1/index/proofs/consistency?from=1")
        self.ana = self.at("renewToken", "POST /tokens/current/renew")["token"]
        self.at("revokeCurrentToken", "DELETE /tokens/current")
        for operation, path in (
            ("checkReadiness", "/readyz"),
            ("getStatus", "/v1/status"),
            ("getMetrics", "/metrics"),
        ):
            self.call(operation, f"GET {path}")

    def meet_again(self) -> None:
        """Play two sessions of a campaign."""
        body = {"title": "The other half of the map", "person": "mo", "name": "Mo"}
        made = self.call("createCampaign", "POST /v1/campaigns", "", body)
        path, mo = f"/v1/campaigns/{{campaign={made['campaign']}}}", made["token"]
        body = {"person": "ana", "name": "Lea"}
        ana = self.call("addPerson", f"POST {path}/people", mo, body)["token"]
        self.call("addPerson", f"POST {path}/people", mo, {"person": "ben", "name": "Ben"})
        body = {"title": "The vault", "ruleset": "dhextiny"}
        first = self.call("openNextSession", f"POST {path}/sessions", mo, body)["session"]
        session = f"{path}/sessions/{{session={first}}}"
        seat = self.call("joinSession", f"POST {session}/join", ana, {})["token"]
        create = {"kind": "dhextiny.CreatePc", "entity": "ana", "name": "Ana Quickfinger"}
        self.server.client.post(  # not an example: the one of a command is a check
            f"/v1/sessions/{first}/commands",
            json={"command": create},
            headers={"Authorization": f"Bearer {seat}", "Idempotency-Key": "example-key-of-ana"},
        )
        self.call("unlinkSeat", f"DELETE {session}/seats/{{seat=ana}}", ana)
        body = {"person": "ana", "seat_token": seat}
        self.call("linkSeat", f"PUT {session}/seats/{{seat=ana}}", ana, body)
        body = {"title": "The second half"}
        second = self.call("openNextSession", f"POST {path}/sessions", mo, body)
        self.call(
            "joinSession", f"POST {path}/sessions/{{session={second['session']}}}/join", ana, {}
        )
        self.call("getCampaign", f"GET {path}", ana)
        self.call("getCampaignManifest", f"GET {path}/manifest", ana)
        compute_campaign(self.server.app, made["campaign"])
        self.call("getCampaignStatistics", f"GET {path}/statistics", ana)
        last = f"{path}/sessions/{{session={second['session']}}}"
        self.call("removeSession", f"DELETE {last}", mo)
        self.call("addSession", f"PUT {last}", mo, {"session_token": second["token"]})
        ana = self.call("renewPersonalToken", f"POST {path}/people/{{person=ana}}/token", ana)[
            "token"
        ]
        self.call("handOverCampaign", f"POST {path}/hand-over", mo, {"person": "ana"})
        self.call("removePerson", f"DELETE {path}/people/{{person=mo}}?forget=true", mo)
        self.call("deleteCampaign", f"DELETE {path}", ana)


def main() -> None:
    FILE.write_text(json.dumps(record(), indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
