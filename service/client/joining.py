"""How a seat comes to its file: by an invitation, or by the ticket of a seat just taken; and how it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from domain.decider import Role
from service import sources
from service.client.answers import made
from service.client.giving import first_chain
from service.client.keeping import Keeping, Kept
from service.client.sitting import Hear, Sitting
from service.player import Player


def join(
    server: str, code: str, file: Path, *, seat: str = "", name: str = "", hear: Hear | None = None,
    elsewhere: bool = False,
) -> Sitting:  # fmt: skip
    """Takes a seat with an invitation's code and takes part; all that it keeps is in `file`. Raises Refused.

    Where the file is that of a seat that was left, the seat comes back with its key and its next chain.
    """
    body: dict[str, Any] = {"code": code} | ({"seat": seat} if seat else {}) | ({"name": name} if name else {})
    old = Keeping.read(file) if file.exists() else None
    player = Player(server)
    try:
        if old is not None:
            offer = player.get(f"/v1/invitations/{code}").json
            number = 1 + max((chain.number for chain in old.kept.chains), default=-1)
            body |= {"seat": old.kept.seat, "chain": first_chain(old, Role(offer["role"]), number)}
        ticket = made(player.post("/v1/seats", body))
    finally:
        player.close()
    if old is None:
        return sit(server, ticket, file, hear=hear, elsewhere=elsewhere)
    old.kept.token = ticket["token"]
    old.save()
    return _seated(old, hear, elsewhere)


def sit(server: str, ticket: Any, file: Path, *, hear: Hear | None = None, elsewhere: bool = False) -> Sitting:
    """Takes part by a ticket: what `POST /v1/seats` or `POST /v1/sessions` answered."""
    kept = Kept(
        server, ticket["session"], ticket["seat"], ticket["token"], ticket["log_key"], ticket["origin"],
        key=sources.fresh().hex(), witness=sources.fresh().hex(),
    )  # fmt: skip
    keeping = Keeping(file, kept)
    keeping.save()
    return _seated(keeping, hear, elsewhere)


def resume(file: Path, *, hear: Hear | None = None, elsewhere: bool = False) -> Sitting:
    """Goes on from a seat's file. Raises OSError, ValueError, Refused."""
    return _seated(Keeping.read(file), hear, elsewhere)


def _seated(keeping: Keeping, hear: Hear | None, elsewhere: bool) -> Sitting:
    sitting = Sitting(keeping, hear, elsewhere=elsewhere)
    try:
        sitting.take_part()
    except BaseException:
        sitting.close()
        raise
    return sitting
