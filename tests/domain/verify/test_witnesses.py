"""A log whose checkpoints are cosigned: what the check says of the witnesses that its reader names."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from domain.log_file import emit
from domain.proof.signed_note import Vkey, vkey_text
from domain.verify import Evidence
from domain.verify.messages import describe_counts, describe_warning
from domain.verify.report import Report, WitnessStatus
from tests.domain import broken_logs as b

HALF = b.SIZE // 2


def check(
    notes: Sequence[str], *witnesses: Vkey, kept: tuple[str, ...] = (), quorum: int = 0
) -> Report:
    lines = emit(replace(b.bundle(), checkpoints=(*notes, b.note_of(b.facts()))))
    return b.check(lines, Evidence(checkpoints=kept, witnesses=witnesses, quorum=quorum))


def unwitnessed(report: Report) -> list[str]:
    return [
        describe_warning(report, caution)
        for caution in report.warnings
        if caution.code == "W_UNWITNESSED"
    ]


def test_a_cosigned_checkpoint_is_told_instead_of_the_warning() -> None:
    report = check([b.cosigned(HALF)], b.witness())
    assert report.valid
    assert report.witnesses == (WitnessStatus(vkey_text(b.witness()), HALF, b.SECONDS),)
    assert unwitnessed(report) == []
    assert f"cosigned by {b.witness().name} at size {HALF} on 2026-01-01 at 00:01:40 UTC" in list(
        describe_counts(report, 9)
    )


def test_the_largest_size_counts_and_its_latest_time() -> None:
    late = b.cosigned(HALF, seconds=b.SECONDS + 9)
    twice = late + b.cosigned(HALF).splitlines(keepends=True)[-1]
    report = check([b.cosigned(9, seconds=b.SECONDS + 99), twice], b.witness())
    assert [(each.size, each.at) for each in report.witnesses] == [(HALF, b.SECONDS + 9)]


def test_a_checkpoint_that_was_kept_may_be_the_cosigned_one() -> None:
    report = check([], b.witness(), kept=(b.cosigned(7),))
    assert [each.size for each in report.witnesses] == [7]
    assert unwitnessed(report) == []


@pytest.mark.parametrize("notes", [[], [b.cosigned(HALF, "p2")]], ids=["none", "another's"])
def test_a_witness_without_a_cosignature_is_named(notes: list[str]) -> None:
    report = check(notes, b.witness())
    assert report.valid
    assert report.witnesses == (WitnessStatus(vkey_text(b.witness())),)
    assert unwitnessed(report) == [
        f"no checkpoint for this log is cosigned by {b.witness().name} (named with --witness)"
    ]
    assert not any(line.startswith("cosigned by") for line in describe_counts(report, 9))


def test_all_that_are_named_must_have_cosigned() -> None:
    report = check([b.cosigned(HALF)], b.witness(), b.witness("p2"))
    assert [each.size for each in report.witnesses] == [HALF, 0]
    assert unwitnessed(report) == [
        f"no checkpoint for this log is cosigned by {b.witness('p2').name} (named with --witness)"
    ]


@pytest.mark.parametrize(("quorum", "size"), [(0, 7), (1, HALF), (2, 7)])
def test_how_far_enough_witnesses_cosigned(quorum: int, size: int) -> None:
    notes = [b.cosigned(7, "p2"), b.cosigned(HALF)]
    report = check(notes, b.witness(), b.witness("p2"), quorum=quorum)
    assert report.witnessed == size
    later = "; later events may be missing or differ for others"
    assert f"witnessed up to event {size} of {b.SIZE}{later}" in list(describe_counts(report, 9))


def test_nobody_named_is_the_warning_whoever_cosigned() -> None:
    report = check([b.cosigned(HALF)])
    assert report.valid
    assert report.witnesses == ()
    assert len(unwitnessed(report)) == 1


def test_a_bad_cosignature_of_a_key_that_is_not_named_says_nothing() -> None:
    assert check([b.cosigned(HALF, signed_for=5)], b.witness("p2")).valid


def test_a_time_beyond_all_calendars_is_still_told() -> None:
    report = check([b.cosigned(HALF, seconds=(1 << 63) - 1)], b.witness())
    assert (
        f"cosigned by {b.witness().name} at size {HALF} at {(1 << 63) - 1} seconds since 1970-01-01 UTC"
        in list(describe_counts(report, 9))
    )
