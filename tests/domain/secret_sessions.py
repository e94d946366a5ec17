"""Random evenings full of secrets, in any room: of every audience, opened now and then, amid rewinds and hand-overs.

evening = intrigue(RULESETS[0], seed=7, events=300)
evening.ask(Narrate("Psst.", audience="self"), "ana")     # or by hand
evening.seen("ana")                                       # the table as ana sees it now
evening, wish = about_to(RULESETS[0], "ana", draws=True)  # a wish that is allowed next, and needs chance
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.chance import NeedsDrawError, UndrawnChance
from domain.codec import encode
from domain.decider import By, Refused, Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset, Message
from domain.session.messages import (
    Audience,
    Declare,
    HandOver,
    LeaveSeat,
    Narrate,
    OpenSeal,
    Rewind,
    TakeSeat,
)
from domain.session.state import History
from domain.session.turns import judge
from domain.visibility import Viewer, visible_session
from fairlog.testing.random_commands import random_kind, random_wish
from tests.support.sessions import TRIES, MemoryLog, ScriptedSession

SEATS = {
    "gm": Role.GM,
    "ana": Role.PLAYER,
    "ben": Role.PLAYER,
    "sam": Role.SPECTATOR,
    "eve": Role.AUDITOR,
}
NEWCOMERS = {"dan": Role.PLAYER, "tom": Role.SPECTATOR, "zoe": Role.AUDITOR}
AUDIENCES = (UNSET, UNSET, UNSET, "gm", "blind", "self")


class Intrigue(ScriptedSession):
    """An evening whose commands come as the frame takes them; who opens a secret gets what the house kept of it."""

    def __init__(
        self, ruleset: AnyRuleset, seed: int = 0, log: MemoryLog | None = None, length: int = 200
    ) -> None:
        seats = [(seat, role, UNSET) for seat, role in SEATS.items()]
        super().__init__(
            seed, ruleset, {"declared_dice": True, "take_back": True}, log, length, seats=seats
        )

    def seen(
        self, seat: str | UnsetType = UNSET, through: str | UnsetType = UNSET, at: int | None = None
    ) -> object:
        """The table that a viewer sees at a version."""
        session = self.session if at is None else self._states[at]
        return visible_session(session, Viewer(seat, through), self.past).table

    @property
    def past(self) -> History:
        return History(self._states.__getitem__, lambda after, upto: self.facts[after:upto])

    def ask(self, command: Message, seat: str) -> tuple[RecordedEvent, ...]:
        """The facts of one accepted command. Raises Refused."""
        match command:
            case OpenSeal(turn=turn):
                command = OpenSeal(turn, self.kept.get(turn, UNSET))
            case TakeSeat(role=role):
                return self._turn(command, By(seat, role))
        return self._turn(command, self.session.by(seat))


def intrigue(ruleset: AnyRuleset, seed: int, events: int, log: MemoryLog | None = None) -> Intrigue:
    """At least so many events, and hardly more."""
    evening = Intrigue(ruleset, seed, log, length=max(events, 200))
    while evening.session.version < events:
        [step] = evening.random.choices(list(STEPS), list(STEPS.values()))
        _try(evening, step)
    return evening


@cache
def _seed(ruleset: AnyRuleset, seat: str, draws: bool) -> int:
    """Of the first evening that comes to such a wish soon."""
    return next(seed for seed in count() if _found(ruleset, seat, draws, seed))


def about_to(ruleset: AnyRuleset, seat: str, *, draws: bool) -> tuple[Intrigue, Declare]:
    """An evening without a secret, and a wish that a seat may make next."""
    found = _found(ruleset, seat, draws, _seed(ruleset, seat, draws))
    assert found is not None
    return found


def _found(
    ruleset: AnyRuleset, seat: str, draws: bool, seed: int
) -> tuple[Intrigue, Declare] | None:
    evening = Intrigue(ruleset, seed)
    while evening.session.version < 40:
        for _ in range(TRIES):
            wish = _random(evening)
            if _asks(evening, wish, evening.session.by(seat)) is draws:
                return evening, wish
        by_chance(evening, evening.random.choice(("gm", seat)))
    return None


def by_chance(evening: Intrigue, seat: str, audience: Audience | UnsetType = UNSET) -> bool:
    """Whether a random wish of a seat was allowed, and made."""
    try:
        evening.ask(replace(_random(evening), audience=audience), seat)
    except Refused:
        return False
    return True


def _asks(evening: Intrigue, wish: Declare, by: By) -> bool | None:
    """Whether a wish needs chance; None where it is refused."""
    try:
        judge(evening.session, wish, by, UndrawnChance())
    except NeedsDrawError:
        return True
    except Refused:
        return None
    return False


def _try(evening: Intrigue, step: Callable[[Intrigue], object]) -> None:
    """Until it is allowed, or seems never to be."""
    for _ in range(TRIES):
        try:
            step(evening)
        except Refused:
            continue
        return


def _wish(evening: Intrigue) -> None:
    chosen = evening.random
    faces = (chosen.randint(1, 6),) if chosen.random() < 0.1 else UNSET
    wish = replace(_random(evening), faces=faces, audience=chosen.choice(AUDIENCES))
    evening.ask(wish, chosen.choice(("gm", "gm", "ana", "ben")))


def _random(evening: Intrigue) -> Declare:
    ruleset, chosen = evening.ruleset, evening.random
    wish = random_wish(chosen, ruleset, evening.session.table, random_kind(chosen, ruleset))
    return Declare(msgspec.Raw(encode(wish)))


def _narration(evening: Intrigue) -> None:
    evening.ask(
        Narrate("Psst.", audience=evening.random.choice(AUDIENCES)),
        evening.random.choice(list(SEATS)),
    )


def _opening(evening: Intrigue) -> None:
    """Rarely that of a turn which has no secret, or none that the seat may open."""
    turns = [*evening.session.secrets.seals, evening.session.turn]
    evening.ask(OpenSeal(evening.random.choice(turns)), evening.random.choice(list(SEATS)))


def _rewind(evening: Intrigue) -> None:
    """Mostly a few turns back; sometimes anywhere, also into a branch that is undone already; or a take-back."""
    head, deed = evening.session.version, evening.session.last_command
    if evening.random.random() < 0.1:
        evening.ask(Rewind(max(1, deed.before), "oops"), deed.seat or "ana")
    back = evening.random.randint(1, 12 if evening.random.random() < 0.7 else head)
    evening.ask(Rewind(max(1, head - back), "we had forgotten a rule"), evening.gm)


def _hand_over(evening: Intrigue) -> None:
    evening.ask(HandOver(evening.random.choice(("gm", "ana", "ben", "dan"))), evening.gm)


def _coming_or_going(evening: Intrigue) -> None:
    seat = evening.random.choice([*NEWCOMERS, *SEATS])
    held = evening.session.info.seats.get(seat)
    if held is None:
        evening.ask(TakeSeat(seat, NEWCOMERS[seat]), seat)
    else:
        evening.ask(LeaveSeat(seat) if held.present else TakeSeat(seat, held.role), seat)


STEPS: dict[Callable[[Intrigue], object], float] = {
    _wish: 0.76, _narration: 0.06, _opening: 0.06, _rewind: 0.05, _hand_over: 0.02, _coming_or_going: 0.05,
}  # fmt: skip
