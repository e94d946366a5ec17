"""Dhextiny's constants, options and arithmetic, as explained in RULES.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType


class Result(StrEnum):
    """The possible results: failure, partial failure, partial success and success."""

    F = "F"
    PF = "PF"
    PS = "PS"
    S = "S"


F, PF, PS, S = Result
RING = (F, PF, PS, S, PS, PF)  # clockwise from the start
HITS = (S, PS)  # RULES 8.1: the rulebook says "[P] or [PS]", but P does not exist
DIE = 6

SURCHARGE = {S: 2}
GAIN = 2

AP_START = 12
AMX_START = 3
LP_START = 6
ABILITIES_ADDED = 2  # 1d6+2

FATAL_LP = -6
STABLE_LP = 1
DEATH_CHECK_LOSS = {PS: 0, PF: 1}
WEARY_LOSS = 1  # LP lost if a PS hits an entity that has 0 AP

# Limits that keep numbers and tables to a manageable size (RULES 3.6, 4.4, 7.4, 9.10, 10.8)
MAX_POINTS = 999  # for AP, maximum AP, LP and maximum LP
MIN_LP = -999
MAX_AMX = 99
MAX_ENTITIES = 100
MAX_ABILITIES = 40
MAX_CONDITIONS = 20  # per entity
MAX_ROUNDS = 10_000
MAX_MINUTES = 100_000

AFLAME = "Aflame"  # the condition that has its own rules (RULES 10)

# The first edition in which each rule holds. Sessions of earlier editions do not apply the rule.
ABILITIES_DIFFER_BY_WORDS_SINCE = 2  # RULES 4.2
INTERPRETED_SINCE = 2  # RULES 5.7
GM_ALTERS_FOR_PLAYERS_SINCE = 2  # RULES 6.9
NAMED_ABILITY_STAYS_SINCE = 2  # RULES 6.11
NO_ATTACK_ON_ONESELF_SINCE = 2  # RULES 8.1
DEAD_DO_NOT_CATCH_FIRE_SINCE = 2  # RULES 10.1
CHANGES_REQUIRED_SINCE = 2  # RULES 11.7
BLANK_TEXTS_REFUSED_SINCE = 2  # RULES 12.4
NAMED_SEATS_MUST_PLAY_SINCE = 2  # RULES 15.6, checked by the session


class Being(StrEnum):
    PC = "PC"
    NPC = "NPC"
    CREATURE = "creature"


class Status(StrEnum):
    OK = "ok"
    DYING = "dying"
    DEAD = "dead"


class Dies(StrEnum):
    """The LP at which a creature dies."""

    NEVER = "never"
    AT_ZERO = "at 0 LP"
    AT_MINUS_SIX = "at -6 LP"


LP_OF_DEATH: Mapping[Dies, int | UnsetType] = {
    Dies.NEVER: UNSET,
    Dies.AT_ZERO: 0,
    Dies.AT_MINUS_SIX: FATAL_LP,
}


class RollPurpose(StrEnum):
    """The purpose of a die roll."""

    CHECK = "check"
    ATTACK = "attack"
    PUT_OUT = "put out"
    DEATH = "death check"


class Pool(StrEnum):
    AP = "AP"
    AP_MAX = "AP max"
    LP = "LP"
    LP_MAX = "LP max"


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The GM's choices when opening the session.

    The GM chooses where the token starts and how ambiguous rules are interpreted. Options that were
    added later are absent by default, so that old logs and tables are encoded as before.
    """

    point: Annotated[
        int,
        Meta(
            ge=0,
            le=5,
            description="the index of the token's starting point, counted clockwise from F"
            " (RULES 2.3)",
        ),
    ] = 0
    last_result: (
        Annotated[
            Result,
            Meta(
                description="the label of the starting point; the token then starts on the first"
                " point with this label, clockwise from `point` (RULES 2.4)"
            ),
        ]
        | UnsetType
    ) = UNSET
    s_surcharge_counts_for_amx: Annotated[
        bool, Meta(description="whether the 2 extra AP for S count towards the AMX (RULES 6.6)")
    ] = True
    natural_f_gains_at_once: Annotated[
        bool,
        Meta(
            description="whether a rolled F gains AP at once rather than when the check is settled"
            " (RULES 7.3)"
        ),
    ] = False
    gains_stop_at_ap_max: Annotated[
        bool, Meta(description="whether AP gained at F are capped at the maximum AP (RULES 7.4)")
    ] = True
    spared_creatures_die_at_zero: Annotated[
        bool,
        Meta(
            description="whether a creature that does not die at -6 LP dies at 0 LP instead"
            " (RULES 9.7)"
        ),
    ] = False
    several_abilities_may_pay: (
        Annotated[
            bool,
            Meta(
                description="whether several abilities may pay for moves in one check, each up to"
                " its AMX (RULES 6.11)"
            ),
        ]
        | UnsetType
    ) = UNSET
    dying_may_act: (
        Annotated[
            bool,
            Meta(description="whether the dying may still make and alter checks (RULES 5.5)"),
        ]
        | UnsetType
    ) = UNSET


