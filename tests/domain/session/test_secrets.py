"""Secret turns: what of each is sealed, what is committed to, who opens it, and what that shows (RULES 5)."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import DeclaredChance as DeclaredDice, EnumeratedChance
from domain.codec import decode_command
from domain.decider import Refused
from domain.proof.hash_chain import check_blind, command_commitment, seed, value
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.decider import decide
from domain.session.messages import (
    Audience,
    Close,
    Closed,
    Declare,
    Declared,
    Drawn,
    Fork,
    HandOver,
    Narrate,
    Narrated,
    OpenSeal,
    Rewind,
    SealOpened,
)
from domain.session.state import HOUSE
from domain.session.turns import judge
from domain.visibility import PUBLIC_VIEWER, Viewer, is_visible
from tests.domain.secret_sessions import Intrigue, about_to, intrigue
from tests.support.scale import SCALED_RULESETS, scale

ROOM = RULESETS[0]
SEEN_BY = {
    # audience, asker    who sees it; the house and the auditor always do
    ("gm", "gm"): {"gm"},
    ("gm", "ana"): {"gm", "ana"},
    ("blind", "gm"): {"gm"},
    ("blind", "ana"): {"gm"},
    ("self", "gm"): {"gm"},
    ("self", "ana"): {"ana"},
}
ALWAYS = {"eve", HOUSE}
SEATS = {"gm", "ana", "ben", "sam", *ALWAYS}
AUDIENCES: tuple[Audience, ...] = ("gm", "blind", "self")
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
every_secret = pytest.mark.parametrize(("audience", "asker"), SEEN_BY)


def drawn_in_secret(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> tuple[Intrigue, Declare, tuple[RecordedEvent, ...]]:
    evening, wish = about_to(ruleset, asker, draws=True)
    return evening, wish, evening.ask(replace(wish, audience=audience), asker)


def who_sees(evening: Intrigue, fact: RecordedEvent) -> set[str]:
    seats = evening.session.info.seats
    return {seat for seat in seats if is_visible(evening.session, Viewer(seat), fact)}


def check_seen(
    evening: Intrigue, facts: tuple[RecordedEvent, ...], audience: Audience, asker: str
) -> None:
    """Sealed facts are open to the audience alone, and only its tables hold them."""
    before = evening.seen(at=facts[0].version - 1)
    for fact in facts:
        assert who_sees(evening, fact) == (
            SEEN_BY[audience, asker] | ALWAYS if fact.sealed else set(SEATS)
        )
        assert is_visible(evening.session, PUBLIC_VIEWER, fact) is not fact.sealed
    for seat in SEATS:
        expected = evening.session.table if seat in SEEN_BY[audience, asker] | ALWAYS else before
        assert evening.seen(seat) == expected, seat
    assert evening.seen() == before


@every_secret
@every_ruleset
def test_a_secret_draw_leaves_its_declaration_open_and_commits_to_the_rest(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish, (declared, drawn, *facts) = drawn_in_secret(ruleset, audience, asker)
    assert isinstance(declared.body, Declared)
    assert isinstance(drawn.body, Drawn)
    assert [fact.sealed for fact in (declared, drawn, *facts)] == [False, False] + [True] * len(
        facts
    )
    assert (declared.body.audience, declared.body.command, declared.body.values) == (
        audience,
        UNSET,
        UNSET,
    )
    assert drawn.body.values == ()
    kept = evening.kept[declared.turn]
    assert kept.command == wish.command
    committed = command_commitment(bytes.fromhex(kept.salt), bytes(wish.command)).hex()
    assert declared.body.command_commitment == committed
    check_seen(evening, (declared, drawn, *facts), audience, asker)


@every_secret
@every_ruleset
def test_values_under_seal_are_those_of_the_blinded_seed(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish, (declared, drawn, *facts) = drawn_in_secret(ruleset, audience, asker)
    assert isinstance(declared.body, Declared)
    assert isinstance(drawn.body, Drawn)
    draw, kept, [given] = declared.body.draw, evening.kept[declared.turn], drawn.body.contributions
    assert draw is not UNSET
    session, blind = bytes.fromhex(evening.id), bytes.fromhex(kept.blind)
    check_blind(session, draw.k, blind, bytes.fromhex(str(draw.blind)))
    made = seed(
        session, draw.k, [(HOUSE, given.chain, given.position, bytes.fromhex(given.link))], blind
    )
    assert kept.values == tuple(
        (sides, value(made, nth, sides)) for nth, (sides, _) in enumerate(kept.values)
    )
    before = evening.past.state(declared.version - 1)
    dice = DeclaredDice([face for _, face in kept.values])
    command = decode_command(ruleset, wish.command)
    assert [fact.body for fact in facts] == list(
        ruleset.decider.decide(before.table, command, before.by(asker), dice)
    )


def test_the_house_makes_another_blind_for_every_secret() -> None:
    evening, wish, _ = drawn_in_secret(ROOM, "gm", "gm")
    before = evening.session.version
    for _ in range(20):
        evening.ask(Rewind(evening.past.state(before).last_command.before, "once more"), "gm")
        evening.ask(replace(wish, audience="self"), "gm")
    assert len({(kept.blind, kept.salt) for kept in evening.kept.values()}) == 21


@every_secret
@every_ruleset
def test_a_secret_without_a_draw_is_sealed_whole(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish = about_to(ruleset, asker, draws=False)
    declared, *facts = evening.ask(replace(wish, audience=audience), asker)
    assert declared.body == Declared(wish.command, audience)
    assert all(fact.sealed for fact in (declared, *facts))
    assert declared.turn not in evening.kept
    check_seen(evening, (declared, *facts), audience, asker)


@every_secret
@every_ruleset
def test_dice_declared_in_secret_are_sealed_whole(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish = about_to(ruleset, asker, draws=True)
    chance = EnumeratedChance(())
    judge(evening.session, wish, evening.session.by(asker), chance)
    values = tuple((sides, 1) for sides in chance.sides)
    declared, *facts = evening.ask(
        replace(wish, audience=audience, faces=(1,) * len(values)), asker
    )
    assert declared.body == Declared(wish.command, audience, dice="declared", values=values)
    assert all(fact.sealed for fact in (declared, *facts))
    assert evening.session.k == evening.past.state(declared.version - 1).k
    check_seen(evening, (declared, *facts), audience, asker)


@every_secret
def test_a_narration_under_seal_is_a_whisper(audience: Audience, asker: str) -> None:
    evening = Intrigue(ROOM)
    [narrated] = evening.ask(Narrate("The duke is dead.", audience=audience), asker)
    assert narrated.body == Narrated("The duke is dead.", audience=audience)
    assert narrated.sealed
    check_seen(evening, (narrated,), audience, asker)


def test_a_wish_names_the_promise_that_fixed_its_aim() -> None:
    evening, wish = about_to(ROOM, "gm", draws=True)
    [promise] = evening.ask(Narrate("On a four the bridge falls.", audience="self"), "gm")
    declared, *_ = evening.ask(replace(wish, target=promise.version), "gm")
    assert isinstance(declared.body, Declared)
    assert declared.body.target == promise.version
    assert not declared.sealed


@every_secret
@every_ruleset
def test_who_is_in_the_audience_opens_a_secret_draw(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish, facts = drawn_in_secret(ruleset, audience, asker)
    turn, kept = facts[0].turn, evening.kept[facts[0].turn]
    draw = evening.past.state(facts[0].version).k - 1
    check_who_opens(evening, turn, SEEN_BY[audience, asker])
    [opened] = evening.ask(OpenSeal(turn), sorted(SEEN_BY[audience, asker])[0])
    assert opened.body == SealOpened(kept.blind, wish.command, draw, kept.salt, values=kept.values)
    check_open(evening, facts)


@every_secret
@every_ruleset
def test_who_is_in_the_audience_opens_a_secret_without_a_draw(
    ruleset: AnyRuleset, audience: Audience, asker: str
) -> None:
    evening, wish = about_to(ruleset, asker, draws=False)
    facts = evening.ask(replace(wish, audience=audience), asker)
    check_who_opens(evening, facts[0].turn, SEEN_BY[audience, asker])
    [opened] = evening.ask(OpenSeal(facts[0].turn), sorted(SEEN_BY[audience, asker])[-1])
    assert opened.body == SealOpened(turn=facts[0].turn)
    check_open(evening, facts)


def check_who_opens(evening: Intrigue, turn: int, audience: set[str]) -> None:
    """The audience, and not those who see everything by their office."""
    for seat in SEATS - audience:
        with pytest.raises(Refused, match="role-may-not" if seat in ALWAYS else "seal-not-yours"):
            evening.ask(OpenSeal(turn), seat)
    for seat in audience:
        command = OpenSeal(turn, evening.kept.get(turn, UNSET))
        assert decide(evening.session, command, evening.session.by(seat), evening.past)


def check_open(evening: Intrigue, facts: tuple[RecordedEvent, ...]) -> None:
    """Everyone sees it from now on, once and for all, and nothing is hidden any more."""
    assert all(
        who_sees(evening, fact) == SEATS and is_visible(evening.session, PUBLIC_VIEWER, fact)
        for fact in facts
    )
    assert evening.seen() == evening.session.table
    assert (evening.session.tables_by_seat, evening.session.secrets.seals) == ({}, {})
    with pytest.raises(Refused, match="nothing-sealed"):
        evening.ask(OpenSeal(facts[0].turn), "gm")


def test_a_draw_whose_secret_is_kept_elsewhere_is_not_opened_here() -> None:
    evening, _, facts = drawn_in_secret(ROOM, "gm", "gm")
    with pytest.raises(Refused, match="imported"):
        decide(evening.session, OpenSeal(facts[0].turn), evening.session.by("gm"), evening.past)


@every_ruleset
def test_a_secret_is_opened_after_the_close(ruleset: AnyRuleset) -> None:
    evening, _, facts = drawn_in_secret(ruleset, "gm", "ana")
    evening.ask(Close(carry_over=False), "gm")
    [opened] = evening.ask(OpenSeal(facts[0].turn), "ana")
    assert isinstance(opened.body, SealOpened)
    check_open(evening, facts)
    evening.ask(Fork("c4" * 16, facts[-1].version), "sam")


@every_ruleset
def test_what_was_undone_is_opened_and_stays_undone(ruleset: AnyRuleset) -> None:
    evening, _, facts = drawn_in_secret(ruleset, "gm", "ana")
    evening.ask(Rewind(facts[0].version - 1, "not like that"), "gm")
    assert evening.session.tables_by_seat == {}
    undone = evening.session.table
    evening.ask(OpenSeal(facts[0].turn), "ana")
    check_open(evening, facts)
    assert evening.session.table == undone
    evening.ask(Rewind(facts[-1].version, "after all"), "gm")
    assert evening.seen() == evening.session.table == evening.past.state(facts[-1].version).table


HANDED_OVER = [
    # audience, asker    the old GM sees it    ana, the new one, does
    ("gm", "gm", True, True),
    ("gm", "ben", False, True),
    ("blind", "gm", False, True),
    ("blind", "ana", False, True),
    ("blind", "ben", False, True),
    ("self", "gm", True, False),
    ("self", "ana", False, True),
    ("self", "ben", False, False),
]


@pytest.mark.parametrize(("audience", "asker", "old", "new"), HANDED_OVER)
@every_ruleset
def test_the_new_gm_sees_what_the_old_one_saw(
    ruleset: AnyRuleset, audience: Audience, asker: str, old: bool, new: bool
) -> None:
    evening, _, facts = drawn_in_secret(ruleset, audience, asker)
    before = evening.seen(at=facts[0].version - 1)
    evening.ask(HandOver("ana"), "gm")
    for seat, sees in (("gm", old), ("ana", new)):
        assert (seat in who_sees(evening, facts[-1])) is sees
        assert evening.seen(seat) == (evening.session.table if sees else before)
    check_who_opens(evening, facts[0].turn, who_sees(evening, facts[-1]) - ALWAYS)


def test_closing_counts_what_is_not_open() -> None:
    evening, *_ = drawn_in_secret(ROOM, "gm", "ana")
    for audience, asker in product(AUDIENCES, ("gm", "ben")):
        evening.ask(Narrate("Psst.", audience=audience), asker)
    evening.ask(OpenSeal(evening.session.turn), "ben")
    [closed] = evening.ask(Close(carry_over=False), "gm")
    assert closed.body == Closed({}, {"ana": 1, "gm": 3, "ben": 2})


@every_ruleset
def test_closing_carries_over_what_everyone_sees(ruleset: AnyRuleset) -> None:
    for nth in range(scale(4, 40)):
        evening = intrigue(ruleset, nth, 60)
        [closed] = evening.ask(Close(carry_over=True), evening.gm)
        assert isinstance(closed.body, Closed)
        assert closed.body.carry == ruleset.carry(evening.seen())
