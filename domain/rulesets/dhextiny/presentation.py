"""Presentation of Dhextiny: its table, event descriptions and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import UNSET, UnsetType

from domain import table
from domain.differences import Wording, plain_condition
from domain.rulesets.dhextiny import messages as m, rules
from domain.rulesets.dhextiny.rules import (
    AFLAME,
    DIE,
    RING,
    Being,
    Dies,
    Pool,
    Result,
    RollPurpose,
    Status,
)
from domain.rulesets.dhextiny.state import Entity, SettledCheck, State, UnsettledCheck
from domain.tally import (
    Attempted,
    Counts,
    Landed,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    fair_die,
)

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
BEING_NOUNS = {Being.PC: "a PC", Being.NPC: "an NPC", Being.CREATURE: "a creature"}
POOL_WORDS = {Pool.AP_MAX: "maximum AP", Pool.LP_MAX: "maximum LP"}
DEATH_WORDS = {
    Dies.NEVER: "does not die from losing LP",
    Dies.AT_ZERO: "dies at 0 LP",
    Dies.AT_MINUS_SIX: "dies at -6 LP",
}
HOUR = 60  # minutes
AMBIGUOUS = (Result.PS, Result.PF)  # the GM says what they mean (RULES 1.2)
D6 = "d6"
ABILITIES, CAUGHT_FIRE = "abilities", "aflame"  # what these plain rolls are for
RISING = fair_die(DIE)  # more abilities are better (RULES 4.1)
FALLING = dict(reversed(RISING.items()))  # fewer rounds aflame are better
SUCCESSES = (Result.PS, Result.S)  # RULES 1.2
Stakes = Literal["", "harm", "life"]
STAKES: Mapping[RollPurpose, Stakes] = {
    RollPurpose.CHECK: "",
    RollPurpose.ATTACK: "harm",
    RollPurpose.PUT_OUT: "harm",
    RollPurpose.DEATH: "life",
}
BOARD = "ring"
LEVELS = tuple(tuple(Result).index(label) + 1 for label in RING)


def show(state: State) -> table.Table:
    """Return the table: the ring, the entities, their conditions and the open tasks."""
    return table.Table(
        entities={entity: _entity(of) for entity, of in state.entities.items()},
        boards={BOARD: table.Board("ring", tuple(RING), state.point, LEVELS)},
        pools={
            name: pool
            for entity, of in state.entities.items()
            for name, pool in _pools(entity, of).items()
        },
        conditions=_conditions(state),
        tasks=dict(_tasks(state)),
    )


def _entity(of: Entity) -> table.Entity:
    sheet = {ability.name: f"AMX {ability.amx}" for ability in of.abilities}
    summary = " · ".join(f"{ability.name} {ability.amx}" for ability in of.abilities)
    return table.Entity(of.name, of.seat, of.being, of.status, sheet, summary)


def _condition_words(label: str) -> str:
    return "burns" if label == AFLAME else plain_condition(label)


WORDING = Wording(
    condition=_condition_words,
    entry=lambda name, _: f"the ability {name}",
)


def _pools(entity: str, of: Entity) -> dict[str, table.Pool]:
    return {
        f"{entity}.ap": table.Pool(entity, "AP", of.ap, of.ap_max, meaning="ability points"),
        f"{entity}.lp": table.Pool(
            entity, "LP", of.lp, of.lp_start, "health", meaning="life points"
        ),
    }


def _conditions(state: State) -> dict[str, table.Condition]:
    fires = {
        f"{entity}.aflame": table.Condition(entity, AFLAME, of.aflame)
        for entity, of in state.entities.items()
        if of.aflame
    }
    return fires | {
        key: table.Condition(of.entity, of.name, of.rounds, of.minutes, of.note)
        for key, of in state.conditions.items()
        if of.entity in state.entities
    }


def _tasks(state: State) -> Iterator[tuple[str, table.Task]]:
    """Yield the open check, the due death checks and the result that the GM has to interpret.

    Only the open check is assigned to a seat. Players can take back a command that left a task for
    their own seat, and they must not be able to take back a settled check or a death check.
    """
    if state.check is not UNSET:
        yield "check", _check_task(state, state.check)
    for entity, of in state.entities.items():
        if of.status is Status.DYING:
            waits = "a death check at the next opportunity"
            yield f"{entity}.death", table.Task("", RollPurpose.DEATH, waits, {"entity": entity})
    if state.settled is not UNSET and state.settled.result in AMBIGUOUS:
        yield "interpretation", _interpretation_task(state.settled)


def _check_task(state: State, check: UnsettledCheck) -> table.Task:
    seat = state.entities[check.entity].seat if check.entity in state.entities else ""
    sheet = {"entity": check.entity, "result": str(RING[state.point]), "moved": str(check.moved)}
    if check.ability is not UNSET:
        sheet["ability"] = check.ability
    if check.target is not UNSET:
        sheet["target"] = check.target
    if check.aim is not UNSET:
        sheet["aim"] = check.aim
    is_open = not check.altered or (
        state.options.several_abilities_may_pay is True and RING[state.point] is not Result.F
    )
    return table.Task(seat, check.use, "alter or settle" if is_open else "settle", sheet)


def _interpretation_task(settled: SettledCheck) -> table.Task:
    sheet = {"entity": settled.entity, "result": str(settled.result)}
    return table.Task("", settled.use, "the GM's interpretation", sheet)


def describe(event: m.Event) -> str:
    """Describe the event in one sentence, with ids in braces (`{ana}`) instead of names."""
    match event:
        case m.EntityCreated(entity):
            arrival = f"{_name(entity)} joins the game as {BEING_NOUNS[event.being]}"
            return f"{arrival} with {event.ap} AP and {event.lp} LP."
        case m.AbilitiesRolled(entity, face, number, aim):
            return _begin(aim, f"{_name(entity)} rolls {face} and may name {number} abilities.")
        case m.AbilityNamed(entity, ability, amx):
            return f"{_name(entity)} has a new ability: {ability} (AMX {amx})."
        case m.Checked(entity):
            path = _path(event.start, event.face)
            return _begin(event.aim, f"{_name(entity)} {_attempt(event)}; {path}.")
        case m.CheckedAside(entity, _, face, _, result):
            roll = f"{_name(entity)} rolls {face} on {_subject(event.ability)}"
            outcome = f"without moving the token: {RESULT_WORDS[result]}"
            return _begin(event.aim, f"{roll} {outcome}.")
        case m.Altered():
            return _describe_alteration(event)
        case m.Settled(entity, use, rolled, _, result):
            if result == rolled:
                return f"{_name(entity)}'s {RESULT_WORDS[result]} stands."
            return f"{_name(entity)}'s {USE_NOUNS[use]} ends in {RESULT_WORDS[result]}."
        case m.Interpreted(entity, result, text):
            on_one_line = " ".join(text.split())
            outcome = f"{RESULT_WORDS[result].capitalize()} for {_name(entity)}"
            return f'{outcome}. The GM: "{on_one_line}"'
        case m.Gained():
            return _describe_gain(event)
        case m.Hit():
            return _describe_hit(event)
        case m.DeathChecked():
            return _describe_death_check(event)
        case m.Rested(entity, 0, ap):
            return f"{_name(entity)} takes a full rest but already has full AP ({ap} AP)."
        case m.Rested(entity, gain, ap):
            return f"{_name(entity)} takes a full rest, recovers {gain} AP and now has {ap}."
        case m.Killed(entity, _, reason):
            return f"{_name(entity)} dies ({reason})."
        case m.CaughtFire() | m.Smouldered() | m.Extinguished() | m.FireAdjusted() | m.Burned():
            return _describe_fire(event)
        case m.ConditionSet() | m.ConditionTicked() | m.ConditionEnded():
            return _describe_condition(event)
        case _:
            return _describe_adjustment(event)


def _describe_fire(
    event: m.CaughtFire | m.Smouldered | m.Extinguished | m.FireAdjusted | m.Burned,
) -> str:
    match event:
        case m.CaughtFire(entity, rounds, aim):
            burning = f"{_name(entity)} catches fire and will burn for {_count(rounds, 'round')}."
            return _begin(aim, burning)
        case m.Smouldered(entity, 0):
            return f"The flames on {_name(entity)} burn out."
        case m.Smouldered(entity, rounds):
            return f"{_name(entity)} will burn for {_count(rounds, 'more round')}."
        case m.Extinguished(entity, target):
            return f"{_name(entity)} puts out the flames{_on_other(entity, target)}."
        case m.FireAdjusted(entity, _, 0, reason):
            return f"The flames on {_name(entity)} go out ({reason})."
        case m.FireAdjusted(entity, old, new, reason):
            left = f"{_count(new, 'more round')} instead of {old}"
            return f"{_name(entity)} will burn for {left} ({reason})."
        case m.Burned(entity, old, lp, status):
            return f"The fire costs {_name(entity)} {old - lp} LP{_lp_left(entity, lp, status)}."


def _describe_condition(event: m.ConditionSet | m.ConditionTicked | m.ConditionEnded) -> str:
    name = _name(event.entity)
    no_longer = f'{name} no longer has the condition "{event.name}"'
    match event:
        case m.ConditionSet(_, _, rounds, minutes, note):
            now_has = f'{name} now has the condition "{event.name}"{_lasting(rounds, minutes)}'
            return f"{now_has}." if note is UNSET else f"{now_has} ({note})."
        case m.ConditionTicked(rounds=0) | m.ConditionTicked(minutes=0):
            return f"{no_longer}."
        case m.ConditionTicked(_, _, rounds, minutes):
            left = _lasting(rounds, minutes, "more ")
            return f'{name} has the condition "{event.name}"{left}.'
        case m.ConditionEnded(reason=reason):
            return f"{no_longer} ({reason})."


def _lasting(rounds: int | UnsetType, minutes: int | UnsetType, more: str = "") -> str:
    if rounds is not UNSET:
        return f" for {_count(rounds, f'{more}round')}"
    return "" if minutes is UNSET else f" for {_duration(minutes, more)}"


def _duration(minutes: int, more: str) -> str:
    """Return the duration as text. Durations of two hours or more are in hours and minutes."""
    if minutes < 2 * HOUR:
        return _count(minutes, f"{more}minute")
    hours, rest = divmod(minutes, HOUR)
    time = f"{hours} hours and {_count(rest, 'minute')}" if rest else f"{hours} hours"
    return f"another {time}" if more else time


def _describe_adjustment(event: m.Event) -> str:
    match event:
        case m.AbilityGranted(entity, ability, amx, reason):
            return f"The GM gives {_name(entity)} a new ability: {ability}, AMX {amx} ({reason})."
        case m.AbilityRenamed(entity, old_name, new_name, reason):
            ability = f"{_name(entity)}'s ability"
            return f'{ability} "{old_name}" is now called "{new_name}" ({reason}).'
        case m.AbilityRemoved(entity, ability, reason):
            return f'{_name(entity)} no longer has the ability "{ability}" ({reason}).'
        case m.Harmed(entity, old, lp, status, reason):
            loss = f"{_name(entity)} loses {old - lp} LP{_lp_left(entity, lp, status)}."
            return _begin(reason, loss)
        case m.Adjusted(entity, pool, old, new, reason):
            change = _change(f"{_name(entity)}'s {POOL_WORDS.get(pool, pool)}", old, new)
            return f"The GM {change} ({reason})."
        case m.AmxAdjusted(entity, ability, old, new, reason):
            change = _change(f"{_name(entity)}'s AMX for {ability}", old, new)
            return f"The GM {change} ({reason})."
        case m.DeathRuleSet(entity, _, rule, reason):
            return f"From now on, {_name(entity)} {DEATH_WORDS[rule]} ({reason})."
        case m.StatusAdjusted(entity, before, after, reason):
            return f"{_name(entity)} {_status_change(before, after)} ({reason})."
        case m.TokenMoved(old, new, reason) if old == new:
            return f"The GM leaves the token on {_point(new)} ({reason})."
        case m.TokenMoved(old, new, reason):
            return f"The GM moves the token from {_point(old)} to {_point(new)} ({reason})."
        case _:
            raise TypeError(event)


def _begin(aim: str | UnsetType, line: str) -> str:
    """Return the line, preceded by the aim if there is one, as in "Pick the lock: ..."."""
    words = "" if aim is UNSET else aim.strip().rstrip(". ")
    if not words:
        return line
    return f"{words[0].upper()}{words[1:]}{'' if words[-1] in '?!' else ':'} {line}"


def _describe_alteration(event: m.Altered) -> str:
    name, ability, result, ap = _name(event.entity), event.ability, event.result, event.ap
    if not event.cost:
        return (
            f"{name} uses {ability} to move the token on to {result} at no AP cost ({ap} AP left)."
        )
    price = f"{name} spends {event.cost} AP on {ability}"
    move = f"moves the token {_count(event.steps, 'more point')} to {result}"
    return f"{price} and {move}: {RESULT_WORDS[result]} ({ap} AP left)."


def _describe_gain(event: m.Gained) -> str:
    name, gain, ap = _name(event.entity), event.gain, event.ap
    if not gain:
        return f"{name}'s pool is full, so the failure adds nothing ({ap} AP)."
    if gain < event.nominal:
        gained = f"{name} gains only {gain} of the {event.nominal} AP from the failure"
        return f"{gained}, because the pool is full now ({ap} AP)."
    return f"{name} gains {gain} AP from the failure and now has {ap}."


def _describe_hit(event: m.Hit) -> str:
    name, target = _name(event.entity), _name(event.target)
    if event.pool is Pool.AP and event.left:
        before = event.left + event.loss
        return f"{name} hits and takes {event.loss} of {target}'s {before} AP."
    if event.pool is Pool.AP:
        return f"{name} hits for {event.damage} and takes {target}'s last {event.loss} AP."
    left = _lp_left(event.target, event.left, event.status)
    if event.result is Result.PS:
        loss = f"loses {event.loss} LP instead{left}"
        return f"{name} hits for {event.damage}, but {target} has no AP to lose and {loss}."
    return f"{name} hits {target} for {event.loss} LP{left}."


def _name(entity: str) -> str:
    return f"{{{entity}}}"


def _attempt(event: m.Checked) -> str:
    if event.target is UNSET:
        return f"rolls {event.face} on {_subject(event.ability)}"
    what = (
        f"attacks {_name(event.target)}"
        if event.use is RollPurpose.ATTACK
        else f"tries to put out the flames{_on_other(event.entity, event.target)}"
    )
    ability = "" if event.ability is UNSET else f" on {event.ability}"
    return f"{what} and rolls {event.face}{ability}"


def _subject(ability: str | UnsetType) -> str:
    return "a check" if ability is UNSET else ability


def _on_other(entity: str, target: str) -> str:
    """Return " on" and the target's name, or "" if the entity itself is the target."""
    return "" if entity == target else f" on {_name(target)}"


