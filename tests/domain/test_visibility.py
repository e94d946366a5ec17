"""The one filter: who may look, through whose eyes, at what; and what a refusal may say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import DeclaredChance, NeedsDrawError, UndrawnChance
from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Audience, Declare, LeaveSeat, Narrate, OpenSeal
from domain.session.secrets import refuse_unseen
from domain.session.state import Session
from domain.session.turns import judge
from domain.visibility import (
    PUBLIC_VIEWER,
    Viewer,
    can_see_session,
    select_visible,
    turns_hidden_from,
    view_as,
    visible_refusal,
    visible_session,
)
from fairlog.testing.random_commands import random_kind, random_wish
from tests.domain.replay import Replay
from tests.domain.secret_sessions import Intrigue, by_chance, intrigue
from tests.support.scale import SCALED_RULESETS, scale

ROOM = RULESETS[0]
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)


@pytest.mark.parametrize(
    ("viewer", "there", "listed"),
    [
        (PUBLIC_VIEWER, False, True),
        (Viewer("gm"), True, True),
        (Viewer("sam"), True, True),
        (Viewer("eve"), True, True),
        (Viewer("ben"), False, True),  # who has left
        (Viewer("mallory"), False, True),
    ],
)
def test_for_whom_a_session_is_there(viewer: Viewer, there: bool, listed: bool) -> None:
    evening = Intrigue(ROOM)
    evening.ask(LeaveSeat("ben"), "ben")
    info = evening.session.info
    assert can_see_session(evening.session, viewer) is there
    known = replace(evening.session, info=replace(info, options=info.options | {"listed": True}))
    assert can_see_session(known, viewer) is listed


@pytest.mark.parametrize(
    ("viewer", "through", "then"),
    [
        (Viewer("gm"), UNSET, Viewer("gm")),
        (PUBLIC_VIEWER, UNSET, PUBLIC_VIEWER),
        (Viewer("gm"), "ana", Viewer("gm", "ana")),
        (Viewer("eve"), "gm", Viewer("eve", "gm")),
        (Viewer("gm"), "mallory", "seat-unknown"),
        (Viewer("ana"), "ben", "gm-only"),
        (Viewer("sam"), "gm", "gm-only"),
        (PUBLIC_VIEWER, "ana", "gm-only"),
    ],
)
def test_who_looks_through_whose_eyes(
    viewer: Viewer, through: str | UnsetType, then: Viewer | str
) -> None:
    try:
        answer: Viewer | str = view_as(Intrigue(ROOM).session, viewer, through)
    except Refused as refused:
        answer = refused.rule
    assert answer == then


HIDDEN = [
    # audience of ana's whisper    the viewers who do not see it
    ("gm", ["", "ben", "sam", "gm as ben", "eve as ben", "eve as sam"]),
    (
        "blind",
        [
            "",
            "ana",
            "ben",
            "sam",
            "gm as ana",
            "gm as ben",
            "eve as ana",
            "eve as ben",
            "eve as sam",
        ],
    ),
    (
        "self",
        ["", "gm", "ben", "sam", "gm as ana", "gm as ben", "eve as gm", "eve as ben", "eve as sam"],
    ),
]
VIEWERS = {
    "": PUBLIC_VIEWER,
    **{seat: Viewer(seat) for seat in ("house", "gm", "ana", "ben", "sam", "eve")},
    **{f"gm as {seat}": Viewer("gm", seat) for seat in ("ana", "ben")},
    **{f"eve as {seat}": Viewer("eve", seat) for seat in ("gm", "ana", "ben", "sam")},
}


@pytest.mark.parametrize(("audience", "blind"), HIDDEN)
def test_what_is_hidden_from_whom(audience: Audience, blind: list[str]) -> None:
    evening = Intrigue(ROOM)
    [whispered] = evening.ask(Narrate("Psst.", audience=audience), "ana")
    [said] = evening.ask(Narrate("Good evening."), "ana")
    for name, viewer in VIEWERS.items():
        shown, turns = ([said], {whispered.turn}) if name in blind else ([whispered, said], set())
        assert list(select_visible(evening.session, viewer, (whispered, said))) == shown, name
        assert turns_hidden_from(evening.session, viewer) == turns, name
    evening.ask(OpenSeal(whispered.turn), "gm" if "ana" in blind else "ana")
    assert {turns_hidden_from(evening.session, viewer) for viewer in VIEWERS.values()} == {
        frozenset()
    }


@every_ruleset
def test_a_gm_who_looks_as_a_player_sees_no_more_than_either(ruleset: AnyRuleset) -> None:
    evening = Intrigue(ruleset)
    nothing = evening.session.table
    while evening.seen("gm") == nothing:
        by_chance(evening, "gm", "blind")
    the_gms = evening.session.table
    while evening.seen("ana") == nothing:
        by_chance(evening, "ana", "self")
    assert evening.seen("gm") == evening.seen("eve", "gm") == the_gms
    assert evening.seen("gm", "ana") == evening.seen("ben") == nothing
    assert evening.seen("eve", "ana") == evening.seen("ana")
    assert evening.seen("eve") == evening.session.table != the_gms


def test_what_is_seen_holds_no_other_table() -> None:
    evening = intrigue(ROOM, 1, 60)
    assert evening.session.tables_by_seat
    for viewer in VIEWERS.values():
        assert visible_session(evening.session, viewer, evening.past).tables_by_seat == {}


def test_a_refusal_says_what_its_seat_sees_or_that_it_does_not() -> None:
    told = Counter(rule for ruleset in SCALED_RULESETS for rule in refusals(ruleset, scale(3, 15)))
    assert told["unseen"], told
    assert len(told) >= 20, told


def refusals(ruleset: AnyRuleset, scripts: int) -> Iterator[str]:
    """The rules that players are told whose random wishes are refused, the same as by brute force."""
    for evening in (intrigue(ruleset, seed, 150) for seed in range(scripts)):
        replay = Replay(ruleset, evening.facts)
        for version in range(8, evening.session.version, 3):
            session = evening.past.state(version)
            for seat in ("gm", "ana", "ben", "eve"):
                wish, by = random(evening, session), By(seat, session.info.seats[seat].role)
                if no := refused(session, wish, by):
                    told = visible_refusal(session, by, wish, no, evening.past)
                    known = replace(
                        session, table=replay.table(version, replay.hidden(version)[seat])
                    )
                    expected = refused(known, wish, by) or Refused("unseen")
                    assert (told.rule, told.facts) == (expected.rule, expected.facts), (
                        version,
                        seat,
                    )
                    yield told.rule


def random(evening: Intrigue, session: Session) -> Declare:
    """A wish of anything on the whole table, now and then with a face of a die."""
    ruleset, chosen = evening.ruleset, evening.random
    command = random_wish(chosen, ruleset, session.table, random_kind(chosen, ruleset))
    return Declare(
        msgspec.Raw(encode(command)), (chosen.randint(1, 6),) if chosen.random() < 0.3 else UNSET
    )


def refused(session: Session, wish: Declare, by: By) -> Refused | None:
    """Why a wish may not be, before anything is drawn."""
    dice = UndrawnChance() if wish.faces is UNSET else DeclaredChance(wish.faces)
    try:
        with refuse_unseen(session):
            judge(session, wish, by, dice)
        _ = isinstance(dice, UndrawnChance) or dice.values
    except Refused as no:
        return no
    except NeedsDrawError:
        pass
    return None


def test_who_sees_everything_is_told_everything() -> None:
    evening = intrigue(ROOM, 1, 60)
    wish, no = random(evening, evening.session), Refused("role-may-not", role="auditor")
    assert visible_refusal(evening.session, By("eve", Role.AUDITOR), wish, no, evening.past) is no
    before = evening.past.state(8)
    assert visible_refusal(before, By("ana", Role.PLAYER), wish, no, evening.past) is no
