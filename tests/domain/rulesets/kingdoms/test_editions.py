"""Edition 1 decides as it always did, and logs of it are as valid as before."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET

from domain.chance import DeclaredChance
from domain.codec import decode_command, encode
from domain.decider import By, Refused, fold
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.rulesets.kingdoms import edition_1, messages as m, ruleset
from domain.rulesets.kingdoms.rules import Being, Options
from domain.rulesets.kingdoms.state import State
from domain.verify import verify
from domain.verify.report import Level
from service.platform.ed25519 import verify as ed25519
from tests.domain.rulesets.given import check
from tests.domain.rulesets.kingdoms.people import (
    ANA,
    BASIC,
    CON,
    GM,
    P1,
    TABLE,
    declared,
    pooled,
    ready,
)

GOLDEN = Path(__file__).parents[3] / "golden"
POOLED = [declared("ana"), pooled("ana", 4)]
IN_COMBAT = [*ready("ana", 2, 6, CON)]

CHANGED: list[tuple[Sequence[Message], By, Message, Sequence[Message], str]] = [
    # beside the table, who, when, what edition 1 answers, what refuses it from edition 2 on
    (
        [],
        P1,
        m.CreatePc("cleo", "  ", 1, 2),
        [m.EntityCreated("cleo", "  ", Being.PC, "p1", 1, 2)],
        "blank-text",
    ),
    ([], P1, m.NameStat("ana", " ", 1), [m.StatNamed("ana", " ", 1)], "blank-text"),
    ([], P1, m.NameStat("ana", "con 9", 9), [m.StatNamed("ana", "con 9", 9)], ""),
    ([], P1, m.NameStat("ana", "con", 9), [m.StatNamed("ana", "con", 9)], "stat-exists"),
    ([], P1, m.NameStat("ana", "STR ", 9), [m.StatNamed("ana", "STR ", 9)], "stat-exists"),
    (
        [declared("ana")],
        GM,
        m.GrantDice("ana", "str", 1),
        [m.DiceGranted("ana", "str", 1)],
        "source-exists",
    ),
    (
        [],
        GM,
        m.AdjustStat("ana", "STR", 4, "so"),
        [m.StatAdjusted("ana", "STR", 4, 4, "so")],
        "nothing-changes",
    ),
    (
        POOLED,
        GM,
        m.AdjustPool("ana", 4, "so"),
        [m.PoolAdjusted("ana", 4, 4, "so")],
        "nothing-changes",
    ),
]


def in_edition_1(given: Sequence[Message], by: By, when: Message) -> list[Message]:
    decider = edition_1.decider
    state = decider.initial(Options())
    state = fold(decider.evolve, state, [*TABLE, *given])  # type: ignore[list-item]
    return list(decider.decide(state, when, by, DeclaredChance(())))  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "by", "when", "then", "refused"), CHANGED)
def test_edition_1_accepts_what_edition_2_refuses(
    given: Sequence[Message], by: By, when: Message, then: Sequence[Message], refused: str
) -> None:
    assert in_edition_1(given, by, when) == then
    check(given=[*TABLE, *given], when=when, by=by, then=refused or then)


def test_edition_1_compares_each_character_of_a_name() -> None:
    for when in (
        m.DeclareTest("ana", BASIC, ("str",)),
        m.RunBasicTest("ana", ("STR ",), 6),
        m.AdjustStat("ana", "str", 5, "so"),
        m.ChangeStat("ana", "str", 1, "so"),
    ):
        with pytest.raises(Refused, match="no-such-stat"):
            in_edition_1([], GM, when)
    both = [m.StatNamed("ana", "str", 9)]
    when = m.AdjustStat("ana", "str", 5, "so")
    assert in_edition_1(both, GM, when) == [m.StatAdjusted("ana", "str", 9, 5, "so")]


def test_edition_1_grants_no_dice_between_the_rolls() -> None:
    when = m.GrantDice("ana", "a friend", 1)
    given = [*TABLE, *IN_COMBAT]
    check(given=given, when=when, by=GM, then=[m.DiceGranted("ana", "a friend", 1, 3)])
    with pytest.raises(Refused, match="pool-assembled"):
        in_edition_1(IN_COMBAT, GM, when)


@pytest.mark.parametrize("sides", [2, 3])
def test_a_die_that_the_game_does_not_have_is_refused_by_its_rule(sides: int) -> None:
    """Edition 1 always answered so. If the command were malformed, there would be no rule."""
    when = decode_command(edition_1, encode(m.RollDice(1, sides, "ana")))
    with pytest.raises(Refused, match="no-such-die"):
        in_edition_1([], P1, when)


def test_both_editions_are_registered() -> None:
    assert RULESETS_BY_EDITION["kingdoms", "1"] is edition_1
    assert RULESETS_BY_EDITION["kingdoms", "2"] is ruleset
    assert edition_1.decider.initial(Options()).edition == 1
    assert ruleset.decider.initial(Options()).edition == 2


def test_edition_1_lets_a_command_name_any_seat() -> None:
    """The session checks named seats, from edition 2 on."""
    assert not edition_1.named_seats_must_play
    assert ruleset.named_seats_must_play


def test_a_table_of_edition_1_has_the_bytes_that_it_always_had() -> None:
    """A fork records the table, and the verifier compares the bytes with those of the parent."""
    decider = edition_1.decider
    state = decider.initial(Options())
    state = fold(decider.evolve, state, [*ANA, declared("ana")])  # type: ignore[list-item]
    assert encode(state) == (
        b'{"entities":{"ana":{"being":"PC","name":"Ana","seat":"p1","stats":'
        b'[{"name":"CON","value":2},{"name":"CHA","value":3},{"name":"STR","value":4},'
        b'{"name":"fear","value":-2}]}},'
        b'"options":{"twelve_always_succeeds":true,"whole_stats":true},'
        b'"tests":{"ana":{"granted":[],"kind":"basic","rolled":false,"rolls":[],"sources":[],'
        b'"stats":["STR"],"total":0}}}'
    )


def test_a_table_of_edition_2_names_its_edition() -> None:
    state = ruleset.decider.initial(Options())
    assert encode(state) == (
        b'{"edition":2,"entities":{},'
        b'"options":{"twelve_always_succeeds":true,"whole_stats":true},"tests":{}}'
    )
    assert isinstance(state, State)
    assert (state.conditions, state.waiting) == (UNSET, UNSET)


def test_the_golden_log_of_edition_1_is_as_valid_as_before() -> None:
    lines = (GOLDEN / "kingdoms-1.fairlog").read_bytes().splitlines(keepends=True)
    report = verify(lines, ed25519)
    assert (report.failure, report.reached) == (None, Level.VIEWS)
