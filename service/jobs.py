"""What can be asked of the queue. A job's name holds its kind and all its ids, so that the name alone asks again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    STATISTICS = "statistics"
    RANGE = "range"
    AUDIT = "audit"


FUNCTIONS: Mapping[Kind, str] = {
    Kind.STATISTICS: "workers.jobs.statistics",
    Kind.RANGE: "workers.jobs.statistics_of_range",
    Kind.AUDIT: "workers.jobs.audit",
}
"""By name: nothing is imported upwards."""
TODO: Mapping[Kind, str] = {
    Kind.STATISTICS: "the worker's log says why; then `fairlog jobs --retry all`",
    Kind.RANGE: "the worker's log says why; then `fairlog jobs --retry all`, or ask for the range again",
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
    Kind.AUDIT: re.compile(rf"audit-{_SESSION}-(?P<version>{_NUMBER})"),
}


class Job(NamedTuple):
    """A job; `about` holds the arguments of its function: a session and perhaps versions."""

    kind: Kind
    name: str
    about: tuple[str | int | None, ...]

    @property
    def session(self) -> str:
        return str(self.about[0])


def statistics(session: str, bucket: int) -> Job:
    """All figures of a session at its head; one job for the nudges of a bucket of time."""
    return Job(Kind.STATISTICS, f"statistics-{session}-{bucket}", (session,))


def statistics_of_range(session: str, head: int, first: int, last: int | None) -> Job:
    """The figures of versions `first` to `last` (None: to the head), asked for at a version of the session."""
    return Job(Kind.RANGE, f"range-{session}-{head}-{first}-{last or ''}", (session, first, last))


def audit(session: str, head: int) -> Job:
    """The check of a session's log, asked for at a version of it."""
    return Job(Kind.AUDIT, f"audit-{session}-{head}", (session,))


def named(name: str) -> Job | None:
    """The job of that name, whether it was ever asked for or not; None where no job is named so."""
    for kind, pattern in _NAMES.items():
        found = pattern.fullmatch(name)
        if found:
            return Job(kind, name, _about(kind, found))
    return None


def _about(kind: Kind, found: re.Match[str]) -> tuple[str | int | None, ...]:
    if kind is not Kind.RANGE:
        return (found["session"],)
    last = int(found["last"]) if found["last"] else None
    return found["session"], int(found["first"]), last
