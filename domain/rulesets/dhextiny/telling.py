"""What a screen shows, what the log says and what statistics count. `tell` and `tally` need the event alone."""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET

from domain.rulesets.dhextiny import rules
from domain.rulesets.dhextiny.messages.events import (
    AbilitiesRolled,
    AbilityNamed,
    Adjusted,
    Altered,
    AmxAdjusted,
    Burned,
    CaughtFire,
    Checked,
    DeathChecked,
    EntityCreated,
    Event,
    Extinguished,
    Fire,
    Gained,
    Hit,
    Killed,
    Mastery,
    Rested,
    Settled,
    Smouldered,
    StatusAdjusted,
    TokenMoved,
)
from domain.rulesets.dhextiny.rules import DIE, RING, Result, Use
from domain.rulesets.dhextiny.state import Entity, OpenCheck, State
from domain.table import Board, Condition, Pool, Table, Task
from domain.table import Entity as Shown
from domain.tally import Chance, Counts, Landed, Moved, Rolled, Ticked, fair_die
from domain.tally import Settled as Concluded

WORDS = {
    Result.F: "failure",
    Result.PF: "partial failure",
    Result.PS: "partial success",
    Result.S: "success",
}
NOUNS = {Use.CHECK: "check", Use.ATTACK: "attack", Use.PUT_OUT: "attempt to put out the flames"}
D6 = "d6"
FACES = fair_die(DIE)
RISING = tuple(FACES)  # a die by itself: RULES 4.1, of abilities the more the better
FALLING = RISING[::-1]  # of rounds aflame the fewer
WORST_FIRST = tuple(Result)
AFLAME, BOARD = "Aflame", "ring"


def show(state: State) -> Table:
    """The ring, the entities with their pools and flames, and the open check."""
    return Table(
        entities={entity: _entity(of) for entity, of in state.entities.items()},
        boards={BOARD: Board("ring", tuple(RING), state.point)},
        pools={
            name: pool
            for entity, of in state.entities.items()
            for name, pool in _pools(entity, of).items()
        },
        conditions={
            f"{entity}.aflame": Condition(entity, AFLAME, of.aflame)
            for entity, of in state.entities.items()
            if of.aflame
        },
        tasks={} if state.check is UNSET else {"check": _task(state, state.check)},
    )


def _entity(of: Entity) -> Shown:
    sheet = {ability.name: f"AMX {ability.amx}" for ability in of.abilities}
    return Shown(of.name, of.seat, of.being, of.status, sheet)


def _pools(entity: str, of: Entity) -> dict[str, Pool]:
    return {
        f"{entity}.ap": Pool(entity, "AP", of.ap, of.ap_max),
        f"{entity}.lp": Pool(entity, "LP", of.lp, of.lp_start),
    }


def _task(state: State, check: OpenCheck) -> Task:
    seat = state.entities[check.entity].seat if check.entity in state.entities else ""
    sheet = {"entity": check.entity, "result": str(RING[state.point]), "moved": str(check.moved)}
    if check.ability is not UNSET:
        sheet["ability"] = check.ability
    if check.target is not UNSET:
        sheet["target"] = check.target
    return Task(seat, check.use, "settle" if check.altered else "alter or settle", sheet)


