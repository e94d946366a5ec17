"""Whose figures hold the results of Dhextiny's secret checks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw

from domain.codec import encode
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny import ruleset
from domain.session.messages import Declare, OpenSeal
from domain.view import NOBODY, Viewer, hidden
from projections.statistics_model import DRAWN, SessionReport
from projections.tallies import evening_of
from tests.domain.intrigues import Intrigue
from workers.statistics import figures

SEATS = ("gm", "ana", "ben", "sam", "eve")
VIEWERS = [
    NOBODY,
    *map(Viewer, SEATS),
    Viewer("gm", "ana"),
    Viewer("gm", "ben"),
    Viewer("eve", "gm"),
]


def figures_for(evening: Intrigue, viewer: Viewer) -> SessionReport:
    return figures(evening_of(evening.room, evening.facts).open_to(hidden(evening.session, viewer)))


SECRETS = [
    # asker, of whom, audience; who sees it
    ("ana", "ana", "gm", {"gm", "ana", "eve"}),
    ("ben", "ben", "self", {"ben", "eve"}),
    ("ben", "ben", "blind", {"gm", "eve"}),
    ("gm", "rat", "gm", {"gm", "eve"}),
    ("gm", "rat", "self", {"gm", "eve"}),
]


def asked(evening: Intrigue, seat: str, command: Message, audience: Any) -> int:
    """The turn that it became."""
    evening.ask(Declare(Raw(encode(command)), audience=audience), seat)
    return evening.session.turn


@pytest.fixture
def table() -> Intrigue:
    """Ana and Ben have sat down with theirs, and the GM has a rat."""
    evening = Intrigue(ruleset, seed=7)
    for seat, command in (
        ("ana", m.CreatePc("ana", "Ana")),
        ("ben", m.CreatePc("ben", "Ben")),
        ("gm", m.CreateCreature("rat", "Rat", 3)),
    ):
        evening.ask(Declare(Raw(encode(command))), seat)
    return evening


def seen(figure: SessionReport) -> int:
    """How many dice have been seen."""
    return sum(
        value.seen for faces in figure.faces[DRAWN].values() for value in faces.values.values()
    )


@pytest.mark.parametrize(("asker", "entity", "audience", "seers"), SECRETS)
def test_a_secret_counts_for_its_audience_alone(
    table: Intrigue, asker: str, entity: str, audience: Any, seers: set[str]
) -> None:
    before = figures_for(table, NOBODY)
    check = asked(table, asker, m.Check(entity), audience)
    settled = asked(table, asker, m.Settle(entity), audience)
    for seat in SEATS:
        figure, sees = figures_for(table, Viewer(seat)), seat in seers
        assert seen(figure) == seen(before) + sees, seat
        assert (entity in figure.results["entities"]) is sees
        assert (asker in figure.results["seats"]) is sees
        # That there was a draw, everyone sees; the other turn's wish is under seal as well.
        assert figure.tempo.turns == before.tempo.turns + 1 + sees
        assert figure.draws.grades["C"] == before.draws.grades.get("C", 0) + 1
    assert figures_for(table, NOBODY) == figures_for(table, Viewer("sam"))
    opener = "gm" if "gm" in seers else asker
    for turn in (check, settled):
        table.ask(OpenSeal(turn), opener)
    after = figures_for(table, NOBODY)
    assert [figures_for(table, viewer) for viewer in VIEWERS] == [after] * len(VIEWERS), (
        "once it is open"
    )
    assert seen(after) == seen(before) + 1
