"""A log that nobody bent is valid, says what it holds, and no bytes at all make the check stumble."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import encode
from domain.log_file import EventLine, LogFile, emit
from domain.recorded_event import RecordedEvent
from domain.session.descriptions import describe, fill, names, tally
from domain.session.messages import (
    Close,
    Declared,
    Drawn,
    HandOver,
    Narrate,
    Narrated,
    Rewind,
    Rewound,
    SeatNamed,
)
from domain.session.rerolls import Reroll
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.verify import Evidence, messages, verify
from domain.verify.messages import FAILURES, WARNINGS
from domain.verify.report import UNCUT_CHARACTERS, Level, LogCounts, PartialLevel, Report
from domain.verify.views_check import DescribedEvent, ServerViews, TalliedEvent, read_views
from service.platform.ed25519 import verify as ed25519
from tests.domain import broken_logs as b
from tests.domain.broken_table_draws import lines
from tests.domain.format_2_faults import extended
from tests.domain.receipts import before_a_draw, given_up
from tests.domain.verify.test_format_2 import file_of, rolled_over
from tests.domain.verify.test_receipts import disputed, report_of
from tests.domain.verify.test_void_bias import choosy
from tests.support.example import EXAMPLE, FACES, over, seated, to_draw
from tests.support.scale import scale
from tests.support.sessions import ScriptedSession, play, wish_of


def warned(report: Report) -> dict[str, int]:
    return {caution.code: caution.count for caution in report.warnings}


def hidden(whole: LogFile, *versions: int) -> list[bytes]:
    """The file without the openings of these versions."""
    entries = (
        EventLine(e.leaf) if nth in versions else e for nth, e in enumerate(whole.entries, 1)
    )
    return list(emit(replace(whole, entries=tuple(entries))))


def whole_of(facts: list[RecordedEvent], evening: ScriptedSession) -> LogFile:
    """A random evening's file, by the keys of that evening."""
    ours = b.bundle(facts)
    manifest = replace(ours.manifest, session=evening.id, origin=evening.origin)
    return b.resigned(replace(ours, manifest=manifest), evening.log_key)


def test_an_untouched_evening_is_valid_and_says_what_it_holds() -> None:
    report = b.check(b.lines(), Evidence(key=b.vkey()))
    assert report.failure is None
    assert report.reached is Level.VIEWS
    assert report.counts == LogCounts(
        events=b.SIZE, turns=b.TURNS, draws=5, rewinds=1, rerolls=1, overrides=1, declared_dice=1
    )
    assert warned(report) == {
        "W_HOUSE_ONLY": 5,
        "W_CUSTODIAL": 4,
        "W_ROLLOVER": 1,
        "W_REROLL_AFTER_REWIND": 1,
        "W_OVERRIDE": 1,
        "W_DECLARED_DICE": 1,
        "W_UNWITNESSED": 1,
        "W_FORMAT_1": 1,
    }
    drawn = [b.declared_with_draw(nth) for nth in range(5)]
    assert [(graded.grade, graded.version) for graded in report.grades] == [
        *(("C", version + 1) for version in drawn[:3]),
        ("D", b.DICE),
        *(("C", version + 1) for version in drawn[3:]),
    ]
    assert [(reroll.undone, reroll.next, reroll.declared) for reroll in report.rerolls] == [
        (*drawn[3:], False)
    ]
    assert report.whole


def test_without_a_key_the_logs_own_is_taken_and_said() -> None:
    report = b.check(b.lines())
    assert report.valid
    assert warned(report)["W_UNPINNED"] == 1
    assert report.log_key == b.bundle().manifest.log_key


def test_a_checkpoint_that_was_kept_is_a_prefix() -> None:
    kept = tuple(b.note_of(b.facts(), size) for size in (1, 25, 30, b.SIZE))
    assert b.check(b.lines(), Evidence(checkpoints=kept)).valid


def test_every_turn_can_be_the_last() -> None:
    facts = b.facts()
    ends = [one.version for one, next_one in pairwise(facts) if one.turn != next_one.turn]
    reports = [b.check(b.lines(facts[:end])) for end in ends]
    assert [report.failure for report in reports] == [None] * len(ends)


def test_the_server_says_the_same_or_it_is_a_fault() -> None:
    facts, session, at = b.facts(), b.evening().session, partial(b.evening().log.at, b.evening().id)
    told = [describe(session.ruleset, fact, at) for fact in facts]
    tallies = tuple(TalliedEvent(fact.version, tally(session.ruleset, fact, at)) for fact in facts)
    in_braces = ServerViews(
        tuple(DescribedEvent(version, line) for version, line in enumerate(told, 1)), tallies
    )
    named = ServerViews(
        tuple(
            DescribedEvent(version, fill(line, names(session)))
            for version, line in enumerate(told, 1)
        )
    )
    assert b.check(b.lines(), Evidence(views=in_braces)).valid
    assert b.check(b.lines(), Evidence(views=named)).valid
    assert read_views(encode(in_braces)) == in_braces


