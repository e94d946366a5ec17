"""Errors of the store: unknown sessions and lost races."""

from __future__ import annotations


class UnknownSessionError(Exception):
    """The session, or that version of it, does not exist."""


class VersionConflictError(Exception):
    """Another writer appended first; `version` is the current one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionBusyError(VersionConflictError):
    """A command without an expected version lost every race. The client may send it again."""