def _path(start: int, steps: int) -> str:
    labels = rules.path(start, steps)
    way = ", ".join(labels) if steps > 1 else f"to {labels[-1]}"
    return f"the token goes {way}: {RESULT_WORDS[labels[-1]]}"


def _point(point: int) -> str:
    """Return the point in words.

    Two points are labelled PF and two PS. The text tells them apart by the F or S beside them.
    """
    label = RING[point]
    if RING.count(label) == 1:
        return label
    following = RING[rules.point_ahead(point, 1)]
    if RING.count(following) == 1:
        return f"the {label} before {following}"
    return f"the {label} after {RING[rules.point_ahead(point, len(RING) - 1)]}"


def _describe_death_check(event: m.DeathChecked) -> str:
    name = _name(event.entity)
    roll = f"{name} rolls {event.face} on a death check; {_path(event.start, event.face)}"
    return _begin(event.aim, f"{roll}, so {name} {_fate(event)}.")


def _fate(event: m.DeathChecked) -> str:
    loss = f"loses {event.old - event.lp} LP and " if event.lp < event.old else ""
    match event.status:
        case Status.OK:
            return f"comes back with {event.lp} LP"
        case Status.DYING:
            return f"{loss}is still dying ({event.lp} LP)"
        case Status.DEAD:
            return f"{loss}dies ({event.lp} LP)"


