"""What the address of a session's page asks for, and the addresses of the same page with something else asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import request, url_for
from msgspec import UNSET, Meta, UnsetType

from domain.decider import Role
from domain.session.display_names import display_names
from domain.session.messages import SeatId, Version
from domain.session.state import Session
from domain.visibility import Viewer
from service.http import models, validation
from service.web.saying import role_said

T = TypeVar("T", bound=msgspec.Struct)
FILTER = ("kind", "seat", "text")
LOOKING = (Role.GM, Role.AUDITOR)

Earlier = Annotated[
    int, Meta(ge=0, lt=2**53, description="the version to look at; absent: the newest")
]


class Looked(models.RequestModel, frozen=True, rename={"through": "as"}):
    """`upto` pages back through the log; `kind`, `seat` and `text` filter it as the API's search does.

    `did` is the last version of what the reader has just done.
    """

    at: Earlier | UnsetType = UNSET
    through: models.Through | UnsetType = UNSET
    upto: Version | UnsetType = UNSET
    kind: models.SearchText | UnsetType = UNSET
    seat: SeatId | UnsetType = UNSET
    text: models.SearchText | UnsetType = UNSET
    did: Version | UnsetType = UNSET

    def version(self, head: int) -> int:
        """The version that is shown."""
        return head if self.at is UNSET else self.at

    @property
    def filters(self) -> dict[str, str]:
        said = {name: getattr(self, name) for name in FILTER}
        return {name: value for name, value in said.items() if value is not UNSET}


def queried(struct: type[T]) -> T:
    """What the request's address asks for; an empty field of a form asks for nothing. Problem("malformed")."""
    said = {name: values for name, values in request.args.lists() if values != [""]}
    return validation.read_query(struct, said)


def address(session: str, asked: Looked, **other: int | str | None) -> str:
    """The page as it is asked for, at the log's newest lines, but for what is named; None leaves a thing out."""
    said = msgspec.to_builtins(asked) | {"upto": None, "did": None} | other
    kept = [(name, value) for name, value in said.items() if value is not None]
    return url_for("Session.session", session=session) + (f"?{urlencode(kept)}" if kept else "")


def named(session: Session, seat: str) -> str:
    """The seat in words: `Ana (player)`, `Mo (GM)`."""
    name = display_names(session.info.seats).get(seat, seat)
    return f"{name} ({role_said(session.info.seats[seat].role)})"


def onlooker(session: Session, viewer: Viewer) -> str:
    """By whose eyes a page is drawn."""
    seat = viewer.through or viewer.seat
    return named(session, seat) if seat else "everybody"


def called(session: Session, names: Mapping[str, str]) -> dict[str, str]:
    """The names of the seats, by id, from those of all that has any."""
    return {seat: names.get(f"@{seat}", seat) for seat in session.info.seats}


def watched(session: Session, viewer: Viewer) -> dict[str, str]:
    """The seats that the viewer may look as, by id, in words."""
    if viewer.seat is UNSET or session.info.seats[viewer.seat].role not in LOOKING:
        return {}
    return {seat: named(session, seat) for seat in session.info.seats}
