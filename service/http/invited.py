"""What answers about invitations hold."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import Role
from service.http.shown import Shown


class InvitationShown(Shown, frozen=True):
    id: str
    role: Role
    uses: int
    expires: str
    seat: str | UnsetType = UNSET
    code: str | UnsetType = UNSET


class Invitations(Shown, frozen=True):
    invitations: list[InvitationShown]


class Offer(Shown, frozen=True):
    """What an invitation is for."""

    session: str
    title: str
    ruleset: str
    role: Role
    seat: str | UnsetType = UNSET
