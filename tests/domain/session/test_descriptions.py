"""What is told of the frame: whose words are whose, and which braces are names."""

from __future__ import annotations

import json

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import Role
from domain.ruleset import Message
from domain.session.descriptions import describe, describe_command, fill, names
from domain.session.messages import (
    Close,
    HandOver,
    LeaveSeat,
    NameSeat,
    Narrate,
    Rewind,
    TakeSeat,
)
from domain.session.turns import LEAST_HOUSE_LENGTH
from tests.support.example import EXAMPLE, FACES, as_json, brought, to_draw
from tests.support.sessions import ScriptedSession, wish_of

TOLD = [
    # seat, command, the lines
    ("p1", Narrate("It rains."), ["Player 1: It rains."]),
    ("gm", Narrate("That one.", 3), ["Grace on version 3: That one."]),
    (
        "p1",
        Narrate("{gm} and {@gm} and {{gm}} and {nobody}"),
        ["Player 1: {gm} and {@gm} and {{gm}} and {nobody}"],
    ),
    ("gm", Rewind(4, "ask {p1}"), ["Grace rewinds to version 4 (ask {p1})."]),
    ("p2", LeaveSeat("p2"), ["Player 2 leaves."]),
    ("gm", LeaveSeat("p2"), ["Grace removes Player 2 from the session."]),
    ("gm", HandOver("p1"), ["Player 1 is now the GM.", "Grace is now a player."]),
    ("p1", NameSeat("p1", "{gm}"), ['The seat "p1" is now called "{gm}".']),
    (
        "p9",
        TakeSeat("p9", Role.SPECTATOR, "Nine"),
        ["Nine is here as a spectator.", 'The seat "p9" is now called "Nine".'],
    ),
    ("gm", Close(carry_over=True), [EXAMPLE.closing]),
]


@pytest.mark.parametrize(("seat", "command", "lines"), TOLD)
def test_what_the_frame_tells(seat: str, command: Message, lines: list[str]) -> None:
    evening = ScriptedSession()
    facts = evening.do(seat, command)
    assert [
        fill(describe(evening.ruleset, fact, evening.then), names(evening.session))
        for fact in facts
    ] == lines


def test_nobody_speaks_under_another_seats_name() -> None:
    evening = ScriptedSession()
    evening.do("gm", Narrate("The bridge is down."))
    told = evening.facts[-1]
    evening.do("p1", brought("gm", "The Duke"))
    assert (
        fill(describe(evening.ruleset, told, evening.then), names(evening.session))
        == "Grace: The bridge is down."
    )
    shown = names(evening.session)
    assert fill("{gm} and {@gm}", shown) == "The Duke and Grace"
    assert fill("{@gm} sees {gm}. {gm} bows: {gm} is polite.", shown) == (
        "Grace sees the Duke. The Duke bows: The Duke is polite."
    )


def test_braces_in_a_room_are_what_somebody_wrote() -> None:
    evening = ScriptedSession()
    evening.do("gm", EXAMPLE.guest)
    declared, created = evening.do("p1", brought("ana", "{rat} {@gm} {"))
    shown = names(evening.session)
    assert "name {rat} {@gm} {" in fill(describe(evening.ruleset, declared, evening.then), shown)
    sentence = describe(evening.ruleset, created, evening.then)
    assert "{ana}" in sentence
    assert fill(sentence, shown) == sentence.replace("{ana}", "{rat} {@gm} {")


def test_a_wish_is_told_in_words() -> None:
    evening = ScriptedSession()
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()):
        declared = evening.do(seat, command)[0]
        words = describe_command(
            evening.ruleset, msgspec.Raw(json.dumps(as_json(command), sort_keys=True).encode())
        )
        shown = names(evening.session)
        assert fill(describe(evening.ruleset, declared, evening.then), shown) == fill(
            f"{{@{seat}}} requests: {words}.", shown
        )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (UNSET, "physical dice"),
        ("the red d6", "the red d6"),
        ("{rat} {@gm} {", "{rat} {@gm} {"),
        ("red\u202ed6", "red\ufffdd6"),
    ],
)
def test_the_text_of_a_command_names_its_physical_dice(name: str | UnsetType, text: str) -> None:
    evening = ScriptedSession(length=LEAST_HOUSE_LENGTH, log_format=2)
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        evening.do(seat, command)
    rolled = replace(wish_of(EXAMPLE.draw), faces=FACES, dice_name=name)
    declared, *_ = evening.do("p1", rolled)
    shown = names(evening.session)
    words = describe_command(evening.ruleset, rolled.command)
    begins = fill(f"{{@p1}} requests: {words}, with ", shown)
    described = fill(describe(evening.ruleset, declared, evening.then), shown)
    assert described == f"{begins}{text}, grade D."
