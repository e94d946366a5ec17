"""What a host would write of a secret check: every field of it is decided again once it is open."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain.codec import encode
from domain.ruleset import Message
from domain.rulesets.dhextiny import ruleset
from domain.rulesets.dhextiny.messages.commands import Check, CreateCreature, Settle
from domain.rulesets.dhextiny.messages.events import Checked, Settled
from domain.session.messages import Close, Closed, Declare, OpenSeal, SealOpened
from domain.verify import verify
from service.verifier import ed25519
from tests.domain import bending as b
from tests.domain.forking import file_of
from tests.evenings import Evening


@cache
def evening() -> Evening:
    """A check and its settling that are opened, two that are not, and the close."""
    played = Evening(5, ruleset)
    played.do("gm", CreateCreature("rat", "Rat", 6))
    for wish in (Check("rat"), Settle("rat")):
        played.do("gm", Declare(Raw(encode(wish)), audience="gm"))
    for turn in list(played.session.secrets.seals):
        played.do("gm", OpenSeal(turn, played.kept.get(turn, UNSET)))
    for wish in (Check("rat"), Settle("rat")):
        played.do("gm", Declare(Raw(encode(wish)), audience="gm"))
    played.do("gm", Close(carry=True))
    return played


BENT: list[tuple[type[Message], str, object]] = [
    (Checked, "result", "S"),
    (Checked, "face", 5),
    (Checked, "point", 6),
    (Settled, "point", 6),
    (Closed, "carry", {"point": 5}),  # as it is for those who see what nobody opened
]


def test_nothing_is_bent_to_begin_with() -> None:
    assert verify(file_of(evening()), ed25519).failure is None


@pytest.mark.parametrize(("kind", "field", "value"), BENT)
def test_whatever_is_bent_is_named(kind: type[Message], field: str, value: object) -> None:
    facts = evening().facts
    version = b.find(kind, 0, facts)
    body = facts[version - 1].body
    assert getattr(body, field) != value
    shown = max(version, b.find(SealOpened, 1, facts))  # behind what is opened comes a draw, which would see it
    bent = b.host(b.changed(facts, version, replace(body, **{field: value}))[:shown], sign=False)
    failed = verify(file_of(evening(), bent), ed25519).failure
    assert failed is not None
    assert (failed.rung, failed.code, failed.version) == ("rules", "E_OUTCOME", version)
