"""Example sessions: a scripted session for each ruleset."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.ruleset import AnyRuleset
from domain.session.messages import Audience


class ScriptSeat(msgspec.Struct, frozen=True):
    seat: str
    role: str
    name: str


class ScriptStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step in an example session.

    A step sends a command, narrates, rewinds, opens a secret, forks or closes the session, or sets
    a mark. A mark gives a name to the current version and the latest turn. Later steps can rewind
    to that version, fork from it, use it as a command's `target`, or open that turn. `steps` lists
    the steps to play in a fork.
    """

    by: str = ""
    do: dict[str, Any] | UnsetType = UNSET
    faces: tuple[int, ...] | UnsetType = UNSET
    audience: Audience | UnsetType = UNSET
    target: str | UnsetType = UNSET
    rewind: str | UnsetType = UNSET
    reason: str = ""
    narrate: str | UnsetType = UNSET
    open: str | UnsetType = UNSET
    fork: str | UnsetType = UNSET
    title: str = ""
    steps: tuple[ScriptStep, ...] = ()
    close: dict[str, bool] | UnsetType = UNSET
    mark: str | UnsetType = UNSET
    refused: str | UnsetType = UNSET


class Script(msgspec.Struct, frozen=True):
    """An example session, read from example_session.json in the ruleset's folder."""

    title: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    seats: tuple[ScriptSeat, ...]
    steps: tuple[ScriptStep, ...]


def read_script(ruleset: AnyRuleset) -> Script:
    text = (files(ruleset.package) / "example_session.json").read_bytes()
    return msgspec.json.decode(text, type=Script)
