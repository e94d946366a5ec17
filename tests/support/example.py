"""What the tests of the frame, the log and the edges play: the first room's example, whichever room that is."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from domain.decider import Role
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from tests.domain.rulesets.example import Example, Steps


def example_of(ruleset: AnyRuleset) -> Example:
    found: Example = import_module(f"tests.domain.rulesets.{ruleset.name}.example").EXAMPLE
    return found


FIRST = RULESETS[0]
EXAMPLE = example_of(FIRST)
FACES = (5,) * len(EXAMPLE.dice)
"""Physical dice for a draw."""


def of(entity: str, command: Message) -> Message:
    """The same command about someone else."""
    return replace(command, entity=entity)


def brought(entity: str, name: str) -> Message:
    """As ana is brought."""
    return replace(EXAMPLE.bring, entity=entity, name=name)


def guest(entity: str, name: str) -> Message:
    """As the rat is brought; for a seat of its own where it has one."""
    own = {} if getattr(EXAMPLE.guest, "seat", UNSET) is UNSET else {"seat": entity}
    return replace(EXAMPLE.guest, entity=entity, name=name, **own)


def seated(
    steps: Steps, owner: str = "p1", entity: str = "ana", gm: str = "gm"
) -> list[tuple[str, Message]]:
    """The steps with who takes each: the owner or the GM."""
    return [(gm if role is Role.GM else owner, of(entity, command)) for role, command in steps]


def to_draw(owner: str = "p1", entity: str = "ana") -> list[tuple[str, Message]]:
    """A draw, and what comes before it."""
    return [*seated(EXAMPLE.ready, owner, entity), (owner, of(entity, EXAMPLE.draw))]


def to_wait(owner: str = "p1", entity: str = "ana") -> list[tuple[str, Message]]:
    """Of these up to the one of which something waits."""
    steps = to_draw(owner, entity)
    return steps[: [command for _, command in steps].index(of(entity, EXAMPLE.waits)) + 1]


def over(owner: str = "p1", entity: str = "ana") -> list[tuple[str, Message]]:
    """What ends it."""
    return seated(EXAMPLE.over, owner, entity)


def rest() -> list[tuple[str, Message]]:
    """The same where `plain` has come already."""
    return [step for step in over() if step[1] != EXAMPLE.plain]


def as_json(command: Message) -> dict[str, Any]:
    """The command as it is sent."""
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(command))
    return told


def kind(command: Message | type[Message]) -> str:
    return str(command.__struct_config__.tag)
