"""Long sessions to measure: real turns of dhextiny, appended in large steps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count, cycle

import msgspec
from msgspec.structs import replace

from domain.codec import encode
from domain.decider import By, Role
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from domain.recorded_event import RecordedEvent
from domain.ruleset import Option
from domain.session.messages import NEWEST_FORMAT, Declare, Open, TakeSeat
from domain.session.state import History
from domain.session.turns import Head, decide_turn
from service.ops.migrate import prepare
from service.platform import clock
from service.platform.settings import Settings
from service.sessions.app import App, build
from service.sessions.command_handler import open_session
from service.sessions.idempotency import RequestIdentity
from service.sessions.turns import turn_context

GM = By("gm", Role.GM)
_keys = count()


@contextmanager
def fresh_app(**environ: str) -> Iterator[App]:
    """Yield an app with an empty data directory."""
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        settings = Settings.read(
            {"FAIRLOG_DATA": folder, "FAIRLOG_CHAIN_LENGTH": "60000", **environ}
        )
        prepare(settings)
        app = build(settings)
        try:
            yield app
        finally:
            app.close()


def fresh_request() -> RequestIdentity:
    """Return the identity of a new request by the GM."""
    return RequestIdentity("gm", f"bench-{next(_keys):012}", b"bench")


def open_bench_session(app: App) -> str:
    """Open a session with only a GM through the command handler, and return its id."""
    session = clock.random_session_id()
    origin = f"bench.example/sessions/{session}"
    key = vkey_text(Vkey(origin, ED25519, app.keys.log.public))
    options: dict[str, Option] = {}
    open_session(
        app,
        session,
        Open("dhextiny", "1", "Bench", options, key, log_format=NEWEST_FORMAT),
        TakeSeat("gm", Role.GM, "Mo"),
        fresh_request(),
    )
    return session


def dhextiny_command(kind: str, /, **fields: str | int) -> Declare:
    """Return a command of dhextiny."""
    return Declare(msgspec.Raw(encode({"kind": f"dhextiny.{kind}", **fields})))


CREATE = dhextiny_command("CreateCreature", entity="rat", name="Rat", lp=6)
ROUND = (dhextiny_command("Check", entity="rat"), dhextiny_command("Settle", entity="rat"))


def lengthen(
    app: App, session: str, least: int, step: int = 50, commands: Iterator[Declare] | None = None
) -> None:
    """Append turns until the session has at least `events` events.

    The turns are those of `commands`, or a rat's checks.
    """
    head = app.log.read(session)
    states = {head.session.version: head.session}
    history = History(states.__getitem__, lambda after, upto: ())
    means = replace(turn_context(app, head.session.id), history=history)
    given = commands or _checks(head)
    while head.session.version < least:
        events: list[RecordedEvent] = []
        while len(events) < step:
            head, more, _ = decide_turn(head, next(given), GM, means)
            events.extend(more)
        app.log.append(head, events)


def _checks(head: Head) -> Iterator[Declare]:
    """Yield the rat's checks, continuing from the session's state."""
    table = head.session.ruleset.show(head.session.table)
    yield from ROUND[1:] if "check" in table.tasks else () if "rat" in table.entities else (CREATE,)
    yield from cycle(ROUND)
