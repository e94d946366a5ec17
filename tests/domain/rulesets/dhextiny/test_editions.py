"""Editions: sessions of edition 1 are decided as before, and their tables keep their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from domain.chance import EnumeratedChance
from domain.codec import encode
from domain.decider import By, Refused, fold
from domain.ruleset import Message
from domain.rulesets import RULESETS, RULESETS_BY_EDITION
from domain.rulesets.dhextiny import edition_1, messages as m, ruleset
from domain.rulesets.dhextiny.rules import PF, PS, F, Options, Pool, RollPurpose, Status
from domain.rulesets.dhextiny.state import State
from domain.session.messages import Inherited
from domain.session.secrets import inherited_table
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain.rulesets.dhextiny.people import (
    GM,
    P1,
    TABLE,
    aflame,
    ap,
    at,
    checked,
    dead,
    rolled_abilities,
    settled,
)

GOLDEN = Path(__file__).parents[3] / "golden"
OPEN = checked("ana", 0, 4)
DATED = [*TABLE, ap("ana", 5), aflame("ben", 2), *settled("ana", 0, 4), checked("ben", 4, 3)]
"""Events that sessions of edition 1 could have from the start."""

CHANGES: list[tuple[Sequence[Message], By, Message, Sequence[Message], str]] = [
    # given, by, when, what edition 1 answers, what refuses it in edition 2
    (
        [],
        GM,
        m.AdjustAp("ana", 12, "a pause"),
        [m.Adjusted("ana", Pool.AP, 12, 12, "a pause")],
        "nothing-changes",
    ),
    (
        [],
        GM,
        m.AdjustApMax("ana", 12, "a pause"),
        [m.Adjusted("ana", Pool.AP_MAX, 12, 12, "a pause")],
        "nothing-changes",
    ),
    (
        [],
        GM,
        m.AdjustLp("ana", 6, "a pause"),
        [m.Adjusted("ana", Pool.LP, 6, 6, "a pause")],
        "nothing-changes",
    ),
    (
        [],
        GM,
        m.AdjustAmx("ana", "locks", 3, "a pause"),
        [m.AmxAdjusted("ana", "locks", 3, 3, "a pause")],
        "nothing-changes",
    ),
    (
        [],
        GM,
        m.AdjustStatus("ana", Status.OK, "a pause"),
        [m.StatusAdjusted("ana", Status.OK, Status.OK, "a pause")],
        "nothing-changes",
    ),
    (
        [at(3)],
        GM,
        m.MoveToken(3, "a second look"),
        [m.TokenMoved(3, 3, "a second look")],
        "nothing-changes",
    ),
    ([dead("ana")], GM, m.SetAflame("ana"), [m.CaughtFire("ana", 1)], "dead"),
    (
        [rolled_abilities("ana", 3)],
        P1,
        m.NameAbility("ana", "Locks "),
        [m.AbilityNamed("ana", "Locks ", 3)],
        "ability-exists",
    ),
    ([], GM, m.Kill("rat", "  "), [m.Killed("rat", Status.OK, "  ")], "blank-text"),
    (
        [],
        P1,
        m.Attack("ana", "ana"),
        [m.Checked("ana", RollPurpose.ATTACK, 0, 1, 1, PF, target="ana")],
        "attacks-itself",
    ),
]


def decide(edition: str, given: Sequence[Message], by: By, when: Message) -> list[Message] | str:
    decider = RULESETS_BY_EDITION["dhextiny", edition].decider
    state = fold(decider.evolve, decider.initial(Options()), [*TABLE, *given])
    try:
        return list(decider.decide(state, when, by, EnumeratedChance(())))
    except Refused as refused:
        return refused.rule


@pytest.mark.parametrize(("given", "by", "when", "then", "rule"), CHANGES)
def test_edition_1_accepts_what_edition_2_refuses(
    given: Sequence[Message], by: By, when: Message, then: Sequence[Message], rule: str
) -> None:
    assert decide("1", given, by, when) == then
    assert decide("2", given, by, when) == rule


def test_in_edition_1_no_one_alters_for_a_player() -> None:
    altered = m.Altered("ana", "locks", 4, 2, 0, F, 6, 0, 12)
    assert decide("1", [OPEN], GM, m.AlterToF("ana", "locks")) == "not-yours"
    assert decide("1", [OPEN], P1, m.AlterToF("ana", "locks")) == [altered]
    assert decide("2", [OPEN], GM, m.AlterToF("ana", "locks")) == [altered]


NAMED = checked("ana", 0, 4, ability="locks")
R = "for a reason"
SPELLED: list[tuple[Sequence[Message], By, Message, str, Message]] = [
    # given, by, when, what refuses it in edition 1, the event with the name on the sheet
    (
        [],
        P1,
        m.Check("ana", "Locks"),
        "no-such-ability",
        m.Checked("ana", RollPurpose.CHECK, 0, 1, 1, PF, "locks"),
    ),
    (
        [aflame("ben", 2)],
        P1,
        m.PutOut("ana", "ben", " LOCKS"),
        "no-such-ability",
        m.Checked("ana", RollPurpose.PUT_OUT, 0, 1, 1, PF, "locks", "ben"),
    ),
    (
        [],
        GM,
        m.CheckAside("ana", "locks "),
        "no-such-ability",
        m.CheckedAside("ana", 0, 1, 1, PF, "locks"),
    ),
    (
        [NAMED],
        P1,
        m.Alter("ana", "Locks", 1),
        "one-ability",
        m.Altered("ana", "locks", 4, 1, 5, PF, 5, 1, 11),
    ),
    (
        [OPEN],
        P1,
        m.AlterToF("ana", "Locks"),
        "no-such-ability",
        m.Altered("ana", "locks", 4, 2, 0, F, 6, 0, 12),
    ),
    (
        [],
        GM,
        m.AdjustAmx("ana", "Locks", 4, R),
        "no-such-ability",
        m.AmxAdjusted("ana", "locks", 3, 4, R),
    ),
    (
        [],
        GM,
        m.RenameAbility("ana", "Locks", "doors", R),
        "no-such-ability",
        m.AbilityRenamed("ana", "locks", "doors", R),
    ),
    (
        [],
        GM,
        m.RemoveAbility("ana", "Locks", R),
        "no-such-ability",
        m.AbilityRemoved("ana", "locks", R),
    ),
]


@pytest.mark.parametrize(("given", "by", "when", "rule", "then"), SPELLED)
def test_from_edition_2_an_ability_is_found_however_its_name_is_spelled(
    given: Sequence[Message], by: By, when: Message, rule: str, then: Message
) -> None:
    assert decide("1", given, by, when) == rule
    assert decide("2", given, by, when) == [then]


def test_the_refusal_of_an_ability_that_exists_has_its_name_on_the_sheet() -> None:
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), TABLE)
    with pytest.raises(Refused) as refused:
        ruleset.decider.decide(state, m.GrantAbility("ana", " Locks ", R), GM, EnumeratedChance(()))
    assert refused.value.facts == {"entity": "ana", "ability": "locks"}


@pytest.mark.parametrize(("edition", "shown"), [("1", "luck"), ("2", "locks")])
def test_an_open_check_shows_the_ability_that_it_named(edition: str, shown: str) -> None:
    played = RULESETS_BY_EDITION["dhextiny", edition]
    given = [
        *TABLE,
        m.AbilityNamed("ana", "luck", 3),
        NAMED,
        m.Altered("ana", "luck", 4, 1, 5, PF, 5, 1, 11),
    ]
    began = played.decider.initial(Options(several_abilities_may_pay=True))
    check = played.show(fold(played.decider.evolve, began, given)).tasks["check"]
    assert check.sheet["ability"] == shown


def test_edition_1_has_nothing_to_interpret() -> None:
    told = m.Interpret("ana", "It opens.")
    assert decide("1", settled("ana", 0, 4), GM, told) == "nothing-to-interpret"
    assert decide("2", settled("ana", 0, 4), GM, told) == [m.Interpreted("ana", PS, "It opens.")]


def test_the_gm_checks_aside_in_both_editions() -> None:
    aside = m.CheckedAside("tobin", 4, 1, 5, PF)
    assert decide("1", [OPEN], GM, m.CheckAside("tobin")) == [aside]
    assert decide("2", [OPEN], GM, m.CheckAside("tobin")) == [aside]


def test_the_newest_edition_is_listed_and_both_can_be_played() -> None:
    assert ruleset in RULESETS
    assert edition_1 not in RULESETS
    assert RULESETS_BY_EDITION["dhextiny", "1"] is edition_1
    assert RULESETS_BY_EDITION["dhextiny", "2"] is ruleset
    assert (edition_1.commands, edition_1.events) == (ruleset.commands, ruleset.events)


def test_edition_1_names_any_seat() -> None:
    assert ruleset.named_seats_must_play
    assert not edition_1.named_seats_must_play


def test_a_table_of_edition_1_has_the_bytes_that_it_always_had() -> None:
    """The table of a fork is in its log, where it must be what its own decoding gives again."""
    state = fold(edition_1.decider.evolve, edition_1.decider.initial(Options()), DATED)
    table = msgspec.json.decode(encode(state))
    assert set(table) == {"check", "entities", "options", "point"}
    assert set(table["check"]) == {"altered", "entity", "gained", "moved", "rolled", "use"}
    assert set(table["entities"]["ana"]["abilities"][0]) == {"amx", "name"}
    assert set(table["options"]) == {
        "gains_stop_at_ap_max",
        "natural_f_gains_at_once",
        "point",
        "s_surcharge_counts_for_amx",
        "spared_creatures_die_at_zero",
    }
    inherited = inherited_table(edition_1, Inherited(Raw(encode(state))))
    assert encode(inherited) == encode(state)


def test_a_fork_of_edition_2_goes_on_in_edition_2() -> None:
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), DATED)
    inherited = inherited_table(ruleset, Inherited(Raw(encode(state))))
    assert isinstance(inherited, State)
    assert (inherited, inherited.edition) == (state, 2)


def test_the_condition_of_a_table_that_is_forked_has_an_ascii_key() -> None:
    state = fold(
        ruleset.decider.evolve,
        ruleset.decider.initial(Options()),
        [*TABLE, m.ConditionSet("ana", "Übermüdet", 3)],
    )
    assert all(key.isascii() for key in state.conditions)
    assert decide("2", [m.ConditionSet("ana", "Übermüdet", 3)], GM, m.EndRound()) == [
        m.ConditionTicked("ana", "Übermüdet", 2)
    ]


def test_the_golden_log_of_edition_1_is_valid() -> None:
    log = (GOLDEN / "dhextiny-1.fairlog").read_bytes().splitlines(keepends=True)
    assert verify(log, ed25519).failure is None


def test_the_aim_of_a_roll_is_in_its_event_and_on_the_table() -> None:
    rolled = m.Checked("ana", RollPurpose.CHECK, 0, 1, 1, PF, aim="pick the lock")
    assert decide("1", [], P1, m.Check("ana", aim="pick the lock")) == [rolled]
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), [*TABLE, rolled])
    assert ruleset.show(state).tasks["check"].sheet["aim"] == "pick the lock"
