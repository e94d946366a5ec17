"""Long sessions for the figures: real turns of the first room, appended in large steps."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import msgspec

from domain.codec import encode
from domain.decider import By, Role
from domain.proof.note import ED25519, Vkey, vkey_text
from domain.ruleset import Option
from domain.session.draws import Head, Means, take_turn
from domain.session.messages import Declare, Open, TakeSeat
from service import sources
from service.answers import Asked
from service.bootstrap import App, build, prepare
from service.handle import open_session
from service.settings import Settings

GM = By("gm", Role.GM)
_keys = count()


@contextmanager
def fresh_app(**environ: str) -> Iterator[App]:
    """An app on an empty data directory; nothing listens to its nudges."""
    with tempfile.TemporaryDirectory(prefix="fairlog-bench-") as folder:
        settings = Settings.read({"FAIRLOG_DATA": folder, "FAIRLOG_CHAIN_LENGTH": "60000", **environ})
        prepare(settings)
        app = build(settings)
        try:
            yield app
        finally:
            app.close()


def asked() -> Asked:
    """A request of the GM under a key of its own."""
    return Asked("gm", f"bench-{next(_keys):012}", b"bench")


def opened(app: App) -> str:
    """A session of the GM's alone, opened through the spine."""
    session = sources.fresh_id()
    origin = f"bench.example/sessions/{session}"
    key = vkey_text(Vkey(origin, ED25519, app.keys.log.public))
    options: dict[str, Option] = {}
    open_session(
        app, session, Open("dhextiny", "1", "Bench", options, key), TakeSeat("gm", Role.GM, "Mo"), asked()
    )  # fmt: skip
    return session


def wish(kind: str, /, **fields: str | int) -> Declare:
    """A wish of the first room."""
    return Declare(msgspec.Raw(encode({"kind": f"dhextiny.{kind}", **fields})))


CREATE = wish("CreateCreature", entity="rat", name="Rat", lp=6)
ROUND = (wish("Check", entity="rat"), wish("Settle", entity="rat"))


def lengthen(app: App, session: str, events: int, step: int = 50) -> None:
    """Appends turns until the session has at least so many events."""
    head = app.log.read(session)
    past = {head.session.version: head.session}
    means = Means(sources.now_ms(), sources.fresh, app.house.link, app.house.sign, past.__getitem__)
    wishes = iter(()) if head.session.version > 4 else iter((CREATE,))
    while head.session.version < events:
        facts = []
        while len(facts) < step:
            head, more = _turn(head, next(wishes, None), means)
            facts.extend(more)
        app.log.append(head, facts)


def _turn(head: Head, first: Declare | None, means: Means) -> tuple[Head, tuple[object, ...]]:
    if first is not None:
        return take_turn(head, first, GM, means)
    return take_turn(head, ROUND[1 if _checking(head) else 0], GM, means)


def _checking(head: Head) -> bool:
    return bool(head.session.room.show(head.session.table).tasks)
