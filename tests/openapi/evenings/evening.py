"""An evening that is played with the generated Python client: `python evening.py URL`."""

import json
import sys
import time
import uuid
from http import HTTPStatus
from typing import TypeVar

from client import AuthenticatedClient, Client
from client.api.commands import narrate, rewind_session, send_command
from client.api.events import open_secret, stream_events
from client.api.seats import create_invitation, take_seat
from client.api.sessions import get_session, open_session
from client.api.statistics import get_statistics
from client.models.command_request import CommandRequest
from client.models.invitation_view import InvitationView
from client.models.invite_request import InviteRequest
from client.models.invite_request_role import InviteRequestRole
from client.models.narrate import Narrate
from client.models.narrate_audience import NarrateAudience
from client.models.open_request import OpenRequest
from client.models.open_request_ruleset import OpenRequestRuleset
from client.models.open_roll import OpenRoll
from client.models.open_roll_kind import OpenRollKind
from client.models.open_secret_request import OpenSecretRequest
from client.models.problem_details import ProblemDetails
from client.models.rewind import Rewind
from client.models.statistics import Statistics
from client.models.stream_event import StreamEvent
from client.models.take_seat_request import TakeSeatRequest
from client.models.ticket import Ticket
from client.models.turn_response import TurnResponse
from client.types import Response

ROLLS = 30
T = TypeVar("T")


def roll(**fields: str) -> CommandRequest:
    return CommandRequest(OpenRoll(OpenRollKind.OPEN_ROLL, **fields))


def ok(answer: Response[ProblemDetails | T], wanted: type[T], status: int = 201) -> T:
    assert answer.status_code == status, answer.content
    assert isinstance(answer.parsed, wanted), answer.parsed
    return answer.parsed


def problem(answer: Response[ProblemDetails | TurnResponse], status: int) -> ProblemDetails:
    assert answer.status_code == status, answer.content
    assert isinstance(answer.parsed, ProblemDetails)
    return answer.parsed


def stream(player: AuthenticatedClient, session: str, after: int, upto: int) -> list[StreamEvent]:
    """Follow the stream as far as `upto`, then cut it."""
    wanted = stream_events._get_kwargs(session, after=after)
    headers = wanted.pop("headers") | {"Accept": "application/x-ndjson"}
    found: list[StreamEvent] = []
    with player.get_httpx_client().stream(**wanted, headers=headers) as answer:
        assert answer.status_code == HTTPStatus.OK
        for line in answer.iter_lines():
            if "version" in (message := json.loads(line)):
                found.append(StreamEvent.from_dict(message))
                if found[-1].version == upto:
                    break
    return found


def main(url: str) -> None:
    anyone = Client(base_url=url)
    opening = OpenRequest(OpenRequestRuleset.OPEN, "An evening in Python")
    ticket = ok(open_session.sync_detailed(client=anyone, body=opening), Ticket)
    session, gm = ticket.session, AuthenticatedClient(url, ticket.token)
    invitation = ok(
        create_invitation.sync_detailed(
            session, client=gm, body=InviteRequest(InviteRequestRole.PLAYER)
        ),
        InvitationView,
    )
    taking = TakeSeatRequest(str(invitation.code))
    seat = ok(take_seat.sync_detailed(client=anyone, body=taking), Ticket)
    player = AuthenticatedClient(url, seat.token)

    turn = ok(
        send_command.sync_detailed(session, client=player, body=roll(notation="1d20")), TurnResponse
    )
    for _ in range(ROLLS - 1):
        tag = f'"{turn.version}"'
        body = roll(notation="2d6+1")
        turn = ok(
            send_command.sync_detailed(session, client=player, body=body, if_match=tag),
            TurnResponse,
        )
    late = send_command.sync_detailed(
        session, client=player, body=roll(notation="1d6"), if_match='"3"'
    )
    assert problem(late, 412).code == "version-conflict"

    key = str(uuid.uuid4())
    first = send_command.sync_detailed(
        session, client=player, body=roll(notation="4d6kh3"), idempotency_key=key
    )
    again = send_command.sync_detailed(
        session, client=player, body=roll(notation="4d6kh3"), idempotency_key=key
    )
    assert ok(first, TurnResponse).events == ok(again, TurnResponse).events
    assert again.headers["Idempotency-Replayed"] == "true"
    rolled = ok(first, TurnResponse)

    refused = send_command.sync_detailed(session, client=player, body=roll(name="no such roll"))
    assert problem(refused, 409).rule, refused.content

    secret = ok(
        narrate.sync_detailed(
            session, client=gm, body=Narrate("A trap.", audience=NarrateAudience.GM)
        ),
        TurnResponse,
    )
    [sealed] = stream(player, session, secret.version - 1, secret.version)
    assert sealed.sealed
    opened = ok(
        open_secret.sync_detailed(session, client=gm, body=OpenSecretRequest(secret.turn)),
        TurnResponse,
    )
    [opening_event] = stream(player, session, opened.version - 1, opened.version)
    assert [event.text for event in opening_event.opens or []] == [secret.events[0].text]

    rewound = ok(
        rewind_session.sync_detailed(
            session, client=gm, body=Rewind(rolled.version, "We start again.")
        ),
        TurnResponse,
    )
    head = get_session.sync(session, client=player)
    assert head is not None
    assert head.version == rewound.version

    middle = rewound.version // 2
    parts = stream(player, session, 0, middle) + stream(player, session, middle, rewound.version)
    assert [event.version for event in parts] == list(range(1, rewound.version + 1))

    until = time.monotonic() + 60
    while (counted := get_statistics.sync_detailed(session, client=player)).status_code == 202:
        assert time.monotonic() < until, counted.content
        time.sleep(0.2)
    figures = ok(counted, Statistics, 200)
    print(f"{len(parts)} events, statistics of version {figures.version}")


if __name__ == "__main__":
    main(*sys.argv[1:])
