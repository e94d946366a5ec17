"""Draw routes: the pending draw, contributions, voids and proof files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Literal

from flask import Response
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.codec import KINDS
from domain.log_file import Manifest
from domain.proof import merkle_tree
from domain.recorded_event import RecordedEvent, leaf_of
from domain.ruleset import Message
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Drawn,
    DrawVoided,
    SealOpened,
    SeatTaken,
)
from domain.session.state import HOUSE, Session
from domain.session.turns import Head
from domain.verify.single_draw import select_roll_events, write_roll
from domain.visibility import Viewer, is_visible
from service.http import auth, models
from service.http.errors import ProblemError
from service.http.openapi import Blueprint
from service.http.presenters import described_events, iso_time
from service.http.responses import json_response
from service.sessions import checkpoints
from service.sessions.app import App
from service.sessions.pending_draws import (
    contribute,
    contributions,
    find_declaration,
    turn_events,
    void_draw,
)
from service.sessions.turns import deadline, deadline_after

blueprint = Blueprint("Draws", __name__, tag="Draws")


Place = tuple[str, int, int]
"""A contributor as (seat, chain number, position of the link that the draw uses)."""

Status = Literal["waiting", "drawn", "void"]


DeclaredVersion = Annotated[
    int, Meta(description="the version of the event that declares the draw")
]
DrawTurn = Annotated[int, Meta(description="the number of the draw's turn, from 1")]
DrawSeat = Annotated[str, Meta(description="the id of the seat whose command needs the draw")]
Contributors = Annotated[
    list[models.Contributor],
    Meta(description="the contributors, including the server (`house`)"),
]
ContributingSeats = Annotated[
    list[str], Meta(description="the ids of the seats that have contributed so far")
]


class PendingDraw(models.ResponseModel, frozen=True):
    """The pending draw, with a signed checkpoint of the log that declares it.

    Before you contribute, read the events with their leaves, and check that the checkpoint has the
    root of their tree.
    """

    number: models.DrawNumberView
    version: DeclaredVersion
    turn: DrawTurn
    seat: DrawSeat
    at: Annotated[str, Meta(description="the time when the draw was declared (ISO 8601, UTC)")]
    deadline: models.DrawDeadline
    contributors: Contributors
    contributed: ContributingSeats
    leaf: Annotated[
        str,
        Meta(
            description="the leaf of the event that declares the draw, as canonical JSON; "
            "contributions sign its hash"
        ),
    ]
    size: Annotated[int, Meta(description="the size of the checkpoint, as a number of events")]
    checkpoint: Annotated[
        str,
        Meta(description="the log's checkpoint of size `size`, as a signed note (C2SP)"),
    ]


class DrawState(models.ResponseModel, frozen=True):
    """The state of a draw."""

    number: models.DrawNumberView
    version: DeclaredVersion
    turn: DrawTurn
    seat: DrawSeat
    status: Annotated[
        Status, Meta(description="whether the draw waits for contributions, is drawn or is void")
    ]
    contributors: Contributors
    contributed: Annotated[
        list[str],
        Meta(
            description="the ids of the seats that have contributed; the server (`house`) is among "
            "them only after the draw has ended"
        ),
    ]
    missing: Annotated[
        list[str],
        Meta(
            description="the ids of the seats that have not contributed, "
            "without the server (`house`)"
        ),
    ]
    events: Annotated[
        list[models.Event],
        Meta(description="the events recorded so far in the draw's turn, in order"),
    ]
    deadline: (
        Annotated[
            str,
            Meta(
                description="the earliest time at which the draw may be voided (ISO 8601, UTC); "
                "absent if only the server contributes"
            ),
        ]
        | UnsetType
    ) = UNSET


class ReceiptResponse(models.ResponseModel, frozen=True):
    """A seat's contribution as the seat signed it, and the server's receipt."""

    contribution: Annotated[
        Raw,
        Meta(
            description="the contribution that the seat signed, an object of canonical JSON "
            "(docs/fairness.md)",
            extra_json_schema={"type": "object"},
        ),
    ]
    receipt: Annotated[
        str,
        Meta(description="the server's Ed25519 signature for the contribution, 64 bytes in hex"),
    ]


class DrawNotice(models.ResponseModel, frozen=True):
    """The stream message that asks a seat to contribute to the pending draw."""

    number: models.DrawNumberView
    version: DeclaredVersion
    deadline: models.DrawDeadline
    contributors: Contributors
    contributed: ContributingSeats


@blueprint.operation(
    "getPendingDraw",
    "GET",
    "/v1/sessions/<session:session>/draws/pending",
    returns=PendingDraw,
    token="optional",
)
def pending(session: str) -> Response:
    """Read the pending draw.

    If no draw is pending, the response is 404.
    """
    app = auth.services().app
    head, _ = auth.session_for_viewer(session)
    if head.session.pending is None:
        raise ProblemError("not-found", "No draw is pending in this session.")
    return json_response(_pending_draw(app, head))


@blueprint.operation(
    "getDraw",
    "GET",
    "/v1/sessions/<session:session>/draws/<draw:draw>",
    query=models.ViewerQuery,
    returns=DrawState,
    token="optional",
    problems=["refused"],
)
def draw(session: str, draw: str, query: models.ViewerQuery) -> Response:
    """Read a draw.

    The response shows whether the draw is pending, drawn or void, which seats have contributed, and
    the events in the draw's turn.
    """
    head, viewer = auth.session_for_viewer(session, query.through)
    return json_response(_draw_state(auth.services().app, head.session, viewer, int(draw)))


@blueprint.operation(
    "contributeToDraw",
    "POST",
    "/v1/sessions/<session:session>/draws/<draw:draw>/contributions",
    body=models.ContributionRequest,
    returns=ReceiptResponse,
    status=201,
    problems=["refused"],
    scope="contribute",
)
def give(session: str, draw: str, body: models.ContributionRequest) -> Response:
    """Contribute to a draw.

    Send the link from your chain at the position that the draw uses. Your signature must also cover
    the size and root of a tree that you have verified. The receipt proves that the server received
    your contribution. If you repeat the request, you get the same receipt. The last missing
    contribution completes the draw.
    """
    seat = auth.require_seat(session)
    contribution = Contribution(
        body.chain, body.link, body.position, seat, body.seen_root, body.seen_size, body.signature
    )
    receipt = contribute(auth.services().app, session, int(draw), contribution)
    return json_response(ReceiptResponse(Raw(receipt.contribution), receipt.receipt.hex()), 201)


@blueprint.operation(
    "voidDraw",
    "POST",
    "/v1/sessions/<session:session>/draws/<draw:draw>/void",
    returns=DrawState,
    problems=["refused"],
    sends=["ETag"],
    scope="play",
)
def give_up(session: str, draw: str) -> Response:
    """Void a draw.

    Any seat may do this after the draw's deadline. The log names the seats that did not contribute.
    They take no part in draws until they report that they are present again. If the draw has
    already ended, the request has no effect, and the response contains the draw's state.
    """
    app, seat = auth.services().app, auth.require_seat(session)
    head = void_draw(app, session, int(draw))
    return json_response(
        _draw_state(app, head.session, Viewer(seat), int(draw)), version=head.session.version
    )


def _pending_draw(app: App, head: Head) -> PendingDraw:
    session, pending = head.session, head.session.pending
    assert pending is not None
    declared = app.log.read_events(session.id, pending.version - 1, pending.version)[0]
    size = session.version
    note = checkpoints.signed_checkpoint(
        app, session.info, session.id, size, merkle_tree.root(head.frontier, size)
    )
    return PendingDraw(
        pending.k,
        pending.version,
        pending.turn,
        pending.seat,
        iso_time(pending.at),
        iso_time(deadline(session)),
        to_contributors(pending.contributors),
        _contributing_seats(contributions(app, session)),
        leaf_of(declared).decode(),
        size,
        note,
    )


def _draw_state(app: App, session: Session, viewer: Viewer, k: int) -> DrawState:
    """Return the state of draw number `k` for the viewer. Raises ProblemError("not-found")."""
    declared = find_declaration(app, session, k)
    if declared is None:
        raise ProblemError("not-found", f"Draw {k} does not exist in this session.")
    facts = turn_events(app, session, declared)
    places = _places(declared)
    status, seats, missing = _status(app, session, facts, places)
    return DrawState(
        k,
        declared.version,
        declared.turn,
        declared.seat,
        status,
        to_contributors(places),
        seats,
        missing,
        described_events(app, session, viewer, facts),
        iso_time(deadline_after(session, declared.at)) if len(places) > 1 else UNSET,
    )


def _status(
    app: App, session: Session, facts: Sequence[RecordedEvent], places: tuple[Place, ...]
) -> tuple[Status, list[str], list[str]]:
    """Return a draw's status, the seats that have contributed, and the missing seats."""
    for fact in facts:
        if isinstance(fact.body, Drawn):
            return "drawn", _contributing_seats(fact.body.contributions), []
        if isinstance(fact.body, DrawVoided):
            return "void", _contributing_seats(fact.body.contributions), list(fact.body.missing)
    seats = _contributing_seats(contributions(app, session))
    return "waiting", seats, [seat for seat, _, _ in places if seat not in (HOUSE, *seats)]


