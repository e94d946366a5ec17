"""Functions that start a seat's client from an invitation, a ticket or a seat file."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from domain.decider import Role
from domain.proof import ProofError
from domain.session.messages import Hex16, SeatId
from service.client.api import (
    ApiConnection,
    RequestRefusedError,
    UnexpectedResponseError,
    require_accepted,
    require_ok,
)
from service.client.contributions import first_chain_request, reveal_link
from service.client.seat import EventCallback, SeatClient
from service.client.seat_file import SeatFile, SeatFileData, WrongSeatFileError
from service.platform import clock
from service.platform.files import write_private


def join(
    server: str,
    code: str,
    file: Path,
    *,
    seat: str = "",
    name: str = "",
    on_event: EventCallback | None = None,
    allow_other_clients: bool = False,
) -> SeatClient:
    """Take a seat with the code from an invitation, and take part in the session.

    `file` stores the seat's secrets. If the file exists, the client takes back the seat in it, with
    the same key. If the client had given up the seat, it also anchors a new chain.

    Raises RequestRefusedError, and OSError if the file cannot be written. Raises WrongSeatFileError
    if `file` belongs to a different session (the code can still be used), or if another file
    contains the seat's key (the code is then used up).
    """
    SeatFile.prepare(file)
    fields = {"code": code, "seat": seat, "name": name}
    body = {field: text for field, text in fields.items() if text}
    old = SeatFile.read(file) if file.exists() else None
    taking = file.with_name(f".{file.name}.taking")
    player = ApiConnection(server)
    try:
        if old is None:
            key = _stored_key(taking, {"server": server} | body)
            ticket = require_accepted(player.post("/v1/seats", body, key=key))
        else:
            ticket = _return_to_seat(player, old, body)
    finally:
        player.close()
    if old is None:
        seat_file = _new_file(server, ticket, file)
        seat_file.save()
        taking.unlink()
        return _begin(seat_file, on_event, allow_other_clients)
    return _continue_with(_parse(ticket, Ticket).token, old, on_event, allow_other_clients)


def _stored_key(file: Path, request: dict[str, str]) -> str:
    """Return the idempotency key of the request for a seat.

    It is stored first. If the program is killed before it has stored the seat, the same request
    gets the same seat.
    """
    if file.exists():
        stored = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
        if stored == request | {"key": stored["key"]}:
            return stored["key"]
    key = clock.random_bytes().hex()
    write_private(file, msgspec.json.encode(request | {"key": key}))
    return key


def _return_to_seat(player: ApiConnection, old: SeatFile, body: dict[str, Any]) -> Any:
    """Reclaim the seat in an existing seat file, and return the new ticket.

    The request contains a new chain. If the server refuses it because the seat still has a chain,
    repeat the request without the new chain.
    """
    offer = _parse(require_ok(player.get(f"/v1/invitations/{body['code']}")).json, Offer)
    if offer.session != old.data.session:
        raise WrongSeatFileError(
            f"{old.path} belongs to a different session ({old.data.session}): use a different file"
        )
    chain = first_chain_request(old, offer.role, old.next_number)
    body = body | {"seat": old.data.seat}
    answer = player.post("/v1/seats", body | {"chain": chain})
    rule = answer.json.get("rule") if answer.status == HTTPStatus.CONFLICT else ""
    if rule == "link-wrong":
        previous = _requested_link(old, _parse(answer.json.get("facts"), RequestedLink))
        chain = first_chain_request(old, offer.role, old.next_number, previous)
        answer = player.post("/v1/seats", body | {"chain": chain})
    elif rule == "chain-there":
        answer = player.post("/v1/seats", body)
    return require_accepted(answer)


class Ticket(msgspec.Struct, frozen=True):
    """The part of a ticket that the client needs.

    A ticket is the response to `POST /v1/seats` or `POST /v1/sessions`.
    """

    session: Hex16
    seat: SeatId
    token: str
    log_key: str
    origin: str


class Offer(msgspec.Struct, frozen=True):
    """The part of an invitation that the client needs."""

    session: Hex16
    role: Role


class RequestedLink(msgspec.Struct, frozen=True):
    """The chain and the position of the link that the server needs."""

    chain: int
    position: int


T = TypeVar("T")


def _parse(received: object, kind: type[T]) -> T:
    """Convert the server's response to the type `kind`. Raises UnexpectedResponseError."""
    try:
        return msgspec.convert(received, kind)
    except msgspec.ValidationError as error:
        raise UnexpectedResponseError(f"the server sent an unusable response: {error}") from error


