"""Presentation of Dhextiny: its table, event descriptions and statistics."""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET

from domain import table
from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import DIE, RING, Result, RollPurpose
from domain.rulesets.dhextiny.state import Entity, State, UnsettledCheck
from domain.tally import Counts, Landed, Moved, Probability, Rolled, Settled, Ticked, fair_die

RESULT_WORDS = {
    Result.F: "failure",
    Result.PF: "partial failure",
    Result.PS: "partial success",
    Result.S: "success",
}
USE_NOUNS = {
    RollPurpose.CHECK: "check",
    RollPurpose.ATTACK: "attack",
    RollPurpose.PUT_OUT: "attempt to put out the flames",
}
D6 = "d6"
FACES = fair_die(DIE)
RISING = tuple(FACES)  # more abilities are better (RULES 4.1)
FALLING = RISING[::-1]  # fewer rounds aflame are better
WORST_FIRST = tuple(Result)
AFLAME, BOARD = "Aflame", "ring"


def show(state: State) -> table.Table:
    """Return the table: the ring, the entities and the open check."""
    return table.Table(
        entities={entity: _entity(of) for entity, of in state.entities.items()},
        boards={BOARD: table.Board("ring", tuple(RING), state.point)},
        pools={
            name: pool
            for entity, of in state.entities.items()
            for name, pool in _pools(entity, of).items()
        },
        conditions={
            f"{entity}.aflame": table.Condition(entity, AFLAME, of.aflame)
            for entity, of in state.entities.items()
            if of.aflame
        },
        tasks={} if state.check is UNSET else {"check": _task(state, state.check)},
    )


def _entity(of: Entity) -> table.Entity:
    sheet = {ability.name: f"AMX {ability.amx}" for ability in of.abilities}
    return table.Entity(of.name, of.seat, of.being, of.status, sheet)


def _pools(entity: str, of: Entity) -> dict[str, table.Pool]:
    return {
        f"{entity}.ap": table.Pool(entity, "AP", of.ap, of.ap_max),
        f"{entity}.lp": table.Pool(entity, "LP", of.lp, of.lp_start),
    }


