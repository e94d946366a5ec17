"""Golden logs: an evening of every room, to the byte. `make golden` writes them anew; the diff is the review."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from domain.codec import encode
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.rulesets import EARLIER_EDITIONS, RULESETS
from domain.session.descriptions import tally
from domain.session.messages import LogFormat
from domain.session.state import Session
from domain.transcript import fold_events, read_events
from domain.verify import verify
from domain.verify.report import Level
from service.platform.ed25519 import verify as ed25519
from tests.golden.free_rolls import FreeRollsPlay
from tests.golden.named_dice import NamedDicePlay
from tests.golden.play import Play
from tests.golden.table import TablePlay

HERE = Path(__file__).parent
every_ruleset = pytest.mark.parametrize(
    "ruleset", RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)


@lru_cache
def played(ruleset: AnyRuleset) -> Play:
    return Play(ruleset)


def written(play: Play) -> dict[str, str]:
    """The three files of an evening: the log as it is exported, what is told, what it counts for."""
    at = partial(play.evening.log.at, play.evening.id)
    return {
        "fairlog": b"".join(play.exported()).decode(),
        "told.txt": "\n".join(play.told()) + "\n",
        "tally.txt": counted(play.ruleset, play.evening.facts, at),
    }


def counted(
    ruleset: AnyRuleset, events: Iterable[RecordedEvent], at: Callable[[int], Session]
) -> str:
    """A line for each event that counts for something: its version, and what it counts for."""
    counts = ((each.version, tally(ruleset, each, at)) for each in events)
    return "".join(
        f"{version} {msgspec.json.encode(count).decode()}\n" for version, count in counts if count
    )


@every_ruleset
def test_the_evening_is_the_same_to_the_byte(
    ruleset: AnyRuleset, request: pytest.FixtureRequest
) -> None:
    for ending, text in written(played(ruleset)).items():
        path = HERE / f"{ruleset.name}-{ruleset.edition}.{ending}"
        if request.config.getoption("--golden"):
            path.write_text(text)
        assert path.read_text() == text


every_format = pytest.mark.parametrize("log_format", [1, 2])


@every_format
@pytest.mark.parametrize(
    "ruleset", RULESETS[:1], ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_the_table_that_draws_is_the_same_to_the_byte(
    ruleset: AnyRuleset, log_format: LogFormat, request: pytest.FixtureRequest
) -> None:
    """Of the first room, whose name stands in the file: another one that comes first has none."""
    log = HERE / f"table-{log_format}.fairlog"
    for ending, text in written(TablePlay(ruleset, log_format=log_format)).items():
        path = log.with_suffix(f".{ending}")
        if request.config.getoption("--golden"):
            path.write_text(text)
        first, _, _ = log.read_text().partition("\n")
        assert f'"ruleset":"{ruleset.name}"' not in first or path.read_text() == text


@every_format
@pytest.mark.parametrize(
    "ruleset", RULESETS[:1], ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_the_table_that_draws_holds_all_that_there_is(
    ruleset: AnyRuleset, log_format: LogFormat
) -> None:
    play = TablePlay(ruleset, log_format=log_format)
    report = verify(play.exported(), ed25519)
    assert report.failure is None
    assert report.counts.turns == play.evening.session.turn
    assert {graded.grade for graded in report.grades} == {"A", "B", "C", "D"}
    assert [void.values is UNSET for void in report.voids] == [False] * (3 + log_format)
    assert [(void.again is UNSET, void.declared) for void in report.voids].count((False, True)) >= 1
    warned = {caution.code for caution in report.warnings}
    assert warned == {
        "W_VOID",
        "W_HOUSE_ONLY",
        "W_ROLLOVER",
        "W_REROLL_AFTER_REWIND",
        "W_DECLARED_DICE",
        "W_UNOPENED",
        "W_CUSTODIAL",
        "W_UNPINNED",
        "W_UNWITNESSED",
        "W_FORMAT_1" if log_format == 1 else "W_ENTROPY",
    }


def test_the_table_of_format_2_has_every_field_of_it() -> None:
    log = (HERE / "table-2.fairlog").read_text()
    for field in ("format", "entropy", "previous_link", "seen_size", "next_blind"):
        assert f'"{field}":' in log


@pytest.mark.parametrize(
    "ruleset", RULESETS[:1], ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
@pytest.mark.parametrize(
    ("name", "kind"), [("named-dice-2", NamedDicePlay), ("free-rolls-2", FreeRollsPlay)]
)
def test_a_session_of_a_feature_is_the_same_to_the_byte(
    ruleset: AnyRuleset, name: str, kind: type[Play], request: pytest.FixtureRequest
) -> None:
    log, play = HERE / f"{name}.fairlog", kind(ruleset)
    told = "\n".join(play.told()) + "\n"
    for ending, text in (("fairlog", b"".join(play.exported()).decode()), ("told.txt", told)):
        path = log.with_suffix(f".{ending}")
        if request.config.getoption("--golden"):
            path.write_text(text)
        first, _, _ = log.read_text().partition("\n")
        assert f'"ruleset":"{ruleset.name}"' not in first or path.read_text() == text


@every_ruleset
def test_the_evening_verifies_on_every_rung(ruleset: AnyRuleset) -> None:
    report = verify(played(ruleset).exported(), ed25519)
    assert report.failure is None
    assert report.counts.turns == played(ruleset).evening.session.turn
    assert report.counts.rewinds >= 2


@every_ruleset
def test_a_fork_of_any_version_would_show_the_same_table(ruleset: AnyRuleset) -> None:
    evening = played(ruleset).evening
    for version in range(1, evening.session.version, 5):
        table = evening.log.at(evening.id, version).table
        inherited = msgspec.json.decode(encode(table), type=ruleset.state)
        assert msgspec.json.encode(sheets(ruleset, inherited)) == msgspec.json.encode(
            sheets(ruleset, table)
        ), version


def sheets(ruleset: AnyRuleset, table: object) -> dict[str, object]:
    """What is shown of a table, by id: maps go into a log sorted."""
    shown: dict[str, object] = msgspec.to_builtins(ruleset.show(table), order="sorted")
    return shown


@every_ruleset
def test_the_evening_is_long_and_is_refused_by_many_rules(ruleset: AnyRuleset) -> None:
    play = played(ruleset)
    commands = {command.__struct_config__.tag for command in ruleset.commands}
    accepted = [step for step in play.script["steps"] if "do" in step and "refused" not in step]
    assert {step["do"]["kind"] for step in accepted} == commands
    assert any("faces" in step for step in accepted)
    assert play.evening.session.turn >= 120
    assert len(set(play.refused)) >= 5
    assert sum("rewind" in step for step in play.script["steps"]) >= 2


@pytest.mark.parametrize("file", sorted(HERE.glob("*.fairlog")), ids=lambda file: file.stem)
def test_every_golden_log_holds(file: Path) -> None:
    """Logs of earlier editions and formats, which are not written anew, hold too."""
    report = verify(file.read_bytes().splitlines(keepends=True), ed25519)
    assert (report.failure, report.reached) == (None, Level.VIEWS)


@pytest.mark.parametrize(
    "ruleset", EARLIER_EDITIONS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
def test_a_log_of_an_earlier_edition_counts_for_what_it_always_did(ruleset: AnyRuleset) -> None:
    """Its file was written when the edition was the newest one. `make golden` leaves it alone."""
    log = HERE / f"{ruleset.name}-{ruleset.edition}.fairlog"
    lines = read_events(log.read_bytes().splitlines(keepends=True))
    sessions = fold_events(lines)
    events = [line for line in lines if isinstance(line, RecordedEvent)]
    assert sessions[-1].ruleset is ruleset
    assert len(events) == len(lines)
    found = counted(ruleset, events, sessions.__getitem__)
    assert found == log.with_suffix(".tally.txt").read_text()
