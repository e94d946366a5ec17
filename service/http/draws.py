"""Draws that seats give to: the one that waits with its proofs, giving, giving up, and any draw as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flask import Response
from msgspec import UNSET, Raw

from domain.fact import Fact, leaf_of
from domain.proof import tree
from domain.session.draws import Head
from domain.session.messages import Contribution, Declared, Drawn, DrawVoided
from domain.session.state import HOUSE, Session
from domain.view import Viewer
from projections.timeline import lines_of
from service import notary
from service.bootstrap import App
from service.drawn import declared_at, turn_since
from service.http import auth
from service.http.answering import json
from service.http.awaited import DrawAwaited, DrawState, Opened, Place, Received, Status
from service.http.events import iso, rewinds, shown
from service.http.given import Contributing, Looking, Sight
from service.http.openapi import Blueprint
from service.http.problems import Problem
from service.http.proofs import in_hex
from service.taking import deadline, deadline_after
from service.waiting import contribute, contributions, void

blueprint = Blueprint(
    "Draws", __name__, description="Chance that no seat can choose, as every seat gives its part."
)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/draws/pending",
    query=Looking,
    gives=DrawAwaited,
    token="optional",
    problems=["version-ahead"],
)
def pending(session: str, query: Looking) -> Response:
    """Read the draw that waits

    With what proves it: that its declaration is in the tree of `size`, which the checkpoint signs, and that this tree
    begins with the one you have `seen`. Where none waits the answer is 404.
    """
    app = auth.edge().app
    head, _ = auth.viewed(session)
    now = head.session
    if now.pending is None:
        raise Problem("not-found", "No draw waits.")
    size = now.version
    seen = size if query.seen is UNSET else query.seen
    if seen > size:
        raise Problem("version-ahead", f"The session is at version {size}.", version=size)
    return json(_awaited(app, head, seen), version=size)


@blueprint.operation(
    "GET",
    "/v1/sessions/<session:session>/draws/<draw:k>",
    query=Sight,
    gives=DrawState,
    token="optional",
    problems=["refused"],
)
def draw(session: str, k: str, query: Sight) -> Response:
    """Read a draw

    Whether it waits, was drawn or given up, who has given and who not, and the events of its turn.
    """
    head, viewer = auth.viewed(session, query.through)
    return json(_state(auth.edge().app, head.session, viewer, int(k)), version=head.session.version)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/draws/<draw:k>/contributions",
    body=Contributing,
    gives=Received,
    status=201,
    problems=["refused"],
)
def give(session: str, k: str, body: Contributing) -> Response:
    """Give your link

    Your seat's link of the position that the draw takes, signed under a tree that you have checked. The receipt is
    the house's word that it holds it; the same again gives the same receipt. With the last one the draw is made.
    """
    seat = auth.seated(session)
    given = Contribution(
        body.chain, body.link, body.position, seat, body.seen_root, body.seen_size, body.signature
    )
    receipt = contribute(auth.edge().app, session, int(k), given)
    return json(Received(Raw(receipt.contribution), receipt.receipt.hex()), 201)


@blueprint.operation(
    "POST",
    "/v1/sessions/<session:session>/draws/<draw:k>/void",
    gives=DrawState,
    problems=["refused"],
)
def give_up(session: str, k: str) -> Response:
    """Give a draw up

    Any seat may, once its deadline has passed. Who is missing is named, and takes no part in draws until it says that
    it is there. A draw that is over already is answered as it is.
    """
    app, seat = auth.edge().app, auth.seated(session)
    head = void(app, session, int(k))
    return json(_state(app, head.session, Viewer(seat), int(k)), version=head.session.version)


def _awaited(app: App, head: Head, seen: int) -> DrawAwaited:
    session, pending = head.session, head.session.pending
    assert pending is not None
    declared = app.log.facts(session.id, pending.version - 1, pending.version)[0]
    size = session.version
    inclusion, consistency = _proofs(app, session.id, pending.version, seen, size)
    note = notary.checkpoint(app, session.frame, session.id, size, tree.root(head.frontier, size))
    return DrawAwaited(
        pending.k,
        pending.version,
        pending.turn,
        pending.seat,
        iso(pending.at),
        iso(deadline(session)),
        pending.contributors,
        _seats_of(contributions(app, session)),
        leaf_of(declared).decode(),
        Opened(Raw(declared.raw), declared.salt.hex()),
        size,
        inclusion,
        note,
        consistency,
    )


def _proofs(
    app: App, session: str, version: int, seen: int, size: int
) -> tuple[list[str], list[str]]:
    """That the version stands in the tree of that size, and that this tree begins with the one that was seen."""
    nodes = app.trees.at(session, size)
    return in_hex(nodes.inclusion(version - 1, size)), in_hex(nodes.consistency(seen, size))


def _state(app: App, session: Session, viewer: Viewer, k: int) -> DrawState:
    """Draw k as the viewer may see it. Problem("not-found")."""
    declared = declared_at(app, session, k)
    if declared is None:
        raise Problem("not-found", "There was no such draw yet.")
    facts = turn_since(app, session, declared)
    lines = lines_of(
        session.room,
        facts,
        rewinds(app, session),
        session.version,
        app.log.history(session.id).state,
    )
    places = _places(declared)
    status, seats, missing = _stands(app, session, facts, places)
    return DrawState(
        k,
        declared.version,
        declared.turn,
        declared.seat,
        status,
        places,
        seats,
        missing,
        shown(app, session, viewer, facts, lines),
        iso(deadline_after(session, declared.at)) if len(places) > 1 else UNSET,
    )


def _stands(
    app: App, session: Session, facts: Sequence[Fact], places: tuple[Place, ...]
) -> tuple[Status, list[str], list[str]]:
    """How it stands, who has given, who has not."""
    for fact in facts:
        if isinstance(fact.body, Drawn):
            return "drawn", _seats_of(fact.body.contributions), []
        if isinstance(fact.body, DrawVoided):
            return "void", _seats_of(fact.body.contributions), list(fact.body.missing)
    seats = _seats_of(contributions(app, session))
    return "waiting", seats, [seat for seat, _, _ in places if seat not in (HOUSE, *seats)]


def _places(declared: Fact) -> tuple[Place, ...]:
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    return declared.body.draw.contributors


def _seats_of(contributions: Iterable[Contribution]) -> list[str]:
    return [given.seat for given in contributions]
