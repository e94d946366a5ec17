"""Given, when, then: checks of a ruleset's decisions, command by command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pytest

from domain.chance import DeclaredChance
from domain.decider import By, Refused, fold
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS


def check(
    *,
    given: Sequence[Message] = (),
    when: Message,
    by: By,
    drawn: Sequence[int] = (),
    then: Sequence[Message] | str,
    options: Any = None,
) -> None:
    """Check the events of the command, or the rule that refuses it.

    A refusal must come before the first draw. An accepted command must draw every face.
    """
    state, faces = after(when, given, options), DeclaredChance(drawn)
    try:
        answer: list[Message] | str = list(ruleset_of(when).decider.decide(state, when, by, faces))
    except Refused as refused:
        answer = refused.rule
    assert answer == then
    assert len(faces.values) == len(drawn)


def after(message: Message, events: Iterable[Message], options: Any = None) -> Any:
    """Return the state of the message's ruleset after the events."""
    ruleset = ruleset_of(message)
    return fold(
        ruleset.decider.evolve, ruleset.decider.initial(options or ruleset.options()), events
    )


Step = tuple[By, Message, *tuple[int, ...]]
"""A seat, its command, and the faces that fall."""


def play(*steps: Step, given: Sequence[Message] = (), options: Any = None) -> list[Message]:
    """Return the events of the commands, all of them accepted."""
    log: list[Message] = []
    for by, command, *faces in steps:
        state = after(command, [*given, *log], options)
        log += ruleset_of(command).decider.decide(state, command, by, DeclaredChance(faces))
    return log


def ruleset_of(message: Message) -> AnyRuleset:
    return next(
        ruleset for ruleset in RULESETS if type(message) in ruleset.commands + ruleset.events
    )


class Case(NamedTuple):
    """A command after some events: the faces that fall, and its events or the refusing rule."""

    name: str
    given: Sequence[Message]
    by: By
    when: Message
    drawn: Sequence[int]
    then: Sequence[Message] | str
    options: Any = None

    def check(self) -> None:
        check(**{key: value for key, value in self._asdict().items() if key != "name"})


def each_case(cases: Sequence[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)
