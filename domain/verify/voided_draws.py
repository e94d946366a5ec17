"""What each draw that was given up would have been, decided on the table that it was asked for on (fairness.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, Raw, UnsetType

from domain.chance import SeededChance, Values
from domain.codec import decode_command
from domain.decider import Refused
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, SealOpened
from domain.session.state import Session
from domain.verify.bytes_check import Line
from domain.verify.draws_check import Draws, Void
from domain.verify.report import Voided
from domain.verify.rules_check import UNFORESEEN, Turns

_fields = msgspec.json.Decoder(dict[str, Raw]).decode


def voided(draws: Draws | None, turns: Turns | None, lines: Sequence[Line]) -> tuple[Voided, ...]:
    """Every void of the log, as far as it was climbed."""
    if draws is None:
        return ()
    again = NextRoll(line for line in lines if isinstance(line, RecordedEvent))
    return tuple(_voided(void, draws, turns, again) for void in draws.voids.by_draw.values())


def decided(void: Void, session: Session, made: bytes) -> tuple[Values, tuple[str, ...]] | None:
    """What the draw would have been on the table of `session`, of this seed: the values, and the room's lines.

    None where its wish is not known, or the rules do not allow it there.
    """
    command, chance = command_of(void), SeededChance(lambda: made)
    if command is UNSET:
        return None
    try:
        events = session.ruleset.decider.decide(
            session.table,
            decode_command(session.ruleset, command),
            session.by(void.declared.seat),
            chance,
        )
    except (Refused, *UNFORESEEN):
        return None
    return chance.values, tuple(map(session.ruleset.describe, events))


def command_of(void: Void) -> Raw | UnsetType:
    """The wish of a draw that was given up, of a secret one once it is open."""
    assert isinstance(void.declared.body, Declared)
    return void.declared.body.command if void.opening is None else void.opening.command


class NextRoll:
    """The rolls of a log, to find the next of a seat and kind."""

    def __init__(self, log: Iterable[RecordedEvent]) -> None:
        facts = tuple(log)
        opened = {
            fact.body.k: fact.body.command
            for fact in facts
            if isinstance(fact.body, SealOpened) and fact.body.k is not UNSET
        }
        self._rolls: dict[tuple[str, bytes], list[RecordedEvent]] = {}
        for fact in facts:
            match fact.body:
                case Declared(command=command, draw=draw, values=values) if (
                    draw is not UNSET or values is not UNSET
                ):
                    own = (
                        opened.get(draw.k, UNSET)
                        if command is UNSET and draw is not UNSET
                        else command
                    )
                    self._rolls.setdefault((fact.seat, _kind(own)), []).append(fact)

    def behind(self, void: Void) -> RecordedEvent | None:
        """The next roll of the void's seat and kind."""
        rolls = self._rolls.get((void.declared.seat, _kind(command_of(void))), ())
        return next((fact for fact in rolls if fact.version > void.fact.version), None)


def _voided(void: Void, draws: Draws, turns: Turns | None, again: NextRoll) -> Voided:
    found = again.behind(void)
    told = Voided(void.fact.version, void.draw.k, void.declared.seat, void.body.missing)
    if found is not None:
        told = msgspec.structs.replace(told, again=found.version, declared=_is_declared(found))
    made = draws.voids.seed(void)
    before = void.declared.version - 1
    if made is None or turns is None or before >= len(turns.sessions) or turns.sealed[before]:
        return told
    shadow = decided(void, turns.sessions[before], made)
    return (
        told if shadow is None else msgspec.structs.replace(told, values=shadow[0], told=shadow[1])
    )


def _kind(command: Raw | UnsetType) -> bytes:
    return b"" if command is UNSET else bytes(_fields(command)["kind"])


def _is_declared(fact: RecordedEvent) -> bool:
    return isinstance(fact.body, Declared) and fact.body.values is not UNSET
