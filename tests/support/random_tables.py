"""Random evenings at which the table draws, in any room: silence, short chains, absences, secrets, rewinds.

table = play_table(RULESETS[0], seed=7, turns=60)
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET, UnsetType

from domain.chance import NeedsDrawError, UndrawnChance
from domain.decider import Refused, Role
from domain.ruleset import AnyRuleset, Message, Option
from domain.session.messages import (
    Audience,
    HandOver,
    LeaveSeat,
    Narrate,
    OpenSeal,
    Rewind,
    SetPresence,
    TakeSeat,
)
from domain.session.state import HOUSE
from domain.session.turns import judge
from tests.support.commands import random_kind, random_wish
from tests.support.scripted_sessions import TRIES, MemoryLog
from tests.support.tables import TableEvening, wish_of

AUDIENCES: tuple[Audience | UnsetType, ...] = (UNSET, UNSET, UNSET, UNSET, "gm", "blind", "self")


def play_table(
    ruleset: AnyRuleset, seed: int, turns: int, log: MemoryLog | None = None
) -> TableEvening:
    """A random evening, hardly longer than so many turns; chains are short, and not all seats roll over in time."""
    options: dict[str, Option] = {"declared_dice": True, "take_back": True}
    table = TableEvening(seed, ruleset, options, log, length=90, links=12)
    while table.session.turn < turns:
        [step] = table.random.choices(list(STEPS), list(STEPS.values()))
        _try(table, step)
    return table


def _try(table: TableEvening, step: Callable[[TableEvening], object]) -> None:
    """Until it is allowed, or seems never to be."""
    for _ in range(TRIES):
        try:
            step(table)
        except Refused:
            continue
        return


def _wish(table: TableEvening) -> None:
    """In one of five some seat is silent or gives what is refused; now and then somebody speaks while all wait."""
    chosen, seats = table.random, list(table.session.info.seats)
    seat = chosen.choice((table.gm, *seats))
    wish = _drawing(table, seat) if chosen.random() < 0.6 else _random(table)
    if chosen.random() < 0.1:
        table.do(seat, wish, (chosen.randint(1, 6),))
        return
    quiet = [chosen.choice(seats)] if chosen.random() < 0.2 else []
    silent, garbled = (quiet, []) if chosen.random() < 0.6 else ([], quiet)
    between = (
        [(table.gm, Narrate("Wait.", audience=chosen.choice(AUDIENCES)))]
        if chosen.random() < 0.3
        else []
    )
    table.ask(seat, wish_of(wish, chosen.choice(AUDIENCES)), silent, garbled, between)


def _random(table: TableEvening) -> Message:
    return random_wish(
        table.random, table.ruleset, table.session.table, random_kind(table.random, table.ruleset)
    )


def _drawing(table: TableEvening, seat: str) -> Message:
    """A wish that needs chance, if one is found soon."""
    by = table.session.by(seat)
    for _ in range(4 * TRIES):
        wish = _random(table)
        try:
            judge(table.session, wish_of(wish), by, UndrawnChance())
        except NeedsDrawError:
            return wish
        except Refused:
            continue
    return wish


def _roll(table: TableEvening) -> None:
    seat = table.random.choice([each for each in table.session.chains if each != HOUSE])
    if table.session.chains[seat].position < 6 and table.random.random() < 0.8:
        return
    table.roll(seat, show=table.random.random() < 0.9)


def _presence(table: TableEvening) -> None:
    """Mostly somebody comes back."""
    seats = table.session.info.seats
    away = [seat for seat, held in seats.items() if held.away and held.present]
    if away and table.random.random() < 0.8:
        table.do(seat := table.random.choice(away), SetPresence(seat, present=True))
    else:
        table.do(seat := table.random.choice(list(seats)), SetPresence(seat, present=False))


def _coming_or_going(table: TableEvening) -> None:
    seat = table.random.choice(["p1", "p2", "p3", "p4", "s1"])
    held = table.session.info.seats.get(seat)
    if held is None:
        table.do(seat, TakeSeat(seat, Role.SPECTATOR if seat == "s1" else Role.PLAYER))
    elif held.present and held.public_key is UNSET and table.random.random() < 0.3:
        table.bring(seat)
    else:
        table.do(seat, LeaveSeat(seat) if held.present else TakeSeat(seat, held.role))


def _rewind(table: TableEvening) -> None:
    """Mostly a few turns back; sometimes anywhere, or a take-back."""
    head, deed = table.session.version, table.session.last_command
    if table.random.random() < 0.2 and deed.seat:
        table.do(deed.seat, Rewind(max(1, deed.before), "oops"))
    back = table.random.randint(1, 12 if table.random.random() < 0.8 else head)
    table.do(table.gm, Rewind(max(1, head - back), "we had forgotten a rule"))


def _opening(table: TableEvening) -> None:
    turns = [*table.session.secrets.seals, table.session.turn]
    table.do(
        table.random.choice(list(table.session.info.seats)), OpenSeal(table.random.choice(turns))
    )


def _hand_over(table: TableEvening) -> None:
    table.do(table.gm, HandOver(table.random.choice(("gm", "p1", "p2", "p3"))))


STEPS: dict[Callable[[TableEvening], object], float] = {
    _wish: 0.7, _roll: 0.06, _presence: 0.07, _coming_or_going: 0.05, _rewind: 0.05, _opening: 0.05, _hand_over: 0.02,
}  # fmt: skip
