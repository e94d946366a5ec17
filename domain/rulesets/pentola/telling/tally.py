"""What statistics count: every die with its exact chances as it fell, and what tests and orders came to."""

from __future__ import annotations

from domain.rulesets.pentola import rules
from domain.rulesets.pentola.messages.events import Event
from domain.rulesets.pentola.messages.events import moments as m
from domain.rulesets.pentola.messages.events import play as p
from domain.rulesets.pentola.rules import PERCENT, RANKS, SIDES, Die, Use
from domain.tally import Chance, Counts, Rolled, Settled, Wore, fair_die

D100 = "d100"
USAGE, RULING, OPPOSED, WINNER, FIRST = "usage die", "ruling", "opposition", "winner", "acts first"
WON, LOST = "won", "lost"
HOLDS, STEPS_DOWN, EXPENDED = "holds", "steps down", "expended"


PERCENTS = fair_die(PERCENT)
FACES = {die: fair_die(sides) for die, sides in SIDES.items() if sides}


def tally(event: Event) -> Counts:
    match event:
        case p.RolledTest(who, use=Use.TEST, outcome=outcome):
            return _percent(event, Use.TEST), Settled(who, Use.TEST, outcome, outcome)
        case p.RolledTest():
            return (_percent(event, Use.OPPOSED),)
        case m.InitiativeRolled():
            return (_percent(event, Use.INITIATIVE),)
        case p.OpposedSettled(_, (winner, *losers)):
            lost = (Settled(loser, OPPOSED, LOST) for loser in losers)
            return Settled(winner, OPPOSED, WON), *lost, Settled(winner, WINNER, winner)
        case m.Ordered((best, *_)):
            return (Settled(best, FIRST, best),)
        case p.Ruled(who, _, ruling):
            return (Settled(who, RULING, ruling),)
        case p.UsageRolled():
            return _usage(event), _wore(event)
        case _:
            return _nothing(event)


def _percent(event: p.RolledTest | m.InitiativeRolled, use: Use) -> Rolled:
    """The goal as a fraction of whole percents, for it is never rounded: 51/2."""
    goal = rules.goal(event.percent, event.steps)
    spread = rules.spread(goal)
    outcomes: dict[str, Chance] = {outcome: (ways, PERCENT) for outcome, ways in spread.items()}
    scale = tuple(outcome for outcome in RANKS if outcome in spread)
    given: dict[str, int | str] = {
        "goal": str(goal),
        "percent": event.percent,
        "steps": event.steps,
    }
    return Rolled(
        event.entity, D100, str(event.roll), use, PERCENTS, event.outcome, outcomes, scale, given
    )


def _usage(event: p.UsageRolled) -> Rolled:
    sides = SIDES[event.die]
    down = EXPENDED if event.die is Die.D4 else STEPS_DOWN
    outcomes: dict[str, Chance] = {down: (1, sides), HOLDS: (sides - 1, sides)}
    outcome = HOLDS if event.left is event.die else down
    return Rolled(
        event.entity,
        event.die,
        str(event.face),
        USAGE,
        FACES[event.die],
        outcome,
        outcomes,
        (down, HOLDS),
    )


def _wore(event: p.UsageRolled) -> Wore:
    left = "" if event.left is Die.EXPENDED else event.left
    return Wore(event.entity, event.held, event.die, left, (1, SIDES[event.die]))


def _nothing(event: Event) -> Counts:
    """The rest counts for nothing, but is known."""
    match event:
        case p.CharacterCreated() | p.ThingCreated() | p.BonusAdded() | p.UsableAdded():
            return ()
        case (
            p.IntentDeclared()
            | p.ApproachExplained()
            | p.Withdrawn()
            | p.CalledForTest()
            | p.OpponentNamed()
        ):
            return ()
        case p.BonusRuled() | p.ItemUsed() | p.RollsDue():
            return ()
        case (
            p.DistanceSet() | p.CharacteristicAdjusted() | p.BonusAdjusted() | p.UsageDieAdjusted()
        ):
            return ()
        case m.MomentStarted() | m.InitiativeSet() | m.OrderSet() | m.MomentEnded() | m.Moved():
            return ()
        case m.ActionDeclared() | m.ReactionDeclared() | m.SlotPassed() | m.TurnCame():
            return ()
        case _:
            raise TypeError(event)
