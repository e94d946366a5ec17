"""Draws of a whole table: what no seat and no house can gain, and what a report says of voids."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Sequence

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import Values
from domain.decider import By, Role
from domain.recorded_event import RecordedEvent, leaf_of
from domain.rulesets import RULESETS
from domain.session.messages import (
    Drawn,
    LeaveSeat,
    Narrate,
    Rewind,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE
from domain.session.turns import TurnContext, complete_draw, decide_turn
from domain.verify import Evidence
from domain.verify.report import Report
from tests.domain import broken_table_draws as t
from tests.domain.broken_logs import DRAWS, check, with_body
from tests.domain.broken_table_draws import EVERYONE, changed, facts
from tests.domain.table_faults import NOISE, TALKED, hosted, pinned, receipts, together
from tests.support.example import EXAMPLE, FACES, to_draw
from tests.support.scale import scale
from tests.support.sessions import TableSession, play_table, wish_of


def at_table(seed: int = 9, **how: object) -> TableSession:
    """gm, p1 and p2 hold chains; p1 may draw next."""
    options = {"declared_dice": True}
    table = TableSession(seed, options=options, length=256, links=120, **how)  # type: ignore[arg-type]
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()[:-1]):
        table.do(seat, command)
    return table


def report_of(table: TableSession, known: Evidence | None = None) -> Report:
    return check(t.lines(table.facts, table), known)


def warned(report: Report) -> dict[str, int]:
    return {caution.code: caution.count for caution in report.warnings}


DRAW = wish_of(EXAMPLE.draw)


@pytest.mark.parametrize(
    ("words", "code"), [(("Hm.", "Ah."), "E_FORK"), (("Hm.", None), "E_SIGNATURE")]
)
def test_two_logs_that_share_a_beginning_cannot_share_a_draw(
    words: tuple[str, str | None], code: str
) -> None:
    """One is shown to gm and p1, the other to p2; the house puts together what they give for the same k."""
    shown, other = at_table(), at_table()
    for table, said in zip((shown, other), words, strict=True):
        if said is not None:
            table.do("gm", Narrate(said))
        table.declare("p1", DRAW)
    assert [table.session.k for table in (shown, other)] == [1, 1]
    foreign = other.contribution("p2")
    (drawn, *_) = shown.end([shown.give("gm"), shown.give("p1"), foreign])
    failure = report_of(shown).failure
    assert failure is not None
    assert (failure.level, failure.code, failure.version) == (DRAWS, code, drawn.version)


def test_grinding_the_request_changes_no_seed() -> None:
    """The text before it, its time, its salt and its aim: whatever the asker and the house choose, the values stay."""
    table = at_table()
    head, means = table.head, table._means()
    table.declare("p1", DRAW)
    given = [table.contribution(seat) for seat in ("gm", "p1", "p2")]
    gm, asker = By("gm", Role.GM), By("p1", Role.PLAYER)
    came, requests = set(), set()
    for nth in range(scale(300, 5_000)):
        varied = replace_means(means, nth)
        ground = decide_turn(head, Narrate(f"Luck {nth}."), gm, varied).head
        ground, (declared, *_), kept = decide_turn(
            ground, replace(DRAW, target=1 + nth % head.session.version), asker, varied
        )
        drawn = complete_draw(ground, declared, kept, given, varied).events[0].body
        assert isinstance(drawn, Drawn)
        came.add(drawn.values)
        requests.add(leaf_of(declared))
    assert len(came) == 1
    assert len(requests) == scale(300, 5_000)


def replace_means(means: TurnContext, nth: int) -> TurnContext:
    salt = hashlib.sha256(nth.to_bytes(8, "big")).digest()
    return replace(means, at=means.at + nth, salt=lambda: salt)


def LP(field: bytes) -> bytes:
    return len(field).to_bytes(4, "big") + field


def H(label: str, *fields: bytes) -> bytes:
    return hashlib.sha256(
        b"".join(LP(field) for field in (b"fairlog/v1/" + label.encode(), *fields))
    ).digest()


def u(size: int, number: int) -> bytes:
    return number.to_bytes(size, "big")


def oracle(
    session: str,
    k: int,
    given: Sequence[tuple[str, int, int, bytes]],
    sides: Sequence[int],
    entropy: bytes | None = None,
) -> Values:
    """The values of a draw, from fairness.md alone; with entropy, those of format 2."""
    fields = [
        part
        for seat, chain, at, link in sorted(given)
        for part in (seat.encode(), u(4, chain), u(4, at), link)
    ]
    parts = [bytes.fromhex(session), u(8, k), u(4, len(given)), *fields, b""]
    seeded = H("draw", *parts)
    if entropy is not None:
        labelled = [b"fairlog/v2/draw", *parts, entropy]
        seeded = hashlib.sha256(b"".join(map(LP, labelled))).digest()
    return tuple((n, 1 + _uniform(seeded, lane, n)) for lane, n in enumerate(sides))


def _uniform(seeded: bytes, lane: int, n: int) -> int:
    counter = 0
    while True:
        message = LP(b"fairlog/v1/word") + LP(str(lane).encode()) + u(4, counter)
        block = hmac.new(seeded, message, hashlib.sha256).digest()
        for start in range(0, 32, 4):
            word = int.from_bytes(block[start : start + 4], "big")
            if word < 2**32 - 2**32 % n:
                return word % n
        counter += 1


def down(session: str, seat: str, position: int, link: bytes, to: int) -> bytes:
    for at in range(position, to, -1):
        link = H("chain", bytes.fromhex(session), seat.encode(), u(4, 0), u(4, at), link)
    return link


@pytest.mark.parametrize(
    ("how", "log_format"),
    [
        ("shown in a draw", 1),
        ("shown in the next chain's anchor", 1),
        ("never shown", 1),
        ("shown in a draw", 2),
        ("shown in the next chain's anchor", 2),
        ("shown on coming back", 2),
    ],
)
def test_twenty_voids_are_twenty_warnings_with_what_they_would_have_been(
    how: str, log_format: int
) -> None:
    """p2 does not answer as often as it dislikes what comes; its next link says what each of them was."""
    table = at_table(log_format=log_format)
    entropy = None if log_format == 1 else bytes(range(32))
    for _ in range(20):
        table.ask("p1", replace(DRAW, entropy=(entropy or b"").hex() or UNSET), silent=("p2",))
        table.do("p2", SetPresence("p2", present=True))
    last = table.devices["p2"].chains[0][21]
    if how == "shown in a draw":
        table.do("p1", EXAMPLE.draw)
    elif how == "shown on coming back":
        table.do("p2", LeaveSeat("p2"))
        table.do("p2", TakeSeat("p2", Role.PLAYER))
    else:
        table.roll("p2", show=how != "never shown")
    report = report_of(table)
    assert report.failure is None
    assert warned(report)["W_VOID"] == report.counts.voids == len(report.voids) == 20
    assert all(void.missing == ("p2",) and void.seat == "p1" for void in report.voids)
    for k, void in enumerate(report.voids):
        if how == "never shown":
            assert (void.values, void.told) == (UNSET, UNSET)
            continue
        shown = table.facts[void.version - 1].body
        given = [
            (each.seat, each.chain, each.position, bytes.fromhex(each.link))
            for each in shown.contributions
        ]  # type: ignore[attr-defined]
        whole = [*given, ("p2", 0, k + 1, down(table.id, "p2", 21, last, k + 1))]
        assert void.values is not UNSET
        sides = [n for n, _ in void.values]
        assert sides[: len(EXAMPLE.dice)] == list(EXAMPLE.dice)
        assert void.values == oracle(table.id, k, whole, sides, entropy)
        assert void.told


def test_a_shadow_is_not_known_before_the_link_is_shown() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    assert report_of(table).voids[0].values is UNSET
    table.do("p1", EXAMPLE.draw)
    assert report_of(table).voids[0].values is UNSET  # p2 is absent, and has shown nothing


def test_dice_declared_behind_a_void_are_told_apart() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    (voided,) = report_of(table).voids
    assert (voided.again, voided.declared) == (UNSET, False)
    declared, *_ = table.do("p1", EXAMPLE.draw, FACES)
    report = report_of(table)
    (voided,) = report.voids
    assert (voided.again, voided.declared) == (declared.version, True)
    assert warned(report)["W_DECLARED_DICE"] == 1


def test_a_draw_behind_a_void_is_told_apart_from_declared_dice() -> None:
    table = at_table()
    table.ask("p1", DRAW, silent=("p2",))
    again, *_ = table.do("p1", EXAMPLE.draw)
    (voided,) = report_of(table).voids
    assert (voided.again, voided.declared) == (again.version, False)


def test_dice_declared_behind_an_undone_draw_are_told_apart() -> None:
    table = at_table()
    before = table.session.version
    table.do("p1", EXAMPLE.draw)
    table.do("gm", Rewind(before, "the wrong door"))
    table.do("p1", EXAMPLE.draw, FACES)
    report = report_of(table)
    assert [reroll.declared for reroll in report.rerolls] == [True]
    assert warned(report)["W_REROLL_AFTER_REWIND"] == warned(report)["W_DECLARED_DICE"] == 1


def test_with_every_key_at_the_table_the_past_can_be_written_anew_and_the_report_says_what_it_had() -> (
    None
):
    """What stays trust: everyone together. A kept checkpoint alone tells."""
    bent = together(changed(4, name="Gus"))
    unpinned = check(bent)
    assert unpinned.failure is None
    assert {"W_UNPINNED", "W_UNWITNESSED"} <= warned(unpinned).keys()
    with_key = check(bent, Evidence(key=t.vkey()))
    assert with_key.failure is None
    assert "W_UNPINNED" not in warned(with_key)
    assert "W_UNWITNESSED" in warned(with_key)
    assert check(bent, pinned(12)()).failure is not None


def test_a_turn_cut_off_behind_the_last_kept_checkpoint_leaves_no_trace() -> None:
    end = t.ended_at(7) - 2
    assert check(hosted(facts()[:end]), pinned(end - 3)()).failure is None


def test_a_log_may_end_on_a_waiting_draw_and_says_so() -> None:
    for end in (TALKED, NOISE):
        report = check(hosted(facts()[:end]))
        assert report.failure is None
        assert [
            caution.versions for caution in report.warnings if caution.code == "W_OPEN_END"
        ] == [(TALKED,)]


def test_who_holds_a_receipt_is_answered_by_the_log_that_was_played() -> None:
    assert check(t.lines(), receipts()).failure is None


def test_a_void_that_came_true_keeps_no_seat_away_for_good() -> None:
    report = check(t.lines())
    assert report.failure is None
    assert [void.k for void in report.voids] == [1, 4]
    assert warned(report)["W_VOID"] == 2
    assert warned(report)["W_CUSTODIAL"] == warned(report)["W_ROLLOVER"] == 1


def newer() -> TableSession:
    """A session of format 2: voids, next chains, comings and goings, and entropy."""
    return play_table(RULESETS[0], 7, 40, log_format=2)


def other_names(source: random.Random, fact: RecordedEvent) -> RecordedEvent:
    """The event about another seat, or in its name."""
    seat = source.choice(["gm", "p1", "p2", "p3", "p9", HOUSE])
    if hasattr(fact.body, "seat") and source.random() < 0.5:
        return with_body(fact, replace(fact.body, seat=seat))
    return replace(fact, seat=seat)


def bent_at_random(source: random.Random, given: Sequence[RecordedEvent]) -> list[RecordedEvent]:
    """Some events left out, doubled, moved, given to other seats or to other turns."""
    bent = list(given)
    for _ in range(source.randint(1, 3)):
        at, to = source.randrange(1, len(bent)), source.randrange(1, len(bent))
        match source.randrange(5):
            case 0:
                del bent[at]
            case 1:
                bent.insert(to, bent[at])
            case 2:
                bent.insert(to, bent.pop(at))
            case 3:
                bent[at] = other_names(source, bent[at])
            case 4:
                bent[at] = replace(bent[at], turn=bent[to].turn)
    return bent


def test_nothing_that_a_host_makes_of_an_evening_makes_the_check_stumble() -> None:
    """With the keys of all seats, or of none; turns as they were or numbered anew; in both formats."""
    source, codes = random.Random(5), set()
    evenings = t.evening(), newer()
    for nth in range(scale(200, 2_000)):
        evening = evenings[nth % 2]
        bent = bent_at_random(source, evening.facts)
        made = t.host(bent, EVERYONE if nth % 4 < 2 else (HOUSE,), evening)
        failure = check(t.lines(made, evening)).failure
        codes.add(failure.code if failure else "valid")
    assert codes >= {"E_ORDER", "E_CONTRIBUTORS", "E_SIGNATURE", "E_FORK", "E_OUTCOME", "E_ROLE"}
