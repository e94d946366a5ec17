"""The script of an evening, as it stands in a room's folder: who sits there, and what they do step by step."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from domain.ruleset import Room
from domain.session.messages import Audience


class Held(msgspec.Struct, frozen=True):
    """A seat of the script, and who sits there."""

    seat: str
    role: str
    name: str


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the script: a command, a narration, a rewind, an opening, a fork or the close; or a mark.

    A mark stands for the version that it is set at, and for the turn before it: one rewinds to a mark, forks at it,
    opens its turn, or aims at what was told there as the `target`. `steps` are played in the fork.
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
    steps: tuple[Step, ...] = ()
    close: dict[str, bool] | UnsetType = UNSET
    mark: str | UnsetType = UNSET
    refused: str | UnsetType = UNSET


class Script(msgspec.Struct, frozen=True):
    """An evening as it stands in a room's folder."""

    title: str
    ruleset: str
    edition: str
    options: dict[str, Any]
    seats: tuple[Held, ...]
    steps: tuple[Step, ...]


def script_of(room: Room) -> Script:
    """The room's evening."""
    text = (files(f"domain.rulesets.{room.name}") / "example_session.json").read_bytes()
    return msgspec.json.decode(text, type=Script)
