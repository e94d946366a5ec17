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
from domain.verify.bytes_check import FileEvent
from domain.verify.draws_check import DrawsCheck, VoidedDraw
from domain.verify.report import VoidReport
from domain.verify.rules_check import RULESET_ERRORS, RulesCheck

_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode


def report_voids(
    draws: DrawsCheck | None, turns: RulesCheck | None, lines: Sequence[FileEvent]
) -> tuple[VoidReport, ...]:
    """Every void of the log, as far as it was climbed."""
    if draws is None:
        return ()
    again = NextRoll(line for line in lines if isinstance(line, RecordedEvent))
    return tuple(_report_void(void, draws, turns, again) for void in draws.voids.by_draw.values())


def decide_void(
    void: VoidedDraw, session: Session, made: bytes
) -> tuple[Values, tuple[str, ...]] | None:
    """What the draw would have been on the table of `session`, of this seed: the values, and the room's lines.

    None where its wish is not known, or the rules do not allow it there.
    """
    command, chance = void_command(void), SeededChance(lambda: made)
    if command is UNSET:
        return None
    try:
        events = session.ruleset.decider.decide(
            session.table,
            decode_command(session.ruleset, command),
            session.by(void.declared.seat),
            chance,
        )
    except (Refused, *RULESET_ERRORS):
        return None
    return chance.values, tuple(map(session.ruleset.describe, events))


def void_command(void: VoidedDraw) -> Raw | UnsetType:
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
                    self._rolls.setdefault((fact.seat, _command_kind(own)), []).append(fact)

    def behind(self, void: VoidedDraw) -> RecordedEvent | None:
        """The next roll of the void's seat and kind."""
        rolls = self._rolls.get((void.declared.seat, _command_kind(void_command(void))), ())
        return next((fact for fact in rolls if fact.version > void.fact.version), None)


def _report_void(
    void: VoidedDraw, draws: DrawsCheck, turns: RulesCheck | None, again: NextRoll
) -> VoidReport:
    found = again.behind(void)
    told = VoidReport(void.fact.version, void.draw.k, void.declared.seat, void.body.missing)
    if found is not None:
        told = msgspec.structs.replace(
            told, again=found.version, declared=_has_declared_dice(found)
        )
    made = draws.voids.seed(void)
    before = void.declared.version - 1
    if made is None or turns is None or before >= len(turns.sessions) or turns.sealed[before]:
        return told
    shadow = decide_void(void, turns.sessions[before], made)
    return (
        told if shadow is None else msgspec.structs.replace(told, values=shadow[0], told=shadow[1])
    )


def _command_kind(command: Raw | UnsetType) -> bytes:
    return b"" if command is UNSET else bytes(_decode_fields(command)["kind"])


def _has_declared_dice(fact: RecordedEvent) -> bool:
    return isinstance(fact.body, Declared) and fact.body.values is not UNSET
