"""How a seat comes to its file: by an invitation, or by the ticket of a seat just taken; and how it goes on."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any

from domain.decider import Role
from service.client.api import ApiConnection, had, made
from service.client.contributions import first_chain
from service.client.seat import Hear, SeatClient
from service.client.seat_file import Kept, OtherFile, SeatFile
from service.platform import clock


def join(
    server: str,
    code: str,
    file: Path,
    *,
    seat: str = "",
    name: str = "",
    hear: Hear | None = None,
    elsewhere: bool = False,
) -> SeatClient:
    """Takes a seat with an invitation's code and takes part; all that it keeps is in `file`. Raises Refused.

    Where the file is that of a seat that was left, the seat comes back with its key and its next chain. Raises before
    the code is spent OSError where the file cannot be written, OtherFile where it is of another session; behind that
    OtherFile where the seat's key is in another file.
    """
    SeatFile.prepare(file)
    body: dict[str, Any] = (
        {"code": code} | ({"seat": seat} if seat else {}) | ({"name": name} if name else {})
    )
    old = SeatFile.read(file) if file.exists() else None
    player = ApiConnection(server)
    try:
        ticket = made(player.post("/v1/seats", body)) if old is None else _back(player, old, body)
    finally:
        player.close()
    if old is None:
        return sit(server, ticket, file, hear=hear, elsewhere=elsewhere)
    old.kept.token, old.kept.since, old.kept.asked = ticket["token"], None, []
    old.save()
    return _seated(old, hear, elsewhere)


def _back(player: ApiConnection, old: SeatFile, body: dict[str, Any]) -> Any:
    """The ticket of a seat that has its file: by its next chain, or by none where nobody has left the seat."""
    offer = had(player.get(f"/v1/invitations/{body['code']}")).json
    if offer["session"] != old.kept.session:
        raise OtherFile(f"{old.path} is of another session: sit down with another file")
    chain = first_chain(old, Role(offer["role"]), old.next_number)
    body |= {"seat": old.kept.seat}
    answer = player.post("/v1/seats", body | {"chain": chain})
    if answer.status == HTTPStatus.CONFLICT and answer.json.get("rule") == "chain-there":
        answer = player.post("/v1/seats", body)
    return made(answer)


def sit(
    server: str, ticket: Any, file: Path, *, hear: Hear | None = None, elsewhere: bool = False
) -> SeatClient:
    """Takes part by a ticket: what `POST /v1/seats` or `POST /v1/sessions` answered.

    Raises OtherFile where the seat's key is in another file; this one is taken away again.
    """
    kept = Kept(
        server,
        ticket["session"],
        ticket["seat"],
        ticket["token"],
        ticket["log_key"],
        ticket["origin"],
        key=clock.random_bytes().hex(),
        witness=clock.random_bytes().hex(),
        since=None,
    )
    keeping = SeatFile(file, kept)
    keeping.save()
    try:
        return _seated(keeping, hear, elsewhere)
    except OtherFile:
        file.unlink()
        raise


def resume(file: Path, *, hear: Hear | None = None, elsewhere: bool = False) -> SeatClient:
    """Goes on from a seat's file. Raises OSError, ValueError (OtherFile: its key is not the seat's), Refused."""
    return _seated(SeatFile.read(file), hear, elsewhere)


def _seated(keeping: SeatFile, hear: Hear | None, elsewhere: bool) -> SeatClient:
    sitting = SeatClient(keeping, hear, elsewhere=elsewhere)
    try:
        sitting.take_part()
    except BaseException:
        sitting.close()
        raise
    return sitting
