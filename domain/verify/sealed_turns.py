"""Tracks the secret turns in a log, using only data that is visible without openings."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.recorded_event import RecordedEvent
from domain.session.messages import Declared, Inherited, Narrated, SealOpened, SeatTaken
from domain.session.secrets import is_secret
from domain.session.state import LastCommand, Seal, Session
from domain.verify.bytes_check import FileEvent, SealedEvent

_SECRET_EVENT_TYPES = frozenset({Declared, Narrated, Inherited, SealOpened})


class SecretTurn(Struct, frozen=True, gc=False):
    """A secret turn.

    `version` is the version of its first secret event. `k` is the index of its draw, if it has one.
    """

    version: int
    seat: str
    k: int | UnsetType = UNSET


class SealedTurns:
    """The secret turns that have not been opened yet, by turn number."""

    def __init__(self) -> None:
        self.waiting: dict[int, SecretTurn] = {}
        self._turn = 0

    def read(self, line: FileEvent) -> None:
        begins, self._turn = line.turn != self._turn, line.turn
        if isinstance(line, SealedEvent):
            if hides_turn(line, begins):
                self.waiting.setdefault(line.turn, SecretTurn(line.version, line.seat))
        elif type(line.body) in _SECRET_EVENT_TYPES:
            self._read(line)

    def _read(self, line: RecordedEvent) -> None:
        if is_secret(line.body):
            draw = line.body.draw if isinstance(line.body, Declared) else UNSET
            earlier = self.waiting.get(line.turn)
            # Only the opening of its draw opens a turn with a draw, whatever else in it is secret.
            known = earlier.k if earlier else UNSET
            self.waiting[line.turn] = SecretTurn(
                line.version, line.seat, known if draw is UNSET else draw.k
            )
        elif isinstance(line.body, SealOpened) and (turn := self.turn_of(line.body)) is not None:
            del self.waiting[turn]

    def redacted(self, version: int) -> None:
        """Remove the turn at `version`, because its event is redacted rather than secret."""
        self.waiting = {
            turn: secret for turn, secret in self.waiting.items() if secret.version != version
        }

    def turn_of(self, opened: SealOpened) -> int | None:
        """Return the number of the secret turn that this event opens.

        Return None if no unopened turn matches the event.
        """
        for turn, secret in self.waiting.items():
            if secret.k == opened.k and (opened.k is not UNSET or turn == opened.turn):
                return turn
        return None


def hides_turn(line: SealedEvent, begins: bool) -> bool:
    """Return True if a sealed event may be the start of a secret turn.

    This must be the first event in its turn (`begins` is True) or an event in turn 1, where a fork
    records the table that it inherits.
    """
    return begins or line.turn == 1


def is_wordless(turn: Sequence[FileEvent]) -> bool:
    """Return True if the turn consists of a single sealed event.

    Such an event is a secret narration, a redacted narration or a redacted name. None of the
    ruleset's rules apply to it.
    """
    return len(turn) == 1 and isinstance(turn[0], SealedEvent)


def is_nameless(turn: Sequence[FileEvent]) -> bool:
    """Return True if a new player took a seat in this turn and the player's name was redacted."""
    first, *rest = turn
    return (
        isinstance(first, RecordedEvent)
        and isinstance(first.body, SeatTaken)
        and [type(line) for line in rest] == [SealedEvent]
    )


def evolve_sealed(session: Session, line: SealedEvent, turn: Sequence[FileEvent]) -> Session:
    """Return the session after a sealed event, as far as it can be determined."""
    begins, secrets, last_command = line is turn[0], session.secrets, session.last_command
    if hides_turn(line, begins):  # the audience is unknown, so assume the widest, "gm"
        secrets = replace(
            secrets, seals=secrets.seals | {line.turn: Seal(line.version, line.seat, "gm")}
        )
    if begins and len(turn) > 1:
        last_command = LastCommand(line.seat, session.version)
    return replace(
        session,
        version=line.version,
        turn=max(line.turn, session.turn),
        secrets=secrets,
        last_command=last_command,
    )
