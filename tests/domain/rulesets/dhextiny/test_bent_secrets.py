"""What a host would write of a secret check: every field of it is decided again once it is open."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.ruleset import Message
from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.rules import Result
from domain.session.messages import Close, Closed, Declare, OpenSeal, SealOpened
from domain.verify import verify
from service.ed25519 import verify as ed25519
from tests.domain import bending as b
from tests.domain.forking import file_of
from tests.evenings import Evening


@cache
def evening() -> Evening:
    """The first one whose last, hidden point is not what is carried over."""
    return next(
        played
        for played in map(_played, count())
        if _carried(played) != ruleset.carry(played.session.table)
    )


def _played(seed: int) -> Evening:
    """A check and its settling that are opened, two that are not, and the close."""
    played = Evening(seed, ruleset)
    played.do("gm", m.CreateCreature("rat", "Rat", 6))
    for wish in (m.Check("rat"), m.Settle("rat")):
        played.do("gm", Declare(Raw(encode(wish)), audience="gm"))
    for turn in list(played.session.secrets.seals):
        played.do("gm", OpenSeal(turn, played.kept.get(turn, UNSET)))
    for wish in (m.Check("rat"), m.Settle("rat")):
        played.do("gm", Declare(Raw(encode(wish)), audience="gm"))
    played.do("gm", Close(carry=True))
    return played


def _carried(played: Evening) -> object:
    closed = played.facts[-1].body
    assert isinstance(closed, Closed)
    return closed.carry


BENT: list[tuple[type[Message], str, Callable[[Any], object]]] = [
    (m.Checked, "result", lambda body: next(result for result in Result if result != body.result)),
    (m.Checked, "face", lambda body: body.face % 6 + 1),
    (m.Checked, "point", lambda body: (body.point + 1) % 6),
    (m.Settled, "point", lambda body: (body.point + 1) % 6),
    (Closed, "carry", lambda body: ruleset.carry(evening().session.table)),
]


def test_nothing_is_bent_to_begin_with() -> None:
    assert verify(file_of(evening()), ed25519).failure is None


@pytest.mark.parametrize(("kind", "field", "other"), BENT)
def test_whatever_is_bent_is_named(
    kind: type[Message], field: str, other: Callable[[Any], object]
) -> None:
    facts = evening().facts
    version = b.find(kind, 0, facts)
    body = facts[version - 1].body
    value = other(body)
    assert getattr(body, field) != value
    shown = max(
        version, b.find(SealOpened, 1, facts)
    )  # behind what is opened comes a draw, which would see it
    bent = b.host(b.changed(facts, version, replace(body, **{field: value}))[:shown], sign=False)
    failed = verify(file_of(evening(), bent), ed25519).failure
    assert failed is not None
    assert (failed.rung, failed.code, failed.version) == ("rules", "E_OUTCOME", version)
