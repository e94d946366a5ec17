"""How a case that was made from the document gets past the door: to a table that is there, signed where it must."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from schemathesis import Case

from domain.decider import Refused
from domain.proof import ProofError
from domain.proof.signed_note import vkey_text
from tests.service.http.api_walk import Wanderer
from tests.service.http.pointless import nameable, without_points
from tests.service.http.test_cosignatures import Cosigner
from tests.support.example import to_draw
from tests.support.server import DrawTable, SessionClient, ask, laid

LAID, SLOWLY = 0.3, 0.02
"""How often such a table is laid; how often where it takes a second."""


def pending(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """A draw that waits for all who sit there."""
    if wanderer.often(LAID):
        _asked(wanderer, case)


def given(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """What a seat owes to a draw that waits."""
    if not wanderer.often(LAID):
        return
    circle = _asked(wanderer, case)
    waiting = circle.waiting()
    said = msgspec.to_builtins(circle.holders["p1"].contribution(waiting))
    case.body = {name: value for name, value in said.items() if name != "seat"}
    case.path_parameters["draw"] = str(waiting["number"])
    wanderer.speak(case, circle.evening, "p1")


def voided(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """A draw whose time is over."""
    if wanderer.often(SLOWLY):
        circle = _asked(wanderer, case, deadline=1)
        time.sleep(1.1)
        case.path_parameters["draw"] = "0"
        wanderer.speak(case, circle.evening, "gm")


def drawn(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """A draw to which all have given."""
    if wanderer.often(LAID):
        circle = _asked(wanderer, case)
        circle.give("gm", "p1", "p2")
        case.path_parameters["draw"] = "0"


def left(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """A player gives the own seat up."""
    if wanderer.often(LAID):
        table = _at(wanderer, case, laid(wanderer.house))
        case.path_parameters["seat"], case.query = "p2", {}
        _unmatched(case)
        wanderer.speak(case, table, "p2")


def handed_over(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """The GM gives the role to a player."""
    if wanderer.often(LAID):
        table = _at(wanderer, case, laid(wanderer.house))
        case.body = {"to": "p1"}
        _unmatched(case)
        wanderer.speak(case, table, "gm")


def _asked(wanderer: Wanderer, case: Case, deadline: int = 600) -> DrawTable:
    circle = DrawTable(wanderer.house, deadline)
    circle.evening.go(*to_draw()[:-1])
    ask(circle)
    evening = _at(wanderer, case, circle.evening)
    for seat, holder in circle.holders.items():
        wanderer.holders[evening.session, seat] = holder
    wanderer.speak(case, evening, "gm")
    return circle


def _at(wanderer: Wanderer, case: Case, evening: SessionClient) -> SessionClient:
    """The case is for that table from now on, which can be wandered to again."""
    wanderer.tables[evening.session] = evening
    case.path_parameters["session"] = evening.session
    return evening


def _unmatched(case: Case) -> None:
    case.headers.pop("If-Match", None)


VERSION = re.compile(r'"[1-9][0-9]*"')
Fill = Callable[[Wanderer, Case, SessionClient], None]


def guide(wanderer: Wanderer, case: Case) -> None:
    """Mostly to a table that is there, as one of its seats, with what only its holder can know; the rest as made."""
    wanderer.keyed(case)
    case.body = nameable(without_points(case.body))
    if case.operation.label == "POST /v1/sessions":
        _open(wanderer, case)
    if "{campaign}" in case.operation.label:
        _in_campaign(wanderer, case)
        return
    evening = wanderer.table(case)
    if evening is None:
        return
    if VERSION.fullmatch(case.headers.get("If-Match", "")) and wanderer.often(0.8):
        case.headers["If-Match"] = f'"{wanderer.state(evening).version}"'
    wanderer.speak(case, evening, wanderer.seat(evening))
    fill = FILLS.get(case.operation.label)
    if fill is not None and wanderer.often(0.8):
        with suppress(
            Refused, ProofError
        ):  # by a seat that has left, or whose token is none any more
            fill(wanderer, case, evening)


def _open(wanderer: Wanderer, case: Case) -> None:
    """Options are of the ruleset beside them, which the document cannot say; now and then seats draw together."""
    if isinstance(case.body, dict) and wanderer.often(0.9):
        options = {"listed": wanderer.often(0.5), "declared_dice": wanderer.often(0.5)}
        case.body = {
            **case.body,
            "options": options,
            "draws": "table" if wanderer.often(0.3) else "house",
        }
        case.body.pop("edition", None)


def _in_campaign(wanderer: Wanderer, case: Case) -> None:
    """Mostly to a campaign that is there, as its GM or as Ana."""
    campaign, session = wanderer.campaign()
    if wanderer.often(0.1):
        return
    own = {"campaign": campaign.id, "session": session.session, "seat": "p1", "person": "ana"}
    for place in case.path_parameters:
        if wanderer.often(0.9):
            case.path_parameters[place] = own[place]
    speaker = "mo" if wanderer.often(0.8) else "ana"
    case.headers["Authorization"] = f"Bearer {campaign.tokens[speaker]}"
    match case.operation.label.rpartition("/")[2], case.body:
        case "{session}", dict():
            case.body = {"session_token": session.tokens["gm"]}
        case "{seat}", dict():
            case.body = {"person": "ana"}
        case "hand-over", dict():
            case.body = {"person": "ana"}
        case "sessions", {"title": title} if wanderer.often(0.8):
            case.body = {"title": title}
        case "join", dict() if wanderer.often(0.8):
            case.body = {}


def _command(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    seat = _speaking(case, evening)
    beside = case.body if isinstance(case.body, dict) and wanderer.often(0.2) else {}
    case.body = {**beside, "command": wanderer.command(evening, seat)}


def _chain(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    seat = _own(case, evening)
    wanderer.speak(case, evening, seat)
    holder = wanderer.holder(evening, seat)
    case.path_parameters["seat"], case.body = seat, holder.anchored()


def _presence(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    seat = _own(case, evening)
    wanderer.speak(case, evening, seat)
    case.path_parameters["seat"] = seat
    if wanderer.state(evening).info.seats[seat].public_key is msgspec.UNSET:
        case.body = {"present": wanderer.often(0.5)}


def _name(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    case.path_parameters["seat"] = _own(case, evening)


def _give(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """The link of a seat whose turn it is."""
    pending = evening.get(_own(case, evening), "/draws/pending")
    if pending.status_code != 200:
        return
    waiting: Mapping[str, Any] = pending.json
    for place in waiting["contributors"]:
        seat = place["seat"]
        holder = wanderer.holders.get((evening.session, seat))
        if holder is not None and seat not in waiting["contributed"]:
            holder.position = place["position"] - 1
            given = msgspec.to_builtins(holder.contribution(waiting))
            case.path_parameters["draw"] = str(waiting["number"])
            case.body = {name: value for name, value in given.items() if name != "seat"}
            wanderer.speak(case, evening, seat)


def _cosign(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    seat = _speaking(case, evening)
    cosigner = Cosigner(evening, seat)
    text = cosigner.checkpoint()
    case.body = {"note": text + cosigner.line(text), "vkey": vkey_text(cosigner.key)}


def _version(name: str, *, of_query: bool = False) -> Fill:
    """A version, turn or number that the table has come to."""

    def fill(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
        number = wanderer.source.randint(1, wanderer.state(evening).version)
        if of_query:
            case.query = {**(case.query or {}), name: number}
            case.query.pop("to", None)
            case.query.pop("size", None)
        elif name in (case.path_parameters or {}):
            case.path_parameters[name] = str(number)
        elif isinstance(case.body, dict):
            case.body[name] = number

    return fill


def _draw(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    case.path_parameters["draw"] = str(
        wanderer.source.randint(0, max(0, wanderer.state(evening).k - 1))
    )


def _open_seal(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """Tells a secret, and opens that."""
    told = evening.post(
        next(iter(evening.tokens)), "/narrate", {"text": "A trap.", "audience": "gm"}
    )
    if told.status_code == 201:
        case.body = {"turn": told.json["turn"]}
        wanderer.speak(case, evening, next(iter(evening.tokens)))


def _plot(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
    """One that the table has, once its figures are there."""
    listed = evening.get(_speaking(case, evening), "/statistics/plots")
    if listed.status_code == 200 and listed.json["plots"]:
        case.path_parameters["plot"] = wanderer.source.choice(listed.json["plots"])["name"]
        case.query = {}


def _both(*fills: Fill) -> Fill:
    """One after the other."""

    def fill(wanderer: Wanderer, case: Case, evening: SessionClient) -> None:
        for each in fills:
            each(wanderer, case, evening)

    return fill


def _own(case: Case, evening: SessionClient) -> str:
    """The seat that the case names, or one that has a token here."""
    named = str((case.path_parameters or {}).get("seat"))
    return named if named in evening.tokens else _speaking(case, evening)


def _speaking(case: Case, evening: SessionClient) -> str:
    """The seat whose token the case sends; the first where it sends none."""
    sent = str((case.headers or {}).get("Authorization", "")).removeprefix("Bearer ")
    return next(
        (seat for seat, token in evening.tokens.items() if token == sent),
        next(iter(evening.tokens)),
    )


TABLE = "/v1/sessions/{session}"
FILLS: Mapping[str, Fill] = {
    f"POST {TABLE}/commands": _command,
    f"POST {TABLE}/commands/dry-run": _command,
    f"POST {TABLE}/odds": _command,
    f"POST {TABLE}/seats/{{seat}}/chain": _chain,
    f"POST {TABLE}/seats/{{seat}}/presence": _presence,
    f"POST {TABLE}/seats/{{seat}}/name": _name,
    f"POST {TABLE}/draws/{{draw}}/contributions": _both(_give, given),
    f"POST {TABLE}/draws/{{draw}}/void": voided,
    f"GET {TABLE}/draws/pending": pending,
    f"DELETE {TABLE}/seats/{{seat}}": left,
    f"POST {TABLE}/hand-over": handed_over,
    f"POST {TABLE}/cosignatures": _cosign,
    f"POST {TABLE}/open-secret": _open_seal,
    f"POST {TABLE}/rewind": _version("to"),
    f"POST {TABLE}/forks": _version("version"),
    f"GET {TABLE}/events/{{version}}": _version("version"),
    f"GET {TABLE}/compare": _version("from", of_query=True),
    f"GET {TABLE}/proofs/consistency": _version("from", of_query=True),
    f"GET {TABLE}/proofs/inclusion": _version("version", of_query=True),
    f"GET {TABLE}/draws/{{k}}": _both(_draw, drawn),
    f"GET {TABLE}/draws/{{draw}}/proof": _both(_draw, drawn),
    f"GET {TABLE}/statistics/plots/{{plot}}.csv": _plot,
    f"GET {TABLE}/statistics/plots/{{plot}}.svg": _plot,
}
"""What of a case only somebody at the table can know."""