def tell(event: Event) -> str:
    """One sentence in the words of the rulebook; `{ana}` stands for an entity's name."""
    match event:
        case EntityCreated(who):
            return f"{_id(who)} comes to the table ({event.being}) with {event.ap} AP and {event.lp} LP."
        case AbilitiesRolled(who, face, number):
            return f"{_id(who)} rolls {face} and has {number} abilities to name."
        case AbilityNamed(who, ability, amx):
            return f"{_id(who)} has the ability {ability} with AMX {amx}."
        case Checked(who):
            return f"{_id(who)} {_aim(event)} and rolls {event.face}: {_walk(event.start, event.face)}."
        case Altered(who):
            price = (
                f"spends {event.cost} AP on {event.ability}"
                if event.cost
                else f"uses {event.ability} for no AP"
            )
            return f"{_id(who)} {price}: {_walk(event.start, event.steps)}; AP {event.ap}."
        case Settled(who, use, _, _, result):
            return f"{_id(who)}'s {NOUNS[use]} is settled: {WORDS[result]}."
        case Gained(who, _, gain, ap):
            return f"{_id(who)} gains {gain} AP by the failure; AP {ap}."
        case Hit(who, target):
            loss = f"{_id(target)} loses {event.loss} {event.pool}; {event.pool} {event.left}, {event.status}"
            return f"{_id(who)} hits for {event.damage}: {loss}."
        case DeathChecked(who):
            walk = _walk(event.start, event.face)
            return f"{_id(who)} makes a death check and rolls {event.face}: {walk}; LP {event.lp}, {event.status}."
        case CaughtFire() | Smouldered() | Extinguished() | Burned():
            return _tell_fire(event)
        case _:
            return _tell_mastery(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _aim(event: Checked) -> str:
    ability = "" if event.ability is UNSET else f" with {event.ability}"
    if event.target is UNSET:
        return f"makes a check{ability}"
    what = "attacks" if event.use is Use.ATTACK else "tries to put out the flames on"
    return f"{what} {_id(event.target)}{ability}"


def _walk(start: int, steps: int) -> str:
    labels = rules.path(start, steps)
    return f"{', '.join(labels)}, a {WORDS[labels[-1]]}"


def _tell_fire(event: Fire) -> str:
    match event:
        case CaughtFire(who, rounds):
            return f"{_id(who)} is aflame for {_rounds(rounds)}."
        case Smouldered(who, 0):
            return f"The flames on {_id(who)} burn out."
        case Smouldered(who, rounds):
            return f"{_id(who)} is aflame for {_rounds(rounds)} more."
        case Extinguished(who, target):
            return f"{_id(who)} extinguishes the flames on {_id(target)}."
        case Burned(who, old, lp, status):
            return f"{_id(who)} loses {old - lp} LP by the fire; LP {lp}, {status}."


def _rounds(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def _tell_mastery(event: Mastery) -> str:
    match event:
        case Rested(who, gain, ap):
            return f"{_id(who)} rests fully and recovers {gain} AP; AP {ap}."
        case Killed(who, _, reason):
            return f"{_id(who)} dies ({reason})."
        case Adjusted(who, pool, old, new, reason):
            return f"The GM sets the {pool} of {_id(who)} from {old} to {new} ({reason})."
        case AmxAdjusted(who, ability, old, new, reason):
            return (
                f"The GM sets the AMX of {_id(who)} for {ability} from {old} to {new} ({reason})."
            )
        case StatusAdjusted(who, before, after, reason):
            return f"The GM sets {_id(who)} from {before} to {after} ({reason})."
        case TokenMoved(old, new, reason):
            return f"The GM moves the token from {RING[old]} at {old} to {RING[new]} at {new} ({reason})."
        case _:
            raise TypeError(event)


def tally(event: Event) -> Counts:
    """What the event counts for: dice with their exact chances, results, points, rounds."""
    match event:
        case Checked(who, use, start, face):
            return _fallen(who, use, start, face)
        case DeathChecked(who, start, face, _, result, old, lp):
            settled = Concluded(who, Use.DEATH, result, result)
            return (
                *_fallen(who, Use.DEATH, start, face),
                settled,
                *_moved(who, "LP", lp - old, Use.DEATH, lp),
            )
        case AbilitiesRolled(who, face):
            return (Rolled(who, D6, str(face), "abilities", FACES, scale=RISING),)
        case CaughtFire(who, rounds):
            return Rolled(who, D6, str(rounds), "aflame", FACES, scale=FALLING), Ticked(
                who, AFLAME, rounds
            )
        case Smouldered(who, rounds):
            return (Ticked(who, AFLAME, rounds),)
        case Extinguished(_, target):
            return (Ticked(target, AFLAME, 0),)
        case Settled(who, use, rolled, _, result):
            return (Concluded(who, use, result, rolled),)
        case Altered(who):
            altered = Landed(who, BOARD, tuple(RING), event.point, "altered")
            return altered, *_moved(who, "AP", -event.cost, "alter", event.ap)
        case Gained(who, _, gain, ap):
            return _moved(who, "AP", gain, "failure", ap)
        case Hit(_, target):
            return _moved(target, event.pool, -event.loss, "hit", event.left)
        case Burned(who, old, lp):
            return _moved(who, "LP", lp - old, "fire", lp)
        case Rested(who, gain, ap):
            return _moved(who, "AP", gain, "rest", ap)
        case Adjusted(who, pool, old, new):
            return _moved(who, pool, new - old, "adjusted", new)
        case (
            EntityCreated()
            | AbilityNamed()
            | Killed()
            | AmxAdjusted()
            | StatusAdjusted()
            | TokenMoved()
        ):
            return ()
        case _:
            raise TypeError(event)


def _fallen(who: str, use: Use, start: int, face: int) -> Counts:
    """The die on the ring: from every point each face has its own end."""
    ends, at = Counter(rules.path(start, DIE)), rules.ahead(start, face)
    outcomes: dict[str, Chance] = {result: (ends[result], DIE) for result in Result}
    points: dict[str, Chance] = {
        str(rules.ahead(start, steps)): (1, DIE) for steps in range(1, DIE + 1)
    }
    rolled = Rolled(
        who, D6, str(face), use, FACES, RING[at], outcomes, WORST_FIRST, {"start": start}
    )
    return rolled, Landed(who, BOARD, tuple(RING), at, "rolled", points)


def _moved(who: str, pool: str, by: int, why: str, now: int) -> Counts:
    return (Moved(who, pool, by, why, now),) if by else ()
