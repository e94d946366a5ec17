"""Tables laid for what a wanderer hardly comes to by itself: a draw that waits, one that is over, a seat to give up."""

from __future__ import annotations

import time

import msgspec
from schemathesis import Case

from tests.service.http.contributions import Circle, ask
from tests.service.http.session_client import Evening, laid
from tests.service.http.wandering import Wanderer
from tests.support.example import to_draw

LAID, SLOWLY = 0.3, 0.02
"""How often such a table is laid; how often where it takes a second."""


def pending(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """A draw that waits for all who sit there."""
    if wanderer.often(LAID):
        _asked(wanderer, case)


def given(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """What a seat owes to a draw that waits."""
    if not wanderer.often(LAID):
        return
    circle = _asked(wanderer, case)
    waiting = circle.waiting()
    said = msgspec.to_builtins(circle.holders["p1"].contribution(waiting))
    case.body = {name: value for name, value in said.items() if name != "seat"}
    case.path_parameters["k"] = str(waiting["k"])
    wanderer.speak(case, circle.evening, "p1")


def voided(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """A draw whose time is over."""
    if wanderer.often(SLOWLY):
        circle = _asked(wanderer, case, deadline=1)
        time.sleep(1.1)
        case.path_parameters["k"] = "0"
        wanderer.speak(case, circle.evening, "gm")


def drawn(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """A draw to which all have given."""
    if wanderer.often(LAID):
        circle = _asked(wanderer, case)
        circle.give("gm", "p1", "p2")
        case.path_parameters["k"] = "0"


def left(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """A player gives the own seat up."""
    if wanderer.often(LAID):
        table = _at(wanderer, case, laid(wanderer.house))
        case.path_parameters["seat"], case.query = "p2", {}
        _unmatched(case)
        wanderer.speak(case, table, "p2")


def handed_over(wanderer: Wanderer, case: Case, evening: Evening) -> None:
    """The GM gives the role to a player."""
    if wanderer.often(LAID):
        table = _at(wanderer, case, laid(wanderer.house))
        case.body = {"to": "p1"}
        _unmatched(case)
        wanderer.speak(case, table, "gm")


def _asked(wanderer: Wanderer, case: Case, deadline: int = 600) -> Circle:
    circle = Circle(wanderer.house, deadline)
    circle.evening.go(*to_draw()[:-1])
    ask(circle)
    evening = _at(wanderer, case, circle.evening)
    for seat, holder in circle.holders.items():
        wanderer.holders[evening.session, seat] = holder
    wanderer.speak(case, evening, "gm")
    return circle


def _at(wanderer: Wanderer, case: Case, evening: Evening) -> Evening:
    """The case is for that table from now on, which can be wandered to again."""
    wanderer.tables[evening.session] = evening
    case.path_parameters["session"] = evening.session
    return evening


def _unmatched(case: Case) -> None:
    case.headers.pop("If-Match", None)
