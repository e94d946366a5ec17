"""What the log says: one sentence for each event in the words of the rulebook; `{ana}` stands for an entity's name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events.moments import (
    ActionDeclared,
    InitiativeRolled,
    InitiativeSet,
    MomentEnded,
    MomentStarted,
    Moved,
    Ordered,
    OrderSet,
    ReactionDeclared,
    SlotPassed,
    TurnCame,
)
from domain.rulesets.pentola.messages.events.play import (
    ApproachExplained,
    BonusAdded,
    BonusAdjusted,
    BonusRuled,
    CalledForTest,
    Character,
    CharacterCreated,
    CharacteristicAdjusted,
    DistanceSet,
    IntentDeclared,
    ItemUsed,
    Mastery,
    OpponentNamed,
    OpposedSettled,
    RolledTest,
    RollsDue,
    Ruled,
    Test,
    ThingCreated,
    UsableAdded,
    Usage,
    UsageDieAdjusted,
    UsageRolled,
    Withdrawn,
)
from domain.rulesets.pentola.rules import Die, Difficulty, Finding, Outcome, Thing, Use

OUTCOMES = {
    Outcome.FUMBLE: "a fumble, the worst possible result",
    Outcome.FAILURE: "a failure",
    Outcome.SUCCESS: "a success",
    Outcome.CRITICAL: "a critical success, the best possible result",
}
FINDINGS = {
    Finding.CANNOT_FAIL: "it cannot fail",
    Finding.CANNOT_SUCCEED: "it cannot succeed",
    Finding.NO_CONSEQUENCES: "failure would have no meaningful consequences",
}
HARDNESS = {Difficulty.EASY: "an easy", Difficulty.NORMAL: "a normal", Difficulty.HARD: "a hard"}


def tell(event: Event) -> str:
    match event:
        case CharacterCreated() | ThingCreated() | BonusAdded() | UsableAdded():
            return _tell_character(event)
        case IntentDeclared(who, intent, approach):
            how = "" if approach is UNSET else f"; the approach: {approach}"
            return f"{_id(who)} intends: {intent}{how}."
        case ApproachExplained(who, approach):
            return f"{_id(who)} explains the approach: {approach}."
        case Withdrawn(who):
            return f"{_id(who)} drops it."
        case Ruled(who, finding, ruling):
            return f"The referee rules for {_id(who)}: {FINDINGS[finding]}, {ruling}."
        case CalledForTest() | OpponentNamed() | BonusRuled() | RolledTest() | OpposedSettled():
            return _tell_test(event)
        case ItemUsed() | RollsDue() | UsageRolled():
            return _tell_usage(event)
        case DistanceSet() | CharacteristicAdjusted() | BonusAdjusted() | UsageDieAdjusted():
            return _tell_mastery(event)
        case ActionDeclared() | ReactionDeclared():
            return _tell_declared(event)
        case _:
            return _tell_moment(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _ids(entities: Sequence[str]) -> str:
    return ", ".join(map(_id, entities))


def _tell_character(event: Character) -> str:
    match event:
        case CharacterCreated(who, _, being):
            power = "" if event.power is UNSET else f", POW {event.power}"
            return f"{_id(who)} comes to the table ({being}) with BOD {event.body}, INT {event.intellect}{power}."
        case ThingCreated(who):
            return f"{_id(who)} is on the table."
        case BonusAdded(who, bonus, source, percent):
            return f"{_id(who)} has the {source} bonus {bonus}, {percent} %."
        case UsableAdded(who, held, usable, die):
            return f"{_id(who)} has the {usable} {held} with the usage die {die}."


def _tell_test(event: Test) -> str:
    match event:
        case CalledForTest(who, characteristic, difficulty):
            return (
                f"The referee calls for {HARDNESS[difficulty]} {characteristic} test of {_id(who)}."
            )
        case OpponentNamed(who, opponent, characteristic, difficulty):
            return f"{_id(opponent)} opposes {_id(who)} with {HARDNESS[difficulty]} {characteristic} test."
        case BonusRuled(who, bonus, applies):
            return f"The referee rules: {bonus} {'may' if applies else 'does not'} apply to {_id(who)}'s next roll."
        case RolledTest(who, _, use, characteristic):
            opposed = "makes an opposed test of" if use is Use.OPPOSED else "tests"
            return f"{_id(who)} {opposed} {characteristic}{_roll(event)}."
        case OpposedSettled(_, ranking):
            return f"{_id(ranking[0])} wins the opposed test against {_ids(ranking[1:])}."


def _roll(event: RolledTest | InitiativeRolled) -> str:
    """The bonus, the roll and the goal after doubling and halving."""
    bonus = "" if event.bonus is UNSET else f" with {event.bonus}"
    goal = rules.written(rules.goal(event.percent, event.steps))
    return f"{bonus} and rolls {event.roll} against {goal}: {OUTCOMES[event.outcome]}"


def _tell_usage(event: Usage) -> str:
    match event:
        case ItemUsed(who, item):
            return f"{_id(who)} uses {item}; its usage die is rolled in a minute."
        case RollsDue(who, item):
            return f"A minute has passed since {_id(who)} used {item}: its usage die is due."
        case UsageRolled(who, held, _, die, face):
            return f"{_id(who)} rolls {face} on the usage die of {held}, {die}: {_left(event)}."


def _left(event: UsageRolled) -> str:
    if event.left is Die.EXPENDED:
        return "it is expended"
    return (
        f"it stays {event.die}" if event.left is event.die else f"it is downgraded to {event.left}"
    )


def _tell_mastery(event: Mastery) -> str:
    match event:
        case DistanceSet(who, other, new):
            return f"{_id(who)} and {_id(other)} are {new}."
        case CharacteristicAdjusted(who, characteristic, old, new, reason):
            return (
                f"The referee sets {characteristic} of {_id(who)} from {old} to {new} ({reason})."
            )
        case BonusAdjusted(who, bonus, old, new, reason):
            return f"The referee sets the bonus {bonus} of {_id(who)} from {old} % to {new} % ({reason})."
        case UsageDieAdjusted(who, held, before, after):
            return f"The referee sets the usage die of {_id(who)} for {held} from {before} to {after} ({event.reason})."


def _tell_declared(event: ActionDeclared | ReactionDeclared) -> str:
    focus = ", with focus" if event.focus else ""
    extra = (
        ", a third thing: all tests this moment one step harder"
        if event.things > rules.BUDGET
        else ""
    )
    return f"{_id(event.entity)} declares {_what(event)}{focus}{extra}."


def _what(event: ActionDeclared | ReactionDeclared) -> str:
    match event:
        case ReactionDeclared(against=against):
            return f"a reaction to {_id(against)}: {event.approach}"
        case ActionDeclared(thing=Thing.ACTION):
            return f"an action: {event.approach}, to {event.intent}"
        case ActionDeclared():
            return f"a {event.thing}{_to(event.target)}"


def _to(target: str | UnsetType) -> str:
    return "" if target is UNSET else f" to {_id(target)}"


def _tell_moment(event: Event) -> str:
    match event:
        case MomentStarted(number, entities):
            return f"Moment {number} starts for {_ids(entities)}."
        case InitiativeSet(who, difficulty):
            return f"The referee calls for {HARDNESS[difficulty]} initiative test of {_id(who)}."
        case InitiativeRolled(who):
            return f"{_id(who)} tests INT for initiative{_roll(event)}."
        case Ordered(ranking, at):
            return f"The order is {_ids(ranking)}; {_id(at)} declares first."
        case OrderSet(_, new, at, reason):
            return f"The referee sets the order {_ids(new)}; {_id(at)} declares first ({reason})."
        case SlotPassed(who):
            return f"{_id(who)} declares next."
        case TurnCame(who, _, _, approach):
            return f"It is {_id(who)}'s turn: {approach}."
        case MomentEnded(number, reason):
            return (
                f"Moment {number} ends."
                if reason is UNSET
                else f"Moment {number} is broken off ({reason})."
            )
        case Moved(who, target, thing):
            return f"{_id(who)} {'sprints' if thing is Thing.SPRINT else 'moves'} close to {_id(target)}."
        case _:
            raise TypeError(event)