def _lp_left(entity: str, lp: int, status: Status) -> str:
    """Return the end of a sentence about lost LP: the LP left, and the status unless it is ok."""
    if status is Status.OK:
        return f" ({lp} LP left)"
    return f", which leaves {_name(entity)} {status} at {lp} LP"


def _status_change(before: Status, after: Status) -> str:
    if after is Status.OK:
        return "is still all right" if before is after else "is all right again"
    if before is after:
        return f"is still {after}"
    return "is dying, not dead" if before is Status.DEAD else f"is {after} now"


def _change(what: str, old: int, new: int) -> str:
    if old == new:
        return f"leaves {what} at {new}"
    return f"{'raises' if new > old else 'lowers'} {what} from {old} to {new}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def tally(event: m.Event) -> Counts:
    """Return the event's statistics: dice, outcomes with their odds, points and rounds."""
    match event:
        case m.EntityCreated(entity, seat=seat):
            return (Owned(entity, seat),)
        case m.Checked(entity, use, start, face):
            is_save = use is RollPurpose.PUT_OUT and event.target == entity
            return *_roll(entity, use, start, face, is_save=is_save), _landed(entity, start, face)
        case m.CheckedAside(entity, start, face, _, result):
            settled = Settled(entity, RollPurpose.CHECK, result, result)
            return *_roll(entity, RollPurpose.CHECK, start, face), settled
        case m.DeathChecked(entity, start, face, _, result, old, lp):
            return (
                *_roll(entity, RollPurpose.DEATH, start, face, is_save=True),
                Settled(entity, RollPurpose.DEATH, result, result),
                _landed(entity, start, face),
                *_pool_change(entity, "LP", lp - old, RollPurpose.DEATH, lp),
            )
        case m.AbilitiesRolled(entity, face):
            return _plain_roll(entity, ABILITIES, face, RISING)
        case m.CaughtFire() | m.Smouldered() | m.FireAdjusted() | m.Extinguished():
            return _fire_counts(event)
        case m.Settled(entity, use, rolled, _, result):
            return (Settled(entity, use, result, rolled),)
        case m.Altered(entity):
            altered = Landed(entity, BOARD, tuple(RING), event.point, "altered")
            return altered, *_pool_change(entity, "AP", -event.cost, "alter", event.ap)
        case m.Gained(entity, _, gain, ap):
            return _pool_change(entity, "AP", gain, "failure", ap)
        case m.Hit(_, target):
            return _pool_change(target, event.pool, -event.loss, "hit", event.left)
        case m.ConditionSet() | m.ConditionTicked():
            left, is_set = event.rounds, isinstance(event, m.ConditionSet)
            return () if left is UNSET else (Ticked(event.entity, event.name, left, is_set),)
        case m.ConditionEnded(entity, name, _, rounds_lost):
            return () if rounds_lost is UNSET else (Ticked(entity, name, 0, is_set=True),)
        case m.Burned(entity, old, lp):
            return _pool_change(entity, "LP", lp - old, "fire", lp)
        case m.Harmed(entity, old, lp):
            return _pool_change(entity, "LP", lp - old, "harm", lp)
        case m.Rested(entity, gain, ap):
            return _pool_change(entity, "AP", gain, "rest", ap)
        case m.Adjusted(entity, pool, old, new):
            return _pool_change(entity, pool, new - old, "adjusted", new)
        case _:
            return ()