def test_random_evenings_are_valid() -> None:
    for seed in range(scale(4, 15)):
        evening, facts = played(seed)
        report = verify(emit(whole_of(facts, evening)), ed25519)
        assert report.failure is None
        assert report.counts.events == len(facts)
        assert report.counts.rewinds == sum(isinstance(fact.body, Rewound) for fact in facts)


@cache
def played(seed: int) -> tuple[ScriptedSession, list[RecordedEvent]]:
    """A random evening with the keys that it was played under."""
    return ScriptedSession(seed), play(seed, 80)


def test_turns_behind_a_seal_are_counted_and_not_judged() -> None:
    report = verify(hidden(b.bundle(), b.DRAWN), ed25519)
    assert report.valid
    assert warned(report)["W_UNOPENED"] == 1
    rulesets = {
        fact.turn for fact in b.facts()[b.DRAWN - 1 :] if type(fact.body) not in SESSION_EVENT_TYPES
    }
    unchecked = len(rulesets) + 1  # and what Closed carries over
    assert report.counts.unchecked == unchecked
    assert report.counts.unopened == 1
    assert not report.whole
    assert report.partly == (
        PartialLevel(Level.RULES, b.TURNS - unchecked, b.TURNS, b.DRAWN),
        PartialLevel(Level.VIEWS, b.SIZE - 1, b.SIZE, b.DRAWN),
    )


def test_a_rewind_before_a_seal_opens_the_state_again() -> None:
    sealed = b.declared_with_draw(3) + 2
    report = verify(hidden(b.bundle(), sealed), ed25519)
    assert report.valid
    assert report.counts.unchecked == b.turn(b.REWOUND) - b.turn(sealed) == 1 + len(over())


def test_a_whole_turn_without_a_draw_may_be_sealed() -> None:
    assert verify(hidden(b.bundle(), b.OVERRIDE - 1, b.OVERRIDE), ed25519).counts.unopened == 1


def test_words_without_opening_hide_nothing_else() -> None:
    """Whether a narration was whispered or redacted nothing tells; a newcomer's name can only have been redacted."""
    given = b.facts()
    words = [fact.version for fact in given if isinstance(fact.body, Narrated)]
    names_ = [fact.version for fact in given if isinstance(fact.body, SeatNamed)]
    report = verify(hidden(b.bundle(), *words, *names_), ed25519)
    assert report.failure is None
    assert report.counts.unchecked == 0
    assert warned(report)["W_REDACTED"] == len(names_)
    assert warned(report)["W_UNOPENED"] == len(words)
    assert [(part.level, part.of - part.done) for part in report.partly] == [
        (Level.RULES, len(words)),
        (Level.VIEWS, len(words + names_)),
    ]


@given(st.integers(0, 3), st.data())
def test_any_seal_that_a_secret_turn_may_have_is_allowed(seed: int, data: st.DataObject) -> None:
    evening, facts = played(seed)
    may = [fact.version for fact in facts if _may_be_sealed(fact)]
    sealed = data.draw(st.lists(st.sampled_from(may), max_size=12))
    report = verify(hidden(whole_of(facts, evening), *sealed), ed25519)
    assert report.failure is None
    assert report.counts.unopened == len(set(sealed))


def _may_be_sealed(fact: RecordedEvent) -> bool:
    """A fact of a room. (A wish without a draw may be sealed too, with all that it caused.)"""
    return type(fact.body) not in SESSION_EVENT_TYPES


def test_unknown_rules_leave_three_rungs() -> None:
    report = b.check(_of_unknown_rules())
    assert report.valid
    assert report.reached is Level.DRAWS
    assert warned(report)["W_RULES_MISSING"] == 1
    assert report.counts.turns == b.TURNS
    assert not report.whole


def test_unknown_rules_hide_no_bent_byte() -> None:
    given = _of_unknown_rules()
    given[b.DRAWN] = b.other_number(given[b.DRAWN])
    report = b.check(given)
    assert report.failure is not None
    assert (report.failure.code, report.failure.version) == ("E_BODY", b.DRAWN)


def _of_unknown_rules() -> list[bytes]:
    """The evening as if of an edition that is not here."""
    opened = b.facts()[0].body
    facts = b.host(b.changed(b.facts(), 1, replace(opened, edition="99")))
    whole = b.bundle(facts)
    return list(emit(replace(whole, manifest=replace(whole.manifest, edition="99"))))


