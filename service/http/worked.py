"""What the answers about background work hold: jobs, audits, the state of it all."""

from __future__ import annotations

from msgspec import UNSET, Raw, UnsetType

from service.backlog import Progress, Stage, Working
from service.http.shown import Shown
from service.jobs import Kind
from service.status import Failures


class JobShown(Shown, frozen=True):
    """A background job. `waiting`: the next sweep enqueues it; `queued`: it waits for a worker.

    `result` is the address of its result; `todo`, if it failed, what the operator can do.
    """

    job: str
    kind: Kind
    status: Stage
    result: str
    progress: Progress | UnsetType = UNSET
    todo: str | UnsetType = UNSET


class AuditShown(Shown, frozen=True):
    """What `fairlog verify --json` says of the log as of `version`, taken home by you; `current`: that is the head."""

    version: int
    current: bool
    valid: bool
    whole: bool
    report: Raw


class Audits(Shown, frozen=True):
    """The newest first."""

    session: str
    head: int
    audits: list[AuditShown]


class SweepShown(Shown, frozen=True):
    """What the last sweep found behind: sessions, and closed sessions without a report."""

    at: str
    statistics: int
    audits: int


class StatusShown(Shown, frozen=True):
    """`waiting`: jobs that wait for a worker; `views`: the lag of each view in events.

    `failed` names listed sessions only; `todo`: what the operator can do.
    """

    queue: str
    waiting: int
    running: int
    failed: tuple[Failures, ...]
    workers: tuple[Working, ...]
    views: dict[str, int]
    todo: tuple[str, ...]
    sweep: SweepShown | UnsetType = UNSET
