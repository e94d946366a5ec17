"""The results that voided draws would have had (fairness.md).

Each command is decided using the table as it was before the declaration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET, Raw, UnsetType

from domain.chance import SeededChance, Values
from domain.codec import decode_command
from domain.decider import Refused
from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, SealOpened
from domain.session.rerolls import command_kind
from domain.session.state import Session
from domain.verify.bytes_check import FileEvent
from domain.verify.draws_check import DrawsCheck, VoidedDraw
from domain.verify.report import VoidReport
from domain.verify.rules_check import RULESET_ERRORS, RulesCheck


def report_voids(
    draws: DrawsCheck | None, turns: RulesCheck | None, lines: Sequence[FileEvent]
) -> tuple[VoidReport, ...]:
    """Return a report for each voided draw in the part of the log that was checked."""
    if draws is None:
        return ()
    rolls = NextRoll(line for line in lines if isinstance(line, RecordedEvent))
    return tuple(_report_void(void, draws, turns, rolls) for void in draws.voids.by_draw.values())


def decide_void(
    void: VoidedDraw, session: Session, seed: bytes
) -> tuple[Values, tuple[str, ...]] | None:
    """Return the values and the texts that the draw would have produced.

    Return None if the command is unknown or the rules do not allow it.
    """
    command, chance = void_command(void), SeededChance(lambda: seed)
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
    """Return the command of a voided draw, or UNSET if it is still secret.

    The command of a secret draw is taken from its opening.
    """
    assert isinstance(void.declared.body, Declared)
    return void.declared.body.command if void.opening is None else void.opening.command


class NextRoll:
    """Finds the next roll of the same kind by the same seat after a voided draw."""

    def __init__(self, log: Iterable[RecordedEvent]) -> None:
        events = tuple(log)
        opened = {
            recorded.body.k: recorded.body.command
            for recorded in events
            if isinstance(recorded.body, SealOpened) and recorded.body.k is not UNSET
        }
        self._rolls: dict[tuple[str, bytes], list[RecordedEvent]] = {}
        for recorded in events:
            match recorded.body:
                case Declared(command=command, draw=draw, values=values) if (
                    draw is not UNSET or values is not UNSET
                ):
                    own = (
                        opened.get(draw.k, UNSET)
                        if command is UNSET and draw is not UNSET
                        else command
                    )
                    self._rolls.setdefault((recorded.seat, command_kind(own)), []).append(recorded)

    def after(self, void: VoidedDraw) -> RecordedEvent | None:
        rolls = self._rolls.get((void.declared.seat, command_kind(void_command(void))), ())
        return next(
            (recorded for recorded in rolls if recorded.version > void.recorded.version), None
        )


def _report_void(
    void: VoidedDraw, draws: DrawsCheck, turns: RulesCheck | None, rolls: NextRoll
) -> VoidReport:
    report = VoidReport(void.recorded.version, void.draw.k, void.declared.seat, void.body.missing)
    if (following := rolls.after(void)) is not None:
        declared = _has_declared_dice(following)
        report = msgspec.structs.replace(report, again=following.version, declared=declared)
    seed = draws.voids.seed(void)
    before = void.declared.version - 1
    if seed is None or turns is None or before >= len(turns.sessions) or turns.sealed[before]:
        return report
    result = decide_void(void, turns.sessions[before], seed)
    if result is None:
        return report
    values, lines = result
    return msgspec.structs.replace(report, values=values, told=lines)


def _has_declared_dice(recorded: RecordedEvent) -> bool:
    return isinstance(recorded.body, Declared) and recorded.body.values is not UNSET