def _places(declared: RecordedEvent) -> tuple[Place, ...]:
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    return declared.body.draw.contributors


def to_contributors(places: Iterable[Place]) -> list[models.Contributor]:
    return [models.Contributor(*place) for place in places]


def _contributing_seats(contributions: Iterable[Contribution]) -> list[str]:
    return [each.seat for each in contributions]


ROLL = "application/x-fairlog-roll"


@blueprint.operation(
    "exportDraw",
    "GET",
    "/v1/sessions/<session:session>/draws/<draw:draw>/proof",
    returns={ROLL: None},
    token="optional",
)
def proof(session: str, draw: str) -> Response:
    """Export the proof of a roll.

    The file is canonical JSON. It contains a signed checkpoint, every event that the roll depends
    on, and an inclusion proof for each event. Data that you may not see is omitted. You can verify
    the file offline with `fairlog verify --draw`. A pending draw has no proof yet.
    """
    head, viewer = auth.session_for_viewer(session)
    return roll_response(auth.services().app, head, viewer, int(draw))


def roll_response(app: App, head: Head, viewer: Viewer, k: int) -> Response:
    """Return the proof of draw `k` for the viewer. Raises ProblemError("not-found")."""
    declared = find_declaration(app, head.session, k)
    turn = [] if declared is None else turn_events(app, head.session, declared)
    end = next((fact.body for fact in turn if isinstance(fact.body, Drawn | DrawVoided)), None)
    if declared is None or end is None:
        raise ProblemError(
            "not-found",
            f"Draw {k} has no proof, because it does not exist or is still pending.",
        )
    response = Response(_roll_file(app, head, viewer, declared, turn, end), content_type=ROLL)
    response.headers.set("Content-Disposition", "attachment", filename=f"turn-{declared.turn}.roll")
    return response