def starting_point(options: Options) -> int:
    """Return the point where the token starts.

    This is `options.point` unless `options.last_result` is set. In that case, it is the first point
    with that label, clockwise from `options.point`.
    """
    if options.last_result is UNSET:
        return options.point
    return point_ahead(options.point, steps_to(options.point, options.last_result))


def point_ahead(point: int, steps: int) -> int:
    return (point + steps) % len(RING)


def steps_to(point: int, result: Result) -> int:
    """Return the number of clockwise steps from `point` to the nearest point labelled `result`.

    Return 0 if `point` itself has that label.
    """
    return next(steps for steps in range(len(RING)) if RING[point_ahead(point, steps)] is result)


def path(point: int, steps: int) -> tuple[Result, ...]:
    """Return the labels of the points that the token visits in `steps` steps, in order.

    Raises ValueError if there are more steps than points on the ring.
    """
    if steps > len(RING):
        raise ValueError(f"cannot move {steps} steps: the ring has only {len(RING)} points")
    return tuple(RING[point_ahead(point, step)] for step in range(1, steps + 1))


def price(steps: int, result: Result) -> int:
    """Return the cost in AP of moving the token by `steps` so that it ends on `result`."""
    return 0 if result is F else steps + SURCHARGE.get(result, 0)


def spent_on_ability(steps: int, result: Result, options: Options) -> int:
    """Return the part of the cost that counts towards the ability's AMX."""
    surcharge = 0 if options.s_surcharge_counts_for_amx else SURCHARGE.get(result, 0)
    return price(steps, result) - surcharge


def gain(ap: int, ap_max: int, options: Options) -> int:
    """Return the AP gained for a failure.

    A gain cannot raise `ap` above `ap_max`. If `gains_stop_at_ap_max` is off, the limit is
    `MAX_POINTS` instead.
    """
    limit = ap_max if options.gains_stop_at_ap_max else MAX_POINTS
    return max(0, min(GAIN, limit - ap))


def fatal_lp(death_rule: bool, options: Options) -> int | UnsetType:
    """Return the LP at which a creature dies, or UNSET if it cannot die from losing LP."""
    if death_rule:
        return FATAL_LP
    return 0 if options.spared_creatures_die_at_zero else UNSET


def dies(fatal: int | UnsetType) -> Dies:
    """Return the death rule for a creature that dies at `fatal` LP.

    If `fatal` is UNSET, the creature cannot die from losing LP.
    """
    return next(rule for rule, lp in LP_OF_DEATH.items() if lp == fatal)


def status_at(lp: int, fatal: int | UnsetType) -> Status:
    if fatal is not UNSET and lp <= fatal:
        return Status.DEAD
    return Status.DYING if lp <= 0 else Status.OK


def lp_after(lp: int, loss: int) -> int:
    return max(MIN_LP, lp - loss)


def after_death_check(result: Result, lp: int, fatal: int | UnsetType) -> tuple[int, Status]:
    """Return the entity's LP and status after a death check with this result."""
    if result is S:
        return STABLE_LP, Status.OK
    lp = lp_after(lp, DEATH_CHECK_LOSS.get(result, 0))
    return lp, Status.DEAD if result is F else status_at(lp, fatal)


def fold_words(text: str) -> str:
    """Return the text in lower case and with single spaces, so that names can be compared."""
    return " ".join(text.split()).casefold()


def find_name(name: str, names: Iterable[str], edition: int) -> str | None:
    """Return the entry in `names` that matches `name`, or None if there is none.

    Spacing and capitalization are ignored. In editions before `ABILITIES_DIFFER_BY_WORDS_SINCE`,
    only an identical name counts.
    """
    if edition < ABILITIES_DIFFER_BY_WORDS_SINCE:
        return next((known for known in names if known == name), None)
    return next((known for known in names if fold_words(known) == fold_words(name)), None)


def condition_key(entity: str, name: str) -> str:
    """Return the key under which the state stores an entity's condition.

    The key is ASCII, because a fork stores its table in its log, and canonical JSON allows only
    ASCII keys.
    """
    return f"{entity}.{fold_words(name).encode('ascii', 'backslashreplace').decode()}"
