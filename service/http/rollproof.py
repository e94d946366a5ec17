"""The file that proves one roll alone: `fairlog verify --draw` checks it, with nothing else at hand."""

from __future__ import annotations

from functools import partial

from flask import Response
from msgspec import UNSET

from domain.bundle import Manifest
from domain.codec import KINDS
from domain.fact import Fact
from domain.ruleset import Message
from domain.session.draws import Head
from domain.session.messages import (
    ChainAnchored,
    Declared,
    Drawn,
    DrawVoided,
    SealOpened,
    SeatTaken,
)
from domain.verify.rollfile import picked, write
from domain.view import Viewer, opens
from service import notary
from service.bootstrap import App
from service.drawn import declared_at, turn_since
from service.http import auth
from service.http.openapi import Blueprint
from service.http.problems import Problem

ROLL = "application/x-fairlog-roll"

blueprint = Blueprint(
    "Rolls", __name__, description="What proves a single roll, without the rest of its evening."
)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/draws/<draw:k>/proof",
    gives={ROLL: None},
    token="optional",
)
def proof(session: str, k: str) -> Response:
    """Take the proof of a roll home

    One canonical JSON file: a signed checkpoint, and every event that the roll stands on, as open as it is to you,
    with the proof that it is in the log. `fairlog verify --draw` checks it offline. A draw that waits has none yet.
    """
    head, viewer = auth.viewed(session)
    app = auth.edge().app
    declared = declared_at(app, head.session, int(k))
    turn = [] if declared is None else turn_since(app, head.session, declared)
    end = next((fact.body for fact in turn if isinstance(fact.body, Drawn | DrawVoided)), None)
    if declared is None or end is None:
        raise Problem("not-found", "There was no such draw yet, or it waits for its seats.")
    response = Response(_file(app, head, viewer, declared, turn, end), content_type=ROLL)
    response.headers.set("Content-Disposition", "attachment", filename=f"draw-{k}.roll")
    return response


def _file(
    app: App, head: Head, viewer: Viewer, declared: Fact, turn: list[Fact], end: Drawn | DrawVoided
) -> bytes:
    session, frame, size = head.session.id, head.session.frame, head.session.version
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    nodes = app.trees.at(session, size)
    signed = notary.checkpoint(app, frame, session, size, nodes.root(size))
    manifest = Manifest(
        frame.edition, frame.log_key, notary.origin_of(frame), frame.ruleset, session, 1
    )
    seen = {
        given.seen_size: nodes.consistency(given.seen_size, size) for given in end.contributions
    }
    facts = picked(_beside(app, session, size, declared, turn), declared)
    return write(
        manifest,
        signed,
        declared.body.draw.k,
        facts,
        partial(opens, head.session, viewer),
        lambda version: nodes.inclusion(version - 1, size),
        seen,
    )


def _beside(app: App, session: str, size: int, declared: Fact, turn: list[Fact]) -> list[Fact]:
    """The turn's facts, and all others that may belong to them, in order."""
    first = app.log.facts(session, 0, 1)
    kinds: tuple[type[Message], ...] = (SeatTaken, ChainAnchored)
    anchors = [fact for kind in kinds for fact in app.log.of_kind(session, KINDS[kind])]
    openings = app.log.of_kind(session, KINDS[SealOpened], declared.version)
    before = [fact for fact in anchors if fact.version < declared.version]
    found = {fact.version: fact for fact in (*first, *before, *turn, *openings)}
    return [found[version] for version in sorted(found) if version <= size]