def _roll_file(
    app: App,
    head: Head,
    viewer: Viewer,
    declared: RecordedEvent,
    turn: list[RecordedEvent],
    end: Drawn | DrawVoided,
) -> bytes:
    session, info, size = head.session.id, head.session.info, head.session.version
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    nodes = app.trees.at(session, size)
    signed = checkpoints.signed_checkpoint(app, info, session, size, nodes.root(size))
    manifest = Manifest(
        info.edition,
        info.log_key,
        checkpoints.log_origin(info),
        info.ruleset,
        session,
        info.log_format,
    )
    seen = {
        given.seen_size: nodes.consistency(given.seen_size, size) for given in end.contributions
    }
    facts = select_roll_events(_events_of_roll(app, session, size, declared, turn), declared)
    return write_roll(
        manifest,
        signed,
        declared.body.draw.k,
        facts,
        partial(is_visible, head.session, viewer),
        lambda version: nodes.inclusion(version - 1, size),
        seen,
    )


def _events_of_roll(
    app: App, session: str, size: int, declared: RecordedEvent, turn: list[RecordedEvent]
) -> list[RecordedEvent]:
    """Return the events that the roll may depend on, in order.

    They include the events in the roll's own turn.
    """
    first = app.log.read_events(session, 0, 1)
    kinds: tuple[type[Message], ...] = (SeatTaken, ChainAnchored)
    anchors = [fact for kind in kinds for fact in app.log.read_kind(session, KINDS[kind])]
    openings = app.log.read_kind(session, KINDS[SealOpened], declared.version)
    before = [fact for fact in anchors if fact.version < declared.version]
    found = {fact.version: fact for fact in (*first, *before, *turn, *openings)}
    return [found[version] for version in sorted(found) if version <= size]
