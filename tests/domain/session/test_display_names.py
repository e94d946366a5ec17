"""Names of seats as they are shown: a name that can be mistaken has the seat's id beside it, others stay as they are."""
# ruff: noqa: RUF001  # look-alikes are what this is about

from __future__ import annotations

import pytest

from domain.decider import Role
from domain.session.display_names import display_names
from domain.session.state import Seat

PLAIN = (
    "Ana",
    "Anna",
    "José María",
    "O'Brien",
    "Jürgen 2",
    "Ольга",
    "Νίκη",
    "奈々",
    "🦊 Fox",
)
LIKE_GINA = (
    "Gina",
    "gina",
    "GINA",
    "Ginа",  # Cyrillic a
    "Gіna",  # Cyrillic i
    "Glna",
    "G1na",
    "Gína",
    "G i n a",
    "Gina.",
    "Ｇｉｎａ",
    "𝐆𝐢𝐧𝐚",
    "ᏀᎥna",
    "Gin\u0336a",
    "Gina: yes",
    "Gina, for the GM's eyes",
)
LIKE_A_ROLE = ("gm", "GM", "The GM", "G.M.", "Game Master", "house", "Hоuse", "the house", "Server")
FORBIDDEN = {
    "\u202eaniG": "\ufffdaniG (p1)",
    "Gi\u200bna": "Gi\ufffdna (p1)",
    "Gi\u0085na": "Gi\ufffdna (p1)",
    "Bo\u2066\u2069": "Bo\ufffd\ufffd (p1)",
    "Bo\u2028Gina: yes": "Bo\ufffdGina: yes (p1)",
    "Bo\ue000": "Bo\ufffd (p1)",
    "\u3164": "\ufffd (p1)",
    "   ": "(p1)",
    " Bo": "Bo (p1)",
}


def shown(*names: str) -> list[str]:
    """The names of a GM and of players as they are shown, in a session with a house."""
    seats = ["gm", *(f"p{number}" for number in range(1, len(names)))]
    held = {
        seat: Seat(Role.GM if seat == "gm" else Role.PLAYER, True, name=name)
        for seat, name in zip(seats, names, strict=True)
    }
    return list(display_names({"house": Seat(Role.HOUSE, True), **held}).values())


def test_names_that_differ_stay_as_they_are() -> None:
    assert shown(*PLAIN) == list(PLAIN)


@pytest.mark.parametrize("name", LIKE_GINA)
def test_a_name_that_looks_like_another_has_the_seats_id_beside_it(name: str) -> None:
    gm, player, other = shown("Gina", name, "Bo")
    assert (player, other) == (f"{name} (p1)", "Bo")
    assert gm == ("Gina" if "," in name or ":" in name else "Gina (gm)")


@pytest.mark.parametrize("name", LIKE_A_ROLE)
def test_a_name_that_looks_like_a_role_has_the_seats_id_beside_it(name: str) -> None:
    assert shown("Gina", name) == ["Gina", f"{name} (p1)"]


def test_a_name_cannot_imitate_an_id() -> None:
    assert shown("Gina", "Bo (gm)", "p1") == ["Gina", "Bo (gm) (p1)", "p1 (p2)"]
    assert shown("Gina", "p1") == ["Gina", "p1"]


@pytest.mark.parametrize(("name", "expected"), FORBIDDEN.items(), ids=ascii)
def test_what_could_hide_or_reorder_text_is_replaced(name: str, expected: str) -> None:
    assert shown("Mo", name) == ["Mo", expected]


def test_what_is_not_shown_does_not_make_names_differ() -> None:
    assert shown("Gina", "Gi\u200bna") == ["Gina (gm)", "Gi\ufffdna (p1)"]
