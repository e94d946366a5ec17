"""Definitions of the background jobs.

A job's name contains its kind and all its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class JobKind(StrEnum):
    STATISTICS = "statistics"
    RANGE = "range"
    AUDIT = "audit"
    WEBHOOK = "webhook"
    CAMPAIGN = "campaign"


FUNCTIONS: Mapping[JobKind, str] = {
    JobKind.STATISTICS: "workers.jobs.statistics",
    JobKind.RANGE: "workers.jobs.statistics_of_range",
    JobKind.AUDIT: "workers.jobs.audit",
    JobKind.WEBHOOK: "workers.jobs.webhook",
    JobKind.CAMPAIGN: "workers.jobs.campaign",
}
"""The dotted name of the function for each kind of job. `service` must not import `workers`."""
READ_LOG = "find the cause in the worker's log, then run `fairlog jobs --retry all`"
REMEDIES: Mapping[JobKind, str] = {
    JobKind.STATISTICS: READ_LOG,
    JobKind.RANGE: f"{READ_LOG}, or request the statistics again",
    JobKind.AUDIT: f"{READ_LOG}. A long session may need a larger FAIRLOG_AUDIT_TIMEOUT",
    JobKind.WEBHOOK: READ_LOG,
    JobKind.CAMPAIGN: READ_LOG,
}
"""What the operator should do if every attempt at a job of this kind has failed."""

_SESSION = r"(?P<session>[0-9a-f]{32})"
_NUMBER = r"[1-9][0-9]{0,14}"
_NAMES: Mapping[JobKind, re.Pattern[str]] = {
    JobKind.STATISTICS: re.compile(rf"statistics-{_SESSION}"),
    JobKind.RANGE: re.compile(
        rf"range-{_SESSION}-{_NUMBER}-(?P<first>{_NUMBER})-(?P<last>{_NUMBER})?"
    ),
    JobKind.AUDIT: re.compile(rf"audit-{_SESSION}-(?P<version>{_NUMBER})"),
    JobKind.WEBHOOK: re.compile(rf"webhook-{_SESSION}-(?P<webhook>[0-9a-f]{{16}})-{_NUMBER}"),
    JobKind.CAMPAIGN: re.compile(rf"campaign-{_SESSION}"),
}


class Job(NamedTuple):
    """A background job. `about` contains the arguments for the function that it runs.

    `session` is the id of the session, or of the campaign, that the job is for.
    """

    kind: JobKind
    name: str
    about: tuple[str | int | None, ...]

    @property
    def session(self) -> str:
        return str(self.about[0])


def statistics(session: str) -> Job:
    return Job(JobKind.STATISTICS, f"statistics-{session}", (session,))


def statistics_of_range(session: str, head: int, first: int, last: int | None) -> Job:
    """Return the job that computes statistics for versions `first` to `last`.

    `head` is the current version of the session. If `last` is None, the range ends at `head`.
    """
    return Job(
        JobKind.RANGE, f"range-{session}-{head}-{first}-{last or ''}", (session, first, last)
    )


def audit(session: str, head: int) -> Job:
    """Return the job that checks a session's log.

    `head` is the session's current version.
    """
    return Job(JobKind.AUDIT, f"audit-{session}-{head}", (session,))


def webhook(session: str, webhook: str, version: int) -> Job:
    """Return the job that sends a webhook's events to its receiver, from `version` on."""
    return Job(JobKind.WEBHOOK, f"webhook-{session}-{webhook}-{version}", (session, webhook))


def campaign(campaign: str) -> Job:
    """Return the job that computes the statistics of a campaign."""
    return Job(JobKind.CAMPAIGN, f"campaign-{campaign}", (campaign,))


def parse_job_name(name: str) -> Job | None:
    """Return the job that `name` describes, or None if `name` is not a valid job name.

    The job need not be in the queue.
    """
    for kind, pattern in _NAMES.items():
        found = pattern.fullmatch(name)
        if found:
            return Job(kind, name, _parse_arguments(kind, found))
    return None


def _parse_arguments(kind: JobKind, found: re.Match[str]) -> tuple[str | int | None, ...]:
    if kind is JobKind.WEBHOOK:
        return found["session"], found["webhook"]
    if kind is not JobKind.RANGE:
        return (found["session"],)
    last = int(found["last"]) if found["last"] else None
    return found["session"], int(found["first"]), last
