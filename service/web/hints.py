"""What the events around a version say that no part of its table does; static/page/hints.js alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from service.web.picture import Hint, Kinds
from service.web.ring import Way

Body = Mapping[str, Any]


def hint_of(events: Sequence[Mapping[str, Any]], table: Kinds) -> Hint:
    """From events as the API gives them, with their bodies, in order up to the version that is shown.

    What stands before a rewind led elsewhere, and is left out.
    """
    since = takewhile(lambda event: event.get("kind") != "session.Rewound", reversed(events))
    bodies = [event.get("body") or {} for event in since]
    ring = next(
        (name for name, board in table.get("boards", {}).items() if board["shape"] == "ring"), None
    )
    ways = () if ring is None else tuple(_ways(ring, bodies, table))[::-1]
    return Hint(ways, _cards(bodies))


def _ways(ring: str, bodies: Sequence[Body], table: Kinds) -> Iterator[Way]:
    """The token's last ways, the newest first, back to where a die fell."""
    for body in bodies:
        if "start" in body and "face" in body:
            yield Way(ring, body["start"], body["face"], face=body["face"])
            return
        if "start" in body and "steps" in body:
            yield Way(ring, body["start"], body["steps"], price=_price(body, table))


def _price(body: Body, table: Kinds) -> str | None:
    """The cost in points of the pool that the event names by its field."""
    pools = table.get("pools", {})
    paid = [
        pools[name]["label"] for field in body if (name := f"{body.get('entity')}.{field}") in pools
    ]
    return f"{body['cost']} {paid[0]}" if "cost" in body and paid else None


def _cards(bodies: Sequence[Body]) -> dict[str, dict[str, str]]:
    """What the cards showed that were turned last."""
    last = next(
        (body for body in bodies if "cards" in body and "results" in body),
        {"cards": (), "results": ()},
    )
    return {
        card: {"says": str(says)}
        for card, says in zip(last["cards"], last["results"], strict=False)
    }