def _requested_link(old: SeatFile, requested: RequestedLink) -> dict[str, str]:
    """Return the link of the seat's old chain that a voided draw had asked for.

    Raises ProofError if the server asks for a link from another chain, or for one that does not
    exist.
    """
    number = requested.chain
    if number != old.next_number - 1:
        raise ProofError("E_CHAIN", f"chain {number}", f"chain {old.next_number - 1}")
    return reveal_link(old, old.ensure_chain(number), requested.position)


def sit(
    server: str,
    ticket: Any,
    file: Path,
    *,
    on_event: EventCallback | None = None,
    allow_other_clients: bool = False,
) -> SeatClient:
    """Take part in a session with a ticket, and store the seat's secrets in `file`.

    The ticket is the response to `POST /v1/seats` or `POST /v1/sessions`. If `file` exists and is
    the seat's, the client continues from it, with the ticket's token if that of the file is no
    longer valid. Raises WrongSeatFileError if `file` belongs to another seat, or if another file
    contains the seat's key. Neither file is changed then.
    """
    seat_file = _new_file(server, ticket, file)
    if file.exists():
        old = SeatFile.read(file).data
        if (old.session, old.seat) != (seat_file.data.session, seat_file.data.seat):
            raise WrongSeatFileError(
                f"{file} belongs to seat {old.seat} of session {old.session}: use a different file"
            )
        try:
            return resume(file, on_event=on_event, allow_other_clients=allow_other_clients)
        except RequestRefusedError as refused:
            if refused.rule != "token-invalid" or seat_file.data.token == old.token:
                raise
        known = SeatFile.read(file)
        return _continue_with(seat_file.data.token, known, on_event, allow_other_clients)
    seat_file.save()
    return _begin(seat_file, on_event, allow_other_clients)


def _continue_with(
    token: str, old: SeatFile, on_event: EventCallback | None, allow_other_clients: bool
) -> SeatClient:
    """Take part with an existing seat file whose token was replaced by `token`."""
    # Another client may have used the new token, so older commands need not be those of this file.
    old.data.token, old.data.since, old.data.asked = token, None, []
    old.save()
    return _take_part(old, on_event, allow_other_clients)


def _begin(
    seat_file: SeatFile, on_event: EventCallback | None, allow_other_clients: bool
) -> SeatClient:
    """Take part with a new seat file. Delete it if another file contains the seat's key."""
    try:
        return _take_part(seat_file, on_event, allow_other_clients)
    except WrongSeatFileError:
        seat_file.path.unlink()
        raise


def _new_file(server: str, ticket: Any, file: Path) -> SeatFile:
    """Return a new seat file, which is not saved yet, for the seat of a ticket."""
    given = _parse(ticket, Ticket)
    data = SeatFileData(
        server,
        given.session,
        given.seat,
        given.token,
        given.log_key,
        given.origin,
        key=clock.random_bytes().hex(),
        witness=clock.random_bytes().hex(),
        since=None,
    )
    return SeatFile(file, data)


def resume(
    file: Path, *, on_event: EventCallback | None = None, allow_other_clients: bool = False
) -> SeatClient:
    """Take part in a session with an existing seat file.

    Raises OSError if the file cannot be read, ValueError if it is not a seat file,
    WrongSeatFileError if another file contains the seat's key or chain, or RequestRefusedError if
    the server refuses a request.
    """
    return _take_part(SeatFile.read(file), on_event, allow_other_clients)


def _take_part(
    seat_file: SeatFile, on_event: EventCallback | None, allow_other_clients: bool
) -> SeatClient:
    client = SeatClient(seat_file, on_event, allow_other_clients=allow_other_clients)
    try:
        client.take_part()
    except BaseException:
        client.close()
        raise
    return client