@given(st.integers(0, len(b"".join(b.lines())) - 1), st.integers(1, 255))
@example(0, 1)
def test_no_flipped_byte_is_valid(at: int, by: int) -> None:
    flipped = bytearray(b"".join(b.lines()))
    flipped[at] ^= by
    report = b.check(bytes(flipped).splitlines(keepends=True))
    assert report.failure is not None
    assert report.failure.code in FAILURES


def test_progress_is_told_on_every_rung() -> None:
    seen: list[Level] = []
    verify(b.lines(), ed25519, progress=lambda level, done, of: seen.append(level))
    assert list(dict.fromkeys(seen)) == list(Level)


def test_every_warning_has_a_meaning() -> None:
    part = verify(hidden(b.bundle(), b.find(SeatNamed), b.DRAWN), ed25519)
    waiting = before_a_draw()
    waiting.declare("p1", wish_of(EXAMPLE.draw))
    reports = [
        b.check(b.lines()),
        b.check(_of_unknown_rules()),
        part,
        given_up().checked(),
        waiting.checked(),
        verify(extended()(), ed25519),
        verify(file_of(rolled_over()), ed25519),
        report_of(*disputed()),
        verify(lines(choosy().facts, choosy()), ed25519),
    ]
    assert {code for report in reports for code in warned(report)} == set(WARNINGS)


def test_declared_dice_behind_an_undone_draw_are_listed_apart() -> None:
    evening = ScriptedSession(seed=5, length=67)
    b.go(evening, ("p1", EXAMPLE.bring), *seated(EXAMPLE.ready))
    before = evening.session.version
    b.go(evening, ("p1", EXAMPLE.draw), ("gm", Rewind(before, "a slip")))
    evening.do("p1", EXAMPLE.draw, FACES)
    report = verify(emit(whole_of(evening.facts, evening)), ed25519)
    assert [reroll.declared for reroll in report.rerolls] == [True]
    assert said_of(report, "W_REROLL_AFTER_REWIND").endswith(
        "later rolls that repeat them: 1 (0 drawn, 1 with physical dice)"
    )
    assert said_of(report, "W_DECLARED_DICE").endswith("repeats of an undone roll: 1")


def test_undone_rolls_are_counted_by_themselves_and_their_repeats_apart() -> None:
    evening = ScriptedSession(seed=5)
    b.go(evening, ("p1", EXAMPLE.bring))
    before = evening.session.version
    for seat in ("p1", "p1", "gm"):
        b.go(evening, *to_draw(seat), *over(seat))
    b.go(evening, ("gm", Rewind(before, "a slip")), *to_draw())
    report = verify(emit(whole_of(evening.facts, evening)), ed25519)
    undone = [fact.version for fact in evening.facts if fact.version > before and _draws(fact)][:3]
    repeat = evening.session.version - 2
    gave = {
        fact.version - 1: fact.body.values for fact in evening.facts if isinstance(fact.body, Drawn)
    }
    assert report.rerolls == tuple(
        Reroll(each, repeat, undone_values=gave[each], next_values=gave[repeat]) for each in undone
    )
    assert report.counts.rerolls == warned(report)["W_REROLL_AFTER_REWIND"] == 3
    assert said_of(report, "W_REROLL_AFTER_REWIND").startswith("undone rolls that were made again")
    assert said_of(report, "W_REROLL_AFTER_REWIND").endswith(
        ": 3; later rolls that repeat them: 1 (1 drawn, 0 with physical dice)"
    )


def _draws(fact: RecordedEvent) -> bool:
    return isinstance(fact.body, Declared) and fact.body.draw is not UNSET


def said_of(report: Report, code: str) -> str:
    return messages.describe_warning(
        report, next(caution for caution in report.warnings if caution.code == code)
    )


COMPLAINTS = {
    "a leaf": (lambda: leaf_as(9, "not JSON"), "canonical JSON of a leaf", "malformed"),
    "an event": (
        lambda: b.raw_body(b.NARRATED, lambda raw: b'{"all":1,' + raw[1:]), "canonical JSON of an event",
        "unknown field",
    ),
    "a line": (
        lambda: [*b.lines()[:9], b"[]\n"], "canonical JSON of an event or a checkpoint", "Expected `object`",
    ),
    "a manifest": (lambda: [b"[]\n", *b.lines()[1:]], "canonical JSON of a manifest", "Expected `object`"),
    "bounds": (
        lambda: b.lines(b.host(b.changed(b.facts(), b.NARRATED, Narrated("a" * 5000)))), "within their limits", "length",
    ),
    "an event behind the end": (lambda: [*b.lines(), b.lines()[1]], "a checkpoint", '{"leaf"'),
}  # fmt: skip


