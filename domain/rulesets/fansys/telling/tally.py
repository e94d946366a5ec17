"""What an event counts for: rolls with their exact chances, results, points, rounds."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.rulesets.fansys.messages.events import Event
from domain.rulesets.fansys.messages.events.characters import (
    AttackLearned,
    Created,
    DefenceSet,
    DiceTrained,
    HandedOver,
    LevelGained,
    ModifierSet,
    ProficiencySet,
    SkillLearned,
    SpeedSet,
)
from domain.rulesets.fansys.messages.events.checks import (
    CheckOpened,
    CheckRolled,
    CheckSettled,
    Dropped,
    SaveForced,
    Taken,
    TermsSet,
)
from domain.rulesets.fansys.messages.events.combat import AttackRolled, DamageRolled, Harmed
from domain.rulesets.fansys.messages.events.combat import Moved as Walked
from domain.rulesets.fansys.messages.events.mastery import (
    ConditionLifted,
    ConditionSet,
    ConditionTicked,
    DiceSpent,
    Granted,
    PoolAdjusted,
    Rested,
    SceneSet,
    StatAdjusted,
    TimePassed,
)
from domain.rulesets.fansys.rules import dice
from domain.rulesets.fansys.rules.records import Pools, Throw
from domain.rulesets.fansys.rules.words import Gauge, Use
from domain.rulesets.fansys.telling.upkeep import amount
from domain.tally import Chance, Counts, Moved, Rolled, Settled, Ticked, fair_die

SUCCESS, FAILURE, DAMAGE = "success", "failure", "damage"


def tally(event: Event) -> Counts:
    match event:
        case CheckRolled(who, use, _, throw, threshold):
            return _thrown(who, use, throw, threshold)
        case AttackRolled(who, _, _, throw, threshold):
            return _thrown(who, Use.ATTACK, throw, threshold)
        case DamageRolled():
            return _damage(event)
        case Taken(who, use, success=success):
            return () if success is UNSET else (Settled(who, use, SUCCESS if success else FAILURE),)
        case CheckSettled(who, use, _, success):
            return (Settled(who, use, SUCCESS if success else FAILURE),)
        case (
            LevelGained()
            | DiceTrained()
            | DiceSpent()
            | Rested()
            | PoolAdjusted()
            | StatAdjusted()
            | Harmed()
        ):
            return _moved(event.entity, event.old, event.pools, WHY[type(event)])
        case ConditionSet() | ConditionTicked() | ConditionLifted():
            return _ticked(event)
        case _:
            return _uncounted(event)


WHY: dict[type[Event], str] = {
    LevelGained: "level",
    DiceTrained: "trained",
    DiceSpent: "spent",
    Rested: "rest",
    PoolAdjusted: "adjusted",
    StatAdjusted: "adjusted",
    Harmed: "damage",
}


def _thrown(who: str, use: Use, throw: Throw, threshold: int | UnsetType) -> Counts:
    """The sum of the kept dice against all that it could have been, and against the threshold where there is one."""
    source, whole = dice.NOTATION[throw.twist], dice.faces(throw.twist)
    sums: dict[str, Chance] = {
        str(sum_): (n, whole) for sum_, n in dice.sums(throw.twist, throw.capped).items()
    }
    if threshold is UNSET:
        return (
            Rolled(who, source, str(throw.sum), use, sums, scale=tuple(sums), given=_given(throw)),
        )
    automatic = use in (Use.SAVE, Use.ATTACK)
    ways = dice.ways(throw.twist, throw.capped, throw.modifier, threshold, automatic)
    outcomes: dict[str, Chance] = {SUCCESS: (ways, whole), FAILURE: (whole - ways, whole)}
    outcome = SUCCESS if dice.succeeds(throw.sum, throw.modifier, threshold, automatic) else FAILURE
    given = _given(throw) | {"threshold": threshold}
    rolled = Rolled(
        who, source, str(throw.sum), use, sums, outcome, outcomes, (FAILURE, SUCCESS), given
    )
    return rolled, Settled(who, use, outcome, outcome)


def _given(throw: Throw) -> dict[str, int | str]:
    """How the dice were read; `most` is there where no sum above it counts."""
    given: dict[str, int | str] = {
        "twist": throw.twist,
        "kept": " ".join(map(str, throw.kept)),
        "modifier": throw.modifier,
    }
    return given | {"most": dice.UNTRAINED} if throw.capped else given


def _damage(event: DamageRolled) -> Counts:
    """Each die for itself, for sums of many have chances that no log can hold; then what it came to.

    High is good for who strikes; damage by the GM is counted for who suffers it, and low is good.
    """
    chances = fair_die(event.sides)
    scale = tuple(chances)[::-1] if event.attack is UNSET else tuple(chances)
    rolled = (
        Rolled(event.entity, f"d{event.sides}", str(face), DAMAGE, chances, scale=scale)
        for face in event.dice
    )
    return *rolled, Settled(event.entity, DAMAGE, str(event.points))


def _moved(who: str, old: Pools, new: Pools, why: str) -> Counts:
    changes = ((gauge, amount(new, gauge) - amount(old, gauge)) for gauge in Gauge)
    return tuple(Moved(who, gauge, by, why, amount(new, gauge)) for gauge, by in changes if by)


def _ticked(event: ConditionSet | ConditionTicked | ConditionLifted) -> Counts:
    """Counted conditions only: who is prone until lifted has no rounds."""
    if event.rounds is UNSET:
        return ()
    return (
        Ticked(
            event.entity, event.condition, 0 if isinstance(event, ConditionLifted) else event.rounds
        ),
    )


def _uncounted(event: Event) -> Counts:
    match event:
        case (
            Created()
            | HandedOver()
            | SkillLearned()
            | ProficiencySet()
            | AttackLearned()
            | SpeedSet()
            | DefenceSet()
        ):
            return ()
        case ModifierSet() | CheckOpened() | TermsSet() | SaveForced() | Dropped() | Walked():
            return ()
        case Granted() | TimePassed() | SceneSet():
            return ()
        case _:
            raise TypeError(event)
