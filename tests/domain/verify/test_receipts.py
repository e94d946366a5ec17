"""Receipts that a seat kept, against a log that honours them and logs that do not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.codec import encode
from domain.session.messages import Contribution, DrawVoided
from domain.verify import Evidence, verify
from domain.verify.receipts import Complaint, ReceiptFile, read_receipts
from domain.verify.report import ComplaintReport, Report
from service.platform.ed25519 import verify as ed25519
from service.platform.keys import Signer
from tests.domain.receipts import ASKED, Kept, before_a_draw, drawn, given_up
from tests.support.sessions import wish_of


def test_what_the_log_holds_is_honoured() -> None:
    assert len(drawn().receipts) >= 3
    assert drawn().checked(*drawn().receipts).failure is None
    assert given_up().checked(*given_up().receipts).failure is None


def test_a_draw_that_still_waits_holds_against_its_receipts() -> None:
    kept = before_a_draw()
    kept.declare("p1", wish_of(ASKED))
    kept.give("p2")
    assert kept.checked(*kept.receipts).failure is None


def stranger() -> Report:
    receipt = replace(drawn().receipts[0], receipt=Signer(bytes(32)).sign(b"").hex())
    return drawn().checked(receipt)


def changed() -> Report:
    receipt = drawn().receipts[0]
    return drawn().checked(replace(receipt, contribution=replace(receipt.contribution, position=9)))


def of_another_session() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], session="00" * 16))


def voided_against_it() -> Report:
    kept = before_a_draw()
    kept.declare("p1", wish_of(ASKED))
    given = [kept.give(seat) for seat in ("gm", "p1", "p2")]
    kept.end(given[:2])
    assert any(isinstance(fact.body, DrawVoided) for fact in kept.facts)
    return kept.checked(*kept.receipts)


def another_link() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], link="00" * 32))


def another_root() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], seen_root="00" * 32))


def another_request() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], request="00" * 32))


def of_no_draw() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], draw=99))


def cut_off() -> Report:
    version = drawn().receipts[0].contribution.seen_size
    return drawn().checked(*drawn().receipts, facts=drawn().facts[: version - 1])


def of_nobody() -> Report:
    return drawn().checked(drawn().again(drawn().receipts[0], seat="p3"))


BROKEN: list[tuple[Callable[[], Report], str]] = [
    (stranger, "E_SIGNATURE"),
    (changed, "E_SIGNATURE"),
    (of_another_session, "E_SESSION"),
    (voided_against_it, "E_ORDER"),
    (another_link, "E_ORDER"),
    (of_nobody, "E_ORDER"),
    (another_root, "E_FORK"),
    (another_request, "E_FORK"),
    (of_no_draw, "E_FORK"),
    (cut_off, "E_TRUNCATED"),
]


@pytest.mark.parametrize(("broken", "code"), BROKEN, ids=[broken.__name__ for broken, _ in BROKEN])
def test_a_log_that_does_not_honour_a_receipt(broken: Callable[[], Report], code: str) -> None:
    failure = broken().failure
    assert failure is not None
    assert (failure.code, failure.level) == (code, "draws")


def complaint(kept: Kept, given: Contribution) -> Complaint:
    """What p2 keeps of what it has given, if no receipt came."""
    contribution = kept.receipt(given).contribution
    return Complaint(contribution, given.signature)


def disputed(**bent: object) -> tuple[Kept, Complaint]:
    """A void that names p2, and what p2 signed for it: its link, or something else."""
    kept = before_a_draw()
    kept.declare("p1", wish_of(ASKED))
    given = [kept.give(seat) for seat in ("gm", "p1", "p2")]
    kept_by_p2 = complaint(kept, kept.sign_contribution(replace(given[2], **bent)))
    kept.end(given[:2])
    return kept, kept_by_p2


def report_of(kept: Kept, *complaints: Complaint) -> Report:
    return verify(kept.lines(kept.facts), ed25519, Evidence(complaints=complaints))


def test_a_void_that_the_missing_seat_disputes() -> None:
    kept, complaint = disputed()
    report = report_of(kept, complaint)
    [void] = [fact.version for fact in kept.facts if isinstance(fact.body, DrawVoided)]
    assert report.failure is None
    assert report.complaints == (ComplaintReport(void, complaint.contribution.draw, "p2"),)
    assert [each.versions for each in report.warnings if each.code == "W_COMPLAINT"] == [(void,)]


@pytest.mark.parametrize(
    "bent",
    [
        {"session": "00" * 16},
        {"draw": 7},
        {"request": "00" * 32},
        {"seat": "p1"},
        {"position": 9},
        {"link": "00" * 32},
    ],
    ids=lambda bent: next(iter(bent)),
)
def test_a_complaint_that_its_seat_did_not_sign_for_this_draw_says_nothing(
    bent: dict[str, object],
) -> None:
    kept, complaint = disputed()
    changed = replace(complaint, contribution=replace(complaint.contribution, **bent))
    report = report_of(kept, changed)
    assert (report.failure, report.complaints) == (None, ())


@pytest.mark.parametrize("is_shown", [False, True])
def test_a_complaint_with_another_link_than_the_draw_needed_says_nothing(*, is_shown: bool) -> None:
    kept, complaint = disputed(link="00" * 32)
    assert len(report_of(*disputed()).complaints) == 1
    if is_shown:
        kept.roll("p2")
    assert report_of(kept, complaint).complaints == ()


def test_a_draw_that_was_made_is_not_disputed() -> None:
    kept = before_a_draw()
    kept.declare("p1", wish_of(ASKED))
    given = [kept.give(seat) for seat in ("gm", "p1", "p2")]
    kept_by_p2 = complaint(kept, given[2])
    kept.end(given)
    assert report_of(kept, kept_by_p2).complaints == ()


def test_receipts_are_read_in_every_shape_that_a_client_keeps() -> None:
    receipts = tuple(drawn().receipts)
    each = [encode(receipt) for receipt in receipts]
    for raw in (
        b"[" + b",".join(each) + b"]",
        b"\n".join(each) + b"\n",
        b'{"receipts":[' + b",".join(each) + b"]}",
    ):
        assert read_receipts(raw) == ReceiptFile(receipts)


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b"receipts", b'{"receipts":1}', b'[{"receipt":"00"}]', b"\xff"]
)
def test_nothing_else_is_a_receipt(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_receipts(raw)
