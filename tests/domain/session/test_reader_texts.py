"""What readers see of an event: people and turns, instead of seats, versions and the rulebook's word."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

import pytest

from domain.decider import Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session.descriptions import describe, fill, names
from domain.session.messages import (
    Declared,
    Fork,
    HandOver,
    NameSeat,
    Narrate,
    Rewind,
    Rewound,
    TakeSeat,
)
from domain.session.reader_texts import ReaderTexts
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import HOUSE, History
from tests.golden.play import Play
from tests.support.example import EXAMPLE
from tests.support.sessions import ScriptedSession

CHILD = "ab" * 16


def readers(evening: ScriptedSession) -> ReaderTexts:
    rewinds = [
        (each.version, each.body.to) for each in evening.facts if isinstance(each.body, Rewound)
    ]
    past = History(evening.then, lambda after, upto: evening.facts[after:upto])
    return ReaderTexts(evening.session, names(evening.session), past, rewinds)


def read(evening: ScriptedSession, after: int) -> list[str]:
    """What readers see of the events after a version."""
    reader, found = readers(evening), list[str]()
    for _, members in groupby(evening.facts[after:], attrgetter("turn")):
        turn = list(members)
        for fact in turn:
            line = fill(describe(evening.ruleset, fact, evening.then), reader.names)
            found.append(reader.text(fact, line, reader.asker(turn[0])))
    return found


TEXTS = [
    ("p9", TakeSeat("p9", Role.SPECTATOR, "Nine"), ["Nine watches.", ""]),
    ("p9", TakeSeat("p9", Role.PLAYER, "Nine"), ["Nine sits down.", ""]),
    ("gm", HandOver("p1"), ["Player 1 is now the GM.", "Grace is now a player."]),
    ("p1", NameSeat("p1", "Pia"), ["“Player 1” is now called “Pia”."]),
    ("p1", Narrate("The GM: {x}"), ["Player 1: The GM: {x}"]),
]


@pytest.mark.parametrize(("seat", "command", "lines"), TEXTS)
def test_readers_see_people(seat: str, command: Message, lines: list[str]) -> None:
    evening = ScriptedSession()
    after = evening.session.version
    evening.do(seat, command)
    assert read(evening, after) == lines


def test_readers_see_turns() -> None:
    evening = ScriptedSession()
    after, turn = evening.session.version, evening.then(4).turn
    evening.do("gm", Narrate("That one.", 4))
    evening.do("gm", Fork(CHILD, 4))
    assert read(evening, after) == [
        f"Grace on turn {turn}: That one.",
        f"Grace starts another session from turn {turn}.",
    ]


def test_readers_see_who_runs_the_game_and_nothing_of_the_server() -> None:
    evening = ScriptedSession()
    shown = read(evening, 0)
    assert shown[0] == f"The session begins: {evening.session.info.title}."
    assert "Grace runs the game." in shown
    assert "Player 1 sits down." in shown
    assert not any(HOUSE in line or "server" in line or "called" in line for line in shown)


def test_a_rewind_says_how_many_turns_of_the_game_it_undid_or_brought_back() -> None:
    evening = ScriptedSession()
    before = evening.session.version
    evening.do("gm", EXAMPLE.guest)
    evening.do("p1", Narrate("Wait."))
    evening.do("p1", EXAMPLE.bring)
    undone = evening.session.version
    evening.do("gm", Rewind(before, "the wrong door"))
    evening.do("gm", Rewind(undone, "It was the right one."))
    turn, restored = evening.session.turn, evening.session.version
    evening.do("p1", Narrate("Well."))
    evening.do("gm", Rewind(restored, "nothing"))
    assert read(evening, undone) == [
        "Grace undid 2 turns: “the wrong door”.",
        "Grace brought back 2 turns: “It was the right one.”",
        "Player 1: Well.",
        f"Grace rewound to turn {turn}: “nothing”.",
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_the_word_for_the_gm_stands_only_in_turns_of_the_gm(ruleset: AnyRuleset) -> None:
    """Otherwise the name of the seat whose turn it is would be the wrong one."""
    evening = Play(ruleset).evening
    reader, changed = readers(evening), 0
    askers = {fact.turn: fact.seat for fact in evening.facts if isinstance(fact.body, Declared)}
    for fact in evening.facts:
        if type(fact.body) in SESSION_EVENT_TYPES:
            continue
        line = fill(describe(ruleset, fact, evening.then), reader.names)
        asker = askers.get(fact.turn, fact.seat)
        if reader.text(fact, line, asker) != line:
            changed += 1
            assert evening.then(fact.version).info.seats[asker].role is Role.GM
    assert changed or ruleset.name == "open"
