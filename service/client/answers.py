"""What a server answers a seat."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec

from service.client.watching import Told
from service.player import AWAY, Answer, Unreachable

MADE = (HTTPStatus.CREATED, HTTPStatus.ACCEPTED)


class Refused(Exception):
    """The server refused: `rule` is the slug of its problem document, or its code."""

    def __init__(self, answer: Answer) -> None:
        problem = _problem(answer)
        self.status, self.rule = (
            answer.status,
            str(problem.get("rule") or problem.get("code") or ""),
        )
        super().__init__(f"{answer.status} {self.rule}: {answer.body.decode(errors='replace')}")


def _problem(answer: Answer) -> dict[str, Any]:
    """Its members; none where a server, or what stands in front of it, says no in other words."""
    try:
        problem = answer.json
    except (ValueError, RecursionError):
        return {}
    return problem if isinstance(problem, dict) else {}


class Page(msgspec.Struct, frozen=True):
    """Events, and where to go on; None at the head."""

    events: tuple[Told, ...]
    next: int | None = None


class Received(msgspec.Struct, frozen=True):
    receipt: str


class Said(msgspec.Struct, frozen=True):
    """A line of the stream that is no event."""

    draw: dict[str, Any] | None = None


def made(answer: Answer) -> Any:
    """The JSON of what came of a request. Raises Refused, Unreachable."""
    if answer.status not in MADE:
        raise _no(answer)
    return answer.json


def had(answer: Answer) -> Answer:
    """What was asked for. Raises Refused, Unreachable."""
    if answer.status != HTTPStatus.OK:
        raise _no(answer)
    return answer


def _no(answer: Answer) -> Refused | Unreachable:
    """A server that cannot answer now has refused nothing."""
    refused = Refused(answer)
    return Unreachable(str(refused)) if answer.status in AWAY else refused
