"""A session in which physical dice have names, in the first ruleset; each time the same."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.ruleset import AnyRuleset, Message
from domain.session.messages import Audience, Close, OpenSeal
from domain.session.turns import LEAST_HOUSE_LENGTH
from tests.golden.play import Play
from tests.support.example import EXAMPLE, FACES, of, over, seated, to_draw
from tests.support.sessions import ScriptedSession, wish_of


class NamedDicePlay(Play):
    """Physical dice with a name, without one and in secret, and a draw of the server, in format 2."""

    def __init__(self, ruleset: AnyRuleset, seed: int = 2026) -> None:
        self.ruleset, self.refused = ruleset, []
        self.evening = ScriptedSession(
            seed, ruleset, title="Dice with names", length=LEAST_HOUSE_LENGTH, log_format=2
        )
        self._do(("p1", EXAMPLE.bring), ("gm", EXAMPLE.guest))
        for name in ("the red d6", UNSET, "the red d6", 'Pip\'s {gm} "\N{GAME DIE}"'):
            self._do(*seated(EXAMPLE.ready))
            self._roll("p1", EXAMPLE.draw, name)
            self._do(*over())
        self._do(*seated(EXAMPLE.ready, "gm", "rat"))
        self._roll("gm", of("rat", EXAMPLE.draw), "the black d6", "gm")
        self._do(("gm", OpenSeal(self.evening.session.turn)), *over("gm", "rat"))
        self._do(*to_draw(), *over(), ("gm", Close(carry_over=True)))

    def _do(self, *steps: tuple[str, Message]) -> None:
        for seat, command in steps:
            self.evening.do(seat, command)

    def _roll(
        self,
        seat: str,
        command: Message,
        name: str | UnsetType,
        audience: Audience | UnsetType = UNSET,
    ) -> None:
        declared = replace(wish_of(command), faces=FACES, audience=audience, dice_name=name)
        self.evening.do(seat, declared)
