"""Rung 3, secrets: what a secret turn commits to, and that its opening is that and nothing else (fairness.md)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from domain.chance import Values
from domain.fact import Fact
from domain.proof import Broken
from domain.proof.chain import WORDS, Contribution, check_blind, command_commitment, seed, value
from domain.session.messages import Declared, Drawn, SealOpened
from domain.verify.leaves import Line
from domain.verify.report import Fault
from domain.verify.seals import Seals


class Kept(NamedTuple):
    """What the opening of a secret draw is held against; without contributions that was given up."""

    declared: Declared
    contributions: list[Contribution] | None


class Openings:
    """The secret turns so far, and of their draws what is needed once they are opened."""

    def __init__(self, session: bytes) -> None:
        self._session = session
        self._seals = Seals()
        self._kept: dict[int, Kept] = {}

    def read(self, line: Line) -> None:
        """One more event."""
        self._seals.read(line)

    def keep(
        self, fact: Fact, drawn: Drawn, declared: Fact, contributions: list[Contribution]
    ) -> None:
        """A secret draw. Raises Fault where it shows what it hides."""
        assert isinstance(declared.body, Declared)
        if drawn.values:
            raise Fault(fact.version, "E_VALUES", drawn.values, "no values, for the draw is secret")
        self._kept[drawn.k] = Kept(declared.body, contributions)

    def give_up(self, k: int, declared: Fact) -> None:
        """A secret draw that was voided."""
        assert isinstance(declared.body, Declared)
        self._kept[k] = Kept(declared.body, None)

    def check(self, fact: Fact, opened: SealOpened, drawn: int) -> None:
        """An opening, after so many draws. Raises Fault."""
        of_draw = opened.k is not UNSET
        parts = (opened.blind, opened.command, opened.salt, opened.values)
        if (opened.turn is UNSET) is not of_draw or any(
            (part is not UNSET) is not of_draw for part in parts
        ):
            raise Fault(
                fact.version,
                "E_FORMAT",
                fact.raw.decode(),
                "a draw with all that hid it, or a turn",
            )
        if opened.k is not UNSET and opened.k not in range(drawn):
            raise Fault(fact.version, "E_DRAW_INDEX", opened.k, f"a draw below {drawn}")
        if self._seals.turn_of(opened) is None:
            found = f"turn {opened.turn}" if opened.k is UNSET else f"draw {opened.k}"
            raise Fault(fact.version, "E_ORDER", found, "one that is secret and not open yet")
        if opened.k is not UNSET and opened.k not in self._kept:
            raise Fault(
                fact.version, "E_ORDER", f"draw {opened.k}", "a draw that does not wait any more"
            )
        if opened.k is not UNSET:
            self._check_draw(fact.version, opened, opened.k)

    def _check_draw(self, version: int, opened: SealOpened, k: int) -> None:
        assert opened.command is not UNSET
        assert opened.values is not UNSET
        declared, contributions = self._kept.pop(k)
        blind, salt = bytes.fromhex(str(opened.blind)), bytes.fromhex(str(opened.salt))
        committed = command_commitment(salt, bytes(opened.command)).hex()
        if committed != declared.command_commitment:
            raise Fault(version, "E_BODY", committed, declared.command_commitment)
        assert declared.draw is not UNSET
        try:
            check_blind(self._session, k, blind, bytes.fromhex(str(declared.draw.blind)))
        except Broken as broken:
            raise Fault(version, broken.code, broken.found, broken.expected) from None
        if contributions is not None:
            check_values(version, opened.values, seed(self._session, k, contributions, blind))
        elif opened.values:
            raise Fault(version, "E_VALUES", opened.values, "no values, for the draw was given up")


def check_shape(fact: Fact, declared: Declared) -> None:
    """That a wish says all that one of its kind says, and no more. Raises Fault."""
    secret = declared.audience is not UNSET and declared.draw is not UNSET
    blinded = declared.draw is not UNSET and declared.draw.blind is not UNSET
    if (declared.dice is UNSET) is not (declared.values is UNSET):
        raise Fault(fact.version, "E_FORMAT", "dice or values", "both or none")
    if declared.dice is not UNSET and declared.draw is not UNSET:
        raise Fault(fact.version, "E_FORMAT", "dice both declared and drawn", "one of them")
    if (declared.command is UNSET) is not secret or (
        declared.command_commitment is UNSET
    ) is secret:
        raise Fault(
            fact.version,
            "E_FORMAT",
            fact.raw.decode(),
            f"{'a commitment to' if secret else ''} the command",
        )
    if blinded is not secret:
        raise Fault(fact.version, "E_BLIND", fact.raw.decode(), f"{'a' if secret else 'no'} blind")


def check_values(version: int, values: Values, seeded: bytes) -> None:
    """That values are those of the seed. Raises Fault."""
    if not values:
        raise Fault(version, "E_VALUES", "no values", "those that were asked for")
    for nth, (sides, found) in enumerate(values):
        expected = value(seeded, nth, sides) if 1 <= sides <= WORDS else "1 to 2^32 sides"
        if found != expected:
            raise Fault(version, "E_VALUES", f"value {nth} of {sides}: {found}", expected)