def _task(state: State, check: UnsettledCheck) -> table.Task:
    seat = state.entities[check.entity].seat if check.entity in state.entities else ""
    sheet = {"entity": check.entity, "result": str(RING[state.point]), "moved": str(check.moved)}
    if check.ability is not UNSET:
        sheet["ability"] = check.ability
    if check.target is not UNSET:
        sheet["target"] = check.target
    return table.Task(seat, check.use, "settle" if check.altered else "alter or settle", sheet)


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with ids in braces (`{ana}`) instead of names."""
    match event:
        case m.EntityCreated(entity):
            return f"{_name(entity)} comes to the table ({event.being}) with {event.ap} AP and {event.lp} LP."
        case m.AbilitiesRolled(entity, face, number):
            return f"{_name(entity)} rolls {face} and has {number} abilities to name."
        case m.AbilityNamed(entity, ability, amx):
            return f"{_name(entity)} has the ability {ability} with AMX {amx}."
        case m.Checked(entity):
            return f"{_name(entity)} {_aim(event)} and rolls {event.face}: {_path(event.start, event.face)}."
        case m.Altered(entity):
            price = (
                f"spends {event.cost} AP on {event.ability}"
                if event.cost
                else f"uses {event.ability} for no AP"
            )
            return f"{_name(entity)} {price}: {_path(event.start, event.steps)}; AP {event.ap}."
        case m.Settled(entity, use, _, _, result):
            return f"{_name(entity)}'s {USE_NOUNS[use]} is settled: {RESULT_WORDS[result]}."
        case m.Gained(entity, _, gain, ap):
            return f"{_name(entity)} gains {gain} AP by the failure; AP {ap}."
        case m.Hit(entity, target):
            loss = f"{_name(target)} loses {event.loss} {event.pool}; {event.pool} {event.left}, {event.status}"
            return f"{_name(entity)} hits for {event.damage}: {loss}."
        case m.DeathChecked(entity):
            walk = _path(event.start, event.face)
            return f"{_name(entity)} makes a death check and rolls {event.face}: {walk}; LP {event.lp}, {event.status}."
        case m.CaughtFire(entity, rounds):
            return f"{_name(entity)} is aflame for {_rounds(rounds)}."
        case m.Smouldered(entity, 0):
            return f"The flames on {_name(entity)} burn out."
        case m.Smouldered(entity, rounds):
            return f"{_name(entity)} is aflame for {_rounds(rounds)} more."
        case m.Extinguished(entity, target):
            return f"{_name(entity)} extinguishes the flames on {_name(target)}."
        case m.Burned(entity, old, lp, status):
            return f"{_name(entity)} loses {old - lp} LP by the fire; LP {lp}, {status}."
        case m.Rested(entity, gain, ap):
            return f"{_name(entity)} rests fully and recovers {gain} AP; AP {ap}."
        case m.Killed(entity, _, reason):
            return f"{_name(entity)} dies ({reason})."
        case m.Adjusted(entity, pool, old, new, reason):
            return f"The GM sets the {pool} of {_name(entity)} from {old} to {new} ({reason})."
        case m.AmxAdjusted(entity, ability, old, new, reason):
            return f"The GM sets the AMX of {_name(entity)} for {ability} from {old} to {new} ({reason})."
        case m.StatusAdjusted(entity, before, after, reason):
            return f"The GM sets {_name(entity)} from {before} to {after} ({reason})."
        case m.TokenMoved(old, new, reason):
            return f"The GM moves the token from {RING[old]} at {old} to {RING[new]} at {new} ({reason})."
        case _:
            raise TypeError(event)


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _aim(event: m.Checked) -> str:
    ability = "" if event.ability is UNSET else f" with {event.ability}"
    if event.target is UNSET:
        return f"makes a check{ability}"
    what = "attacks" if event.use is RollPurpose.ATTACK else "tries to put out the flames on"
    return f"{what} {_name(event.target)}{ability}"


def _path(start: int, steps: int) -> str:
    labels = rules.path(start, steps)
    return f"{', '.join(labels)}, a {RESULT_WORDS[labels[-1]]}"


def _rounds(rounds: int) -> str:
    return "1 round" if rounds == 1 else f"{rounds} rounds"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: dice with their odds, results, points and rounds."""
    match event:
        case m.Checked(entity, use, start, face):
            return _die_on_ring(entity, use, start, face)
        case m.DeathChecked(entity, start, face, _, result, old, lp):
            settled = Settled(entity, RollPurpose.DEATH, result, result)
            return (
                *_die_on_ring(entity, RollPurpose.DEATH, start, face),
                settled,
                *_pool_change(entity, "LP", lp - old, RollPurpose.DEATH, lp),
            )
        case m.AbilitiesRolled(entity, face):
            return (Rolled(entity, D6, str(face), "abilities", FACES, scale=RISING),)
        case m.CaughtFire(entity, rounds):
            return Rolled(entity, D6, str(rounds), "aflame", FACES, scale=FALLING), Ticked(
                entity, AFLAME, rounds
            )
        case m.Smouldered(entity, rounds):
            return (Ticked(entity, AFLAME, rounds),)
        case m.Extinguished(_, target):
            return (Ticked(target, AFLAME, 0),)
        case m.Settled(entity, use, rolled, _, result):
            return (Settled(entity, use, result, rolled),)
        case m.Altered(entity):
            altered = Landed(entity, BOARD, tuple(RING), event.point, "altered")
            return altered, *_pool_change(entity, "AP", -event.cost, "alter", event.ap)
        case m.Gained(entity, _, gain, ap):
            return _pool_change(entity, "AP", gain, "failure", ap)
        case m.Hit(_, target):
            return _pool_change(target, event.pool, -event.loss, "hit", event.left)
        case m.Burned(entity, old, lp):
            return _pool_change(entity, "LP", lp - old, "fire", lp)
        case m.Rested(entity, gain, ap):
            return _pool_change(entity, "AP", gain, "rest", ap)
        case m.Adjusted(entity, pool, old, new):
            return _pool_change(entity, pool, new - old, "adjusted", new)
        case _:
            return ()


def _die_on_ring(entity: str, use: RollPurpose, start: int, face: int) -> Counts:
    """Return the die roll and the point where the token landed.

    Both include the probabilities of all possible outcomes.
    """
    ends, at = Counter(rules.path(start, DIE)), rules.point_ahead(start, face)
    outcomes: dict[str, Probability] = {result: (ends[result], DIE) for result in Result}
    points: dict[str, Probability] = {
        str(rules.point_ahead(start, steps)): (1, DIE) for steps in range(1, DIE + 1)
    }
    rolled = Rolled(
        entity, D6, str(face), use, FACES, RING[at], outcomes, WORST_FIRST, {"start": start}
    )
    return rolled, Landed(entity, BOARD, tuple(RING), at, "rolled", points)


def _pool_change(entity: str, pool: str, by: int, why: str, now: int) -> Counts:
    return (Moved(entity, pool, by, why, now),) if by else ()