def _fire_counts(
    event: m.CaughtFire | m.Smouldered | m.FireAdjusted | m.Extinguished,
) -> Counts:
    match event:
        case m.CaughtFire(entity, rounds):
            rolls = _plain_roll(entity, CAUGHT_FIRE, rounds, FALLING, "harm")
            return *rolls, Ticked(entity, AFLAME, rounds, is_set=True)
        case m.Smouldered(entity, rounds):
            return (Ticked(entity, AFLAME, rounds),)
        case m.FireAdjusted(entity, _, rounds):
            return (Ticked(entity, AFLAME, rounds, is_set=True),)
        case m.Extinguished(_, target):
            return (Ticked(target, AFLAME, 0, is_set=True),)


def _plain_roll(
    entity: str, use: str, face: int, chances: dict[str, Probability], stakes: Stakes = ""
) -> tuple[Rolled, Attempted]:
    """Return the face, which is the outcome itself because the token does not move."""
    attempted = Attempted(entity, use, str(face), str(face), chances, stakes=stakes)
    return Rolled(entity, D6, str(face), use), attempted


def _roll(
    entity: str, use: RollPurpose, start: int, face: int, *, is_save: bool = False
) -> tuple[Rolled, Attempted]:
    """Return the face, and the result that it gives when it is counted from `start`."""
    attempted = Attempted(
        entity,
        use,
        str(face),
        RING[rules.point_ahead(start, face)],
        _result_chances(start),
        SUCCESSES,
        stakes=STAKES[use],
        is_save=is_save,
        given={"start": start},
    )
    return Rolled(entity, D6, str(face), use), attempted


@lru_cache
def _result_chances(start: int) -> dict[str, Probability]:
    ends = Counter(rules.path(start, DIE))
    return {label: (ends[label], DIE) for label in Result}


def _landed(entity: str, start: int, face: int) -> Landed:
    """Return the point where the token landed, and the chances of all points."""
    points: dict[str, Probability] = {
        str(rules.point_ahead(start, steps)): (1, DIE) for steps in range(1, DIE + 1)
    }
    return Landed(entity, BOARD, tuple(RING), rules.point_ahead(start, face), "rolled", points)


def _pool_change(entity: str, pool: str, by: int, why: str, now: int) -> Counts:
    return (Moved(entity, pool, by, why, now),) if by else ()
