"""Errors of the store: an unknown session, and writers that were first."""

from __future__ import annotations


class UnknownSessionError(Exception):
    """There is no such session, or no such version of it."""


class VersionConflictError(Exception):
    """Another writer was first; `version` is the current one."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionBusyError(VersionConflictError):
    """A command without an expected version lost every race; the client may send it again."""
