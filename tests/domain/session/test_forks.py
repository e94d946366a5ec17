"""Forks: what the child begins with, whose secret that is, and what may not be taken along (RULES 6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from msgspec import UNSET

from domain.codec import encode
from domain.decider import Refused, Role
from domain.proof import merkle_tree
from domain.recorded_event import leaf_of
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.decider import decide
from domain.session.messages import (
    Close,
    Closed,
    Fork,
    Forked,
    HandOver,
    Inherited,
    Opened,
    OpenSeal,
    Parent,
    Rewind,
    SealOpened,
)
from domain.session.state import HOUSE, History
from domain.visibility import PUBLIC_VIEWER, Viewer, is_visible, visible_session
from fairlog.testing.random_commands import builtins, is_plain
from tests.domain.forks import Child
from tests.domain.replay import Replay
from tests.domain.secret_sessions import Intrigue, by_chance, intrigue
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import ScriptedSession, Seats

ROOM = RULESETS[0]
CHILD = "c4" * 16
SEATS: Seats = (("gm", Role.GM, UNSET), ("ana", Role.PLAYER, UNSET), ("sam", Role.SPECTATOR, UNSET))
every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)


def table_of(evening: ScriptedSession, viewer: Viewer = PUBLIC_VIEWER) -> object:
    past = History(
        lambda at: evening.log.at(evening.id, at), lambda after, upto: evening.facts[after:upto]
    )
    return visible_session(evening.session, viewer, past).table


def played(ruleset: AnyRuleset, secret: bool) -> Intrigue:
    """An evening whose GM has changed the table, or has done so in secret."""
    evening = Intrigue(ruleset)
    start = evening.session.table
    while evening.session.table == start:
        by_chance(evening, "gm", "gm" if secret else UNSET)
    return evening


@every_ruleset
def test_a_fork_goes_on_from_a_table(ruleset: AnyRuleset) -> None:
    parent = played(ruleset, secret=False)
    table, version = parent.session.table, parent.session.version
    child = Child(parent, version, seats=SEATS)
    opened, inherited, *_ = child.facts
    root = merkle_tree.root_of(
        [merkle_tree.leaf_hash(leaf_of(fact)) for fact in parent.facts[:version]]
    ).hex()
    assert isinstance(opened.body, Opened)
    assert opened.body.parent == Parent(root, parent.id, version)
    assert inherited.body == Inherited(msgspec.Raw(encode(table)))
    assert [(fact.seat, fact.turn, fact.sealed) for fact in (opened, inherited)] == [
        (HOUSE, 1, False)
    ] * 2
    assert (child.session.k, child.session.secrets.seals, child.session.tables_by_seat) == (
        0,
        {},
        {},
    )
    assert child.session.table == table == table_of(child)
    assert parent.facts[-1].body == Forked(child.id, version)


@every_ruleset
def test_what_was_hidden_from_anyone_is_the_new_gms_secret(ruleset: AnyRuleset) -> None:
    parent = played(ruleset, secret=True)
    child = Child(parent, parent.session.version, seats=SEATS)
    _, inherited, *_ = child.facts
    assert isinstance(inherited.body, Inherited)
    assert (inherited.body.audience, inherited.sealed) == ("gm", True)
    seats = child.session.info.seats
    assert {seat for seat in seats if is_visible(child.session, Viewer(seat), inherited)} == {
        "gm",
        HOUSE,
    }
    assert table_of(child, Viewer("gm")) == table_of(child, Viewer(HOUSE)) == parent.session.table
    assert table_of(child, Viewer("ana")) == table_of(child) == child.log.at(child.id, 1).table
    child.do("gm", HandOver("ana"))
    assert table_of(child, Viewer("ana")) == parent.session.table
    assert table_of(child, Viewer("gm")) == table_of(child)


@every_ruleset
def test_the_new_gm_opens_what_was_inherited(ruleset: AnyRuleset) -> None:
    parent = played(ruleset, secret=True)
    child = Child(parent, parent.session.version, seats=SEATS)
    with pytest.raises(Refused, match="seal-not-yours"):
        child.do("ana", OpenSeal(1))
    [opened] = child.do("gm", OpenSeal(1))
    assert opened.body == SealOpened(turn=1)
    assert table_of(child) == child.session.table == parent.session.table
    assert child.session.tables_by_seat == {}


def test_an_inheritance_that_was_never_opened_counts_for_the_house() -> None:
    parent = played(ROOM, secret=True)
    child = Child(parent, parent.session.version)
    [closed] = child.do("gm", Close(carry_over=False))
    assert closed.body == Closed({}, {HOUSE: 1})


@pytest.mark.parametrize("secret", [False, True])
@every_ruleset
def test_no_rewind_leads_behind_the_inheritance(ruleset: AnyRuleset, secret: bool) -> None:
    parent = played(ruleset, secret)
    child = Child(parent, parent.session.version, seats=SEATS)
    inherited = [table_of(child, Viewer(seat)) for seat in ("gm", "ana")]
    with pytest.raises(Refused, match="rewind-inside-turn"):
        child.do("gm", Rewind(1, "to nothing"))
    child.do("gm", Rewind(2, "to the beginning"))
    assert [table_of(child, Viewer(seat)) for seat in ("gm", "ana")] == inherited


@pytest.mark.parametrize("secret", [False, True])
@every_ruleset
def test_a_fork_of_a_fork_and_of_what_was_undone(ruleset: AnyRuleset, secret: bool) -> None:
    parent = played(ruleset, secret)
    done = parent.session
    parent.ask(Rewind(6, "what if not"), "gm")
    child = Child(parent, done.version)
    grandchild = Child(child, child.session.version, seed=7)
    assert parent.session.table != done.table == child.session.table == grandchild.session.table
    assert table_of(grandchild) == (
        grandchild.log.at(grandchild.id, 1).table if secret else done.table
    )
    assert table_of(grandchild, Viewer("gm")) == done.table


@every_ruleset
def test_a_secret_is_taken_along_once_it_is_open(ruleset: AnyRuleset) -> None:
    parent = played(ruleset, secret=True)
    fork = Fork(CHILD, parent.session.version)
    for seat in ("ana", "sam"):
        with pytest.raises(Refused, match="fork-of-a-secret"):
            parent.ask(fork, seat)
    parent.ask(OpenSeal(parent.session.turn), "gm")
    parent.ask(Close(carry_over=False), "gm")
    for seat in ("ana", "sam"):
        [forked] = parent.ask(fork, seat)
        assert (forked.seat, forked.body) == (seat, Forked(CHILD, fork.version))


def test_who_forks_what_is_as_the_log_says() -> None:
    answers = Counter(
        answer for ruleset in SCALED_RULESETS for answer in compared(ruleset, scale(2, 20))
    )
    assert answers.keys() == {None, "role-may-not", "fork-inside-turn", "fork-of-a-secret"}, answers


def compared(ruleset: AnyRuleset, scripts: int) -> Iterator[str | None]:
    """What every seat is answered that forks at every version of random evenings, the same as by brute force."""
    for evening in (intrigue(ruleset, seed, 150) for seed in range(scripts)):
        session, replay = evening.session, Replay(ruleset, evening.facts)
        hidden = replay.hidden(session.version)
        for version in range(1, session.version + 1):
            for seat in (seat for seat, held in session.info.seats.items() if held.present):
                answer = refused(evening, Fork(CHILD, version), seat)
                inside = (
                    version < session.version
                    and evening.facts[version].turn == evening.facts[version - 1].turn
                )
                if session.info.seats[seat].role in (Role.HOUSE, Role.AUDITOR):
                    assert answer == "role-may-not"
                elif inside:
                    assert answer == "fork-inside-turn"
                elif replay.table(version, hidden[seat]) != replay.table(version):
                    assert answer == "fork-of-a-secret"
                else:
                    assert answer is None
                yield answer


def refused(evening: Intrigue, fork: Fork, seat: str) -> str | None:
    """By which rule."""
    try:
        decide(evening.session, fork, evening.session.by(seat), evening.past)
    except Refused as no:
        return no.rule
    return None


@every_ruleset
def test_every_table_goes_through_canonical_json(
    ruleset: AnyRuleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "fairlog.testing.random_commands.TEXTS", ("locks", "Schlösser", '\U0001f3b2 "\\', "a  b")
    )
    for seed in range(scale(3, 30)):
        evening = intrigue(ruleset, seed, 150)
        for version in range(1, evening.session.version + 1):
            table = evening.past.state(version).table
            written = encode(table)
            assert msgspec.json.decode(written, type=ruleset.state) == table
            assert encode(msgspec.json.decode(written)) == written
            assert is_plain(builtins(table)), table
