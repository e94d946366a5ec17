"""Errors that the store raises: unknown sessions, and conflicts between writers."""

from __future__ import annotations


class UnknownSessionError(Exception):
    """The session does not exist, or does not have the requested version."""


class VersionConflictError(Exception):
    """Another writer appended first. `version` is the session's current version."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionBusyError(VersionConflictError):
    """Every attempt to append failed because other writers were faster.

    The client may send the command again.
    """
