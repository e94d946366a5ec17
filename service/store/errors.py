"""Errors of the store: unknown sessions, and conflicts between writers."""

from __future__ import annotations


class UnknownSessionError(Exception):
    """The session, or the requested version of it, does not exist."""


class VersionConflictError(Exception):
    """Another writer appended first; `version` is the session's current version."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


class SessionBusyError(VersionConflictError):
    """Every attempt to append failed because other writers were faster.

    The client may send the command again.
    """
