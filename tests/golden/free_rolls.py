"""A session of the first ruleset with the extension `rolls`; each time the same."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.decider import Refused
from domain.ruleset import AnyRuleset, Message
from domain.session import rolls
from domain.session.messages import Audience, Close, OpenSeal, Rewind
from domain.session.rolls import Roll
from domain.session.turns import LEAST_HOUSE_LENGTH
from tests.golden.play import Play
from tests.support.example import EXAMPLE, over, to_draw
from tests.support.sessions import ScriptedSession, wish_of


class FreeRollsPlay(Play):
    """Free rolls between turns of the game: public, secret, opened, with physical dice, and undone."""

    def __init__(self, ruleset: AnyRuleset, seed: int = 2026) -> None:
        self.refused = []
        self.evening = ScriptedSession(
            seed,
            ruleset,
            title="Any dice",
            length=LEAST_HOUSE_LENGTH,
            log_format=2,
            extensions=(rolls.NAME,),
        )
        self.ruleset = self.evening.ruleset
        self._do(("p1", EXAMPLE.bring), ("gm", EXAMPLE.guest))
        self._roll("p1", Roll("2d6+1", "Does the rope hold?"))
        self._roll("gm", Roll("d100"), audience="self")
        self._roll("gm", Roll("4d6kh3"), audience="gm")
        secret = self.evening.session.turn
        self._do(("gm", OpenSeal(secret, self.evening.kept[secret])))
        self._do(*to_draw(), *over())
        self._roll("p2", Roll("1d20+5"), faces=(17,))
        self._roll("p3", Roll("3d6!"))
        self._do(("gm", Rewind(self.evening.session.version - 3, "not yet")))
        self._roll("p3", Roll("4dF", "{gm} is watching"))
        for notation in ("2d", "1d20+"):
            with pytest.raises(Refused, match="bad-notation"):
                self._roll("p1", Roll(notation))
        self._do(*to_draw(), *over(), ("gm", Close(carry_over=True)))

    def _do(self, *steps: tuple[str, Message]) -> None:
        for seat, command in steps:
            self.evening.do(seat, command)

    def _roll(
        self,
        seat: str,
        command: Roll,
        audience: Audience | UnsetType = UNSET,
        faces: tuple[int, ...] | UnsetType = UNSET,
    ) -> None:
        self.evening.do(seat, replace(wish_of(command), audience=audience, faces=faces))