def leaf_as(version: int, leaf: str) -> list[bytes]:
    entries = [*b.bundle().entries]
    entries[version - 1] = replace(entries[version - 1], leaf=leaf)
    return list(emit(replace(b.bundle(), entries=tuple(entries))))


@pytest.mark.parametrize(
    ("bent", "expected", "found"), list(COMPLAINTS.values()), ids=list(COMPLAINTS)
)
def test_what_a_parser_complains_of_was_found_and_not_expected(
    bent: Callable[[], list[bytes]], expected: str, found: str
) -> None:
    failed = b.check(bent()).failure
    assert failed is not None
    assert failed.code == "E_FORMAT"
    assert expected in failed.expected
    assert found in failed.found[:UNCUT_CHARACTERS]


SPACE = [
    pytest.param(lambda raw: raw.replace(b'"kind"', b' "kind"'), id="in an event"),
    pytest.param(lambda raw: raw[:-1] + b" }", id="at its end"),
    pytest.param(
        lambda raw: raw.replace(b'"text":"', b'"text" :"' + b"long " * 200), id="in a long one"
    ),
]


@pytest.mark.parametrize("edit", SPACE)
def test_both_texts_are_shown_where_they_differ(edit: Callable[[bytes], bytes]) -> None:
    failed = b.check(b.raw_body(b.NARRATED, edit)).failure
    assert failed is not None
    assert failed.code == "E_NONCANONICAL"
    assert failed.expected[:UNCUT_CHARACTERS] != failed.found[:UNCUT_CHARACTERS]


def test_a_long_line_is_cut_around_its_first_difference() -> None:
    given = b.lines()
    line = given[9].rstrip(b"\n")
    assert len(line) > UNCUT_CHARACTERS
    failed = b.check([*given[:9], line[:-1] + b" }\n", *given[10:]]).failure
    assert failed is not None
    assert failed.code == "E_NONCANONICAL"
    assert failed.found.startswith("…")
    assert failed.found.endswith(" }")
    assert not failed.expected.endswith(" }")


def test_a_line_that_only_lacks_its_end_says_so() -> None:
    given = b.lines()
    failed = b.check([*given[:-1], given[-1].rstrip(b"\n")]).failure
    assert failed is not None
    assert failed.code == "E_NONCANONICAL"
    assert failed.found.endswith("without a line ending")


def test_a_wish_of_no_text_in_a_line_that_is_not_canonical_does_not_make_it_raise() -> None:
    bent = b.raw_body(
        b.declared_with_draw(1), lambda raw: raw.replace(b'"command":{', b'"command": {"\xff":1,')
    )
    failed = b.check(bent).failure
    assert failed is not None
    assert failed.code in FAILURES


WORDS = [
    pytest.param(lambda: b.check(b.lines()), "VALID", id="whole"),
    pytest.param(
        lambda: verify(hidden(b.bundle(), b.DRAWN), ed25519),
        "VALID as far as it could be checked",
        id="sealed",
    ),
    pytest.param(
        lambda: b.check(_of_unknown_rules()), "VALID up to level draws", id="unknown rules"
    ),
    pytest.param(lambda: b.check(b.lines()[:4]), "INVALID at version 1", id="invalid"),
]


@pytest.mark.parametrize(("report", "verdict"), WORDS)
def test_the_verdict_says_no_more_than_was_checked(
    report: Callable[[], Report], verdict: str
) -> None:
    assert messages.verdict(report()) == verdict


def test_the_page_of_fairness_lists_every_warning() -> None:
    page = (Path(__file__).parents[3] / "docs" / "fairness.md").read_text()
    assert sorted(re.findall(r"^\| `(W_\w+)` \|", page, re.MULTILINE)) == sorted(WARNINGS)


@pytest.mark.parametrize("code", WARNINGS)
def test_no_advice_asks_for_what_cannot_be_done_yet(code: str) -> None:
    assert "bring" not in WARNINGS[code][1]


def test_the_gms_role_may_be_handed_over_and_words_follow_the_end() -> None:
    evening = ScriptedSession(seed=8)
    evening.do("gm", HandOver("p1"))
    evening.do("p1", Rewind(evening.session.version - 2, "the new GM's first word"))
    evening.do("p1", Close(carry_over=False))
    evening.do("gm", Narrate("Good night."))
    report = verify(emit(whole_of(evening.facts, evening)), ed25519)
    assert report.failure is None
