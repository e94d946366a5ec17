"""What can be asked of the queue. A job's name holds its kind and all its ids, so that the name alone asks again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from domain.rulesets import ROOMS


class Kind(StrEnum):
    STATISTICS = "statistics"
    RANGE = "range"
    MERGE = "merge"
    AUDIT = "audit"


FUNCTIONS: Mapping[Kind, str] = {
    Kind.STATISTICS: "workers.jobs.statistics",
    Kind.RANGE: "workers.jobs.statistics_of_range",
    Kind.MERGE: "workers.jobs.merge",
    Kind.AUDIT: "workers.jobs.audit",
}
"""By name: nothing is imported upwards."""
TODO: Mapping[Kind, str] = {
    Kind.STATISTICS: "the worker's log says why; then `fairlog jobs --retry all`",
    Kind.RANGE: "the worker's log says why; then `fairlog jobs --retry all`, or ask for the range again",
    Kind.MERGE: "the worker's log says why; then `fairlog jobs --retry all`",
    Kind.AUDIT: "the worker's log says why: too long for FAIRLOG_AUDIT_TIMEOUT? Then `fairlog jobs --retry all`",
}
"""What to do where a job of the kind has failed for good."""

_SESSION = r"(?P<session>[0-9a-f]{32})"
_NUMBER = r"[1-9][0-9]{0,14}"
_NAMES: Mapping[Kind, re.Pattern[str]] = {
    Kind.STATISTICS: re.compile(rf"statistics-{_SESSION}-[0-9]{{1,15}}"),
    Kind.RANGE: re.compile(
        rf"range-{_SESSION}-{_NUMBER}-(?P<first>{_NUMBER})-(?P<last>{_NUMBER})?"
    ),
    Kind.MERGE: re.compile(r"merge-[0-9]{1,15}-(?P<game>[a-z0-9-]{1,80})"),
    Kind.AUDIT: re.compile(rf"audit-{_SESSION}-(?P<version>{_NUMBER})"),
}
_GAMES = {f"{ruleset}-{edition}": (ruleset, edition) for ruleset, edition in ROOMS}


class Job(NamedTuple):
    """`about` is what its function takes: a session and perhaps versions, or a ruleset and an edition."""

    kind: Kind
    name: str
    about: tuple[str | int | None, ...]

    @property
    def session(self) -> str | None:
        return None if self.kind is Kind.MERGE else str(self.about[0])


def statistics(session: str, bucket: int) -> Job:
    """All figures of a session at its head; one job for the nudges of a bucket of time."""
    return Job(Kind.STATISTICS, f"statistics-{session}-{bucket}", (session,))


def statistics_of_range(session: str, head: int, first: int, last: int | None) -> Job:
    """The figures of versions `first` to `last` (None: to the head), asked for at a version of the session."""
    return Job(Kind.RANGE, f"range-{session}-{head}-{first}-{last or ''}", (session, first, last))


def merge(ruleset: str, edition: str, bucket: int) -> Job:
    """The figures of all listed sessions of a game; one job for a bucket of time."""
    return Job(Kind.MERGE, f"merge-{bucket}-{ruleset}-{edition}", (ruleset, edition))


def audit(session: str, head: int) -> Job:
    """The check of a session's log, asked for at a version of it."""
    return Job(Kind.AUDIT, f"audit-{session}-{head}", (session,))


def named(name: str) -> Job | None:
    """The job of that name, whether it was ever asked for or not; None where no job is named so."""
    for kind, pattern in _NAMES.items():
        found = pattern.fullmatch(name)
        if found and (about := _about(kind, found)):
            return Job(kind, name, about)
    return None


def _about(kind: Kind, found: re.Match[str]) -> tuple[str | int | None, ...] | None:
    match kind:
        case Kind.MERGE:
            return _GAMES.get(found["game"])
        case Kind.RANGE:
            return (
                found["session"],
                int(found["first"]),
                int(found["last"]) if found["last"] else None,
            )
    return (found["session"],)
