"""Presentation of Pentola: the table, event descriptions and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import UNSET, UnsetType

from domain.differences import Wording, plain_condition
from domain.rulesets.pentola import events as e, rules
from domain.rulesets.pentola.rules import (
    BUDGET,
    CHAIN,
    DISTANCES,
    PASSED,
    PERCENT,
    RANKS,
    SIDES,
    Being,
    Characteristic,
    Die,
    Difficulty,
    Distance,
    Finding,
    Outcome,
    Phase,
    RollPurpose,
    Ruling,
    Thing,
    TieBreak,
    Undeclared,
    Usable,
)
from domain.rulesets.pentola.state import Action, Declaration, Entity, Held, Moment, OpenTest, State
from domain.table import (
    Board,
    Condition,
    Die as ShownDie,
    Entity as Shown,
    Order,
    Pool,
    Table,
    Task,
)
from domain.tally import (
    Attempted,
    Counts,
    Moved,
    Owned,
    Probability,
    Rolled,
    Settled,
    Ticked,
    Wore,
)

FOCUS = "focus: the test is one step easier"
EXTRA = "a third action or reaction: all tests are one step harder"
OK, DEAD, RETIRED = "ok", "dead", "retired"
HIT_POINTS = "HP"
Named = tuple[str, Task]


def show(state: State) -> Table:
    return Table(
        entities={entity: _entity(character) for entity, character in state.entities.items()},
        boards={
            f"{pair}.distance": Board("line", DISTANCES, DISTANCES.index(distance))
            for pair, distance in state.distances.items()
            if not any(_has_retired(state, entity) for entity in pair.split("."))
        },
        pools={
            f"{entity}.hp": Pool(
                entity, HIT_POINTS, character.hit_points, character.max_hit_points, "health"
            )
            for entity, character in state.entities.items()
            if character.hit_points is not UNSET
            and character.being is not Being.THING
            and character.retired is not True
        },
        dice={
            f"{entity}.{held.name}": _die(held)
            for entity, character in state.entities.items()
            for held in character.held
            if character.retired is not True
        },
        conditions=dict(_conditions(state)),
        order={} if state.moment is UNSET else _order(state.moment),
        tasks=dict(_tasks(state)),
    )


def _has_retired(state: State, entity: str) -> bool:
    return entity in state.entities and state.entities[entity].retired is True


def _entity(character: Entity) -> Shown:
    scores = {
        str(name): f"{score}, goal {rules.base(score)} %"
        for name, score in character.scores.items()
    }
    bonuses = {
        bonus.name: f"{bonus.source} {bonus.percent} %{_barred(character, bonus.name)}"
        for bonus in character.bonuses
    }
    held = {one.name: f"{one.usable} {one.die}" for one in character.held}
    sheet = scores | bonuses | held
    return Shown(
        character.name,
        character.seat,
        character.being,
        _status(character),
        sheet,
        " · ".join(f"{bonus.name} +{bonus.percent}" for bonus in character.bonuses),
        {str(name): str(score) for name, score in character.scores.items()},
    )


def _status(character: Entity) -> str:
    if character.retired is True:
        return RETIRED
    return DEAD if character.hit_points == 0 else OK


def _condition_words(label: str) -> str:
    return f"has {label}" if label in (FOCUS, EXTRA) else plain_condition(label)


def _entry_words(name: str, value: str) -> str:
    return f"the bonus {name}" if "%" in value else name


WORDING = Wording(condition=_condition_words, entry=_entry_words)


def _barred(character: Entity, bonus: str) -> str:
    return ", not for the next roll" if bonus in character.barred else ""


def _die(held: Held) -> ShownDie:
    left = CHAIN[CHAIN.index(held.die) :]
    return ShownDie(SIDES[held.die], tuple(SIDES[die] for die in left if die is not Die.EXPENDED))


def _conditions(state: State) -> Iterator[tuple[str, Condition]]:
    for held in state.conditions.values():
        shown = Condition(held.entity, held.name, held.rounds, held.minutes, held.note)
        yield f"{held.entity}.condition.{rules.folded(held.name)}", shown
    if state.moment is UNSET:
        return
    for entity, part in state.moment.parts.items():
        if part.focus:
            yield f"{entity}.focus", Condition(entity, FOCUS, helps=True)
        if part.things > BUDGET:
            yield f"{entity}.extra", Condition(entity, EXTRA)


def _order(moment: Moment) -> dict[str, Order]:
    """Return the turn order, or {} until all participants have rolled initiative."""
    if moment.phase is Phase.ROLLING:
        return {}
    used = {entity: moment.parts[entity].things for entity in moment.ids}
    return {"moment": Order(moment.ids, moment.at, moment.number, used, BUDGET)}


def _tasks(state: State) -> Iterator[Named]:
    for entity, action in state.actions.items():
        if action.ruling is UNSET:
            yield f"{entity}.action", _action(state, entity, action)
    for entity, test in state.tests.items():
        yield f"{entity}.test", _test(state, entity, test)
    for entity, character in state.entities.items():
        for held in character.held:
            if (held.due or held.waiting) and character.retired is not True:
                yield f"{entity}.{held.name}", _usage(entity, character, held)
    if state.moment is not UNSET:
        yield from _moment(state, state.moment)


def _seat(state: State, entity: str) -> str:
    return state.entities[entity].seat if entity in state.entities else ""


def _action(state: State, entity: str, action: Action) -> Task:
    sheet = {"entity": entity, "intent": action.intent}
    if action.approach is UNSET:
        return Task(_seat(state, entity), "action", "approach", sheet)
    test = state.tests.get(entity)
    waits = "rolls" if test and test.undeclared is not Undeclared.DEMANDED else "ruling"
    return Task(_seat(state, entity), "action", waits, sheet | {"approach": action.approach})


def _test(state: State, entity: str, test: OpenTest) -> Task:
    sheet = {
        "entity": entity,
        "action": test.action,
        "characteristic": str(test.characteristic),
        "difficulty": str(test.difficulty),
    } | _aim_row(test.aim)
    if test.score is UNSET:
        return Task(_seat(state, entity), "test", "roll", sheet)
    goal = rules.goal_text(rules.goal(test.score.percent, test.score.steps))
    return Task(
        _seat(state, entity),
        "test",
        "other side",
        sheet | {"roll": str(test.score.roll), "goal": goal},
    )


def _aim_row(aim: str | UnsetType) -> dict[str, str]:
    """Return a row for a task's sheet with the purpose of the roll, or {} if it has none."""
    return {} if aim is UNSET else {"aim": aim}


def _usage(entity: str, character: Entity, held: Held) -> Task:
    rolls = held.due or held.waiting
    return Task(
        character.seat,
        "usage die",
        "roll" if held.due else "a minute",
        {"entity": entity, "held": held.name, "rolls": f"{rolls}"},
    )


def _moment(state: State, moment: Moment) -> Iterator[Named]:
    if moment.phase is Phase.ROLLING:
        for entity, part in moment.parts.items():
            if part.score is UNSET:
                sheet = {"entity": entity, "difficulty": str(part.difficulty)} | _aim_row(part.aim)
                yield (
                    f"{entity}.initiative",
                    Task(_seat(state, entity), "initiative", "roll", sheet),
                )
    if moment.phase is Phase.DECLARING and moment.at is not UNSET:
        yield (
            "declaration",
            Task(_seat(state, moment.at), "declaration", "declare", {"entity": moment.at}),
        )
    for declaration in moment.deeds:
        if not _done(moment, declaration):
            yield f"thing-{declaration.nth}", _declaration(state, declaration)


def _done(moment: Moment, declaration: Declaration) -> bool:
    """Return True if the reaction was used or dropped, or if the action's turn has come."""
    if declaration.thing is Thing.REACTION:
        return not moment.is_open(declaration)
    on = next((other for other in moment.deeds if other.nth == moment.turn), None)
    return on is not None and _turn(moment, declaration) <= _turn(moment, on)


def _turn(moment: Moment, declaration: Declaration) -> tuple[int, int]:
    return (
        moment.ids.index(declaration.entity) if declaration.entity in moment.ids else 0
    ), declaration.nth


def _declaration(state: State, declaration: Declaration) -> Task:
    target = {} if declaration.target is UNSET else {"target": declaration.target}
    uses = {} if declaration.uses is UNSET else {"uses": declaration.uses}
    waits = "use" if declaration.thing is Thing.REACTION else "turn"
    sheet = {
        "entity": declaration.entity,
        "intent": declaration.intent,
        "approach": declaration.approach,
    }
    seat = _seat(state, declaration.entity)
    return Task(seat, declaration.thing, waits, sheet | target | uses)


TIMES = {1: "", 2: " twice"}
BEINGS = {Being.PC: "a PC", Being.NPC: "an NPC", Being.THING: "a thing"}
OUTCOMES = {
    Outcome.FUMBLE: "fumble",
    Outcome.FAILURE: "failure",
    Outcome.SUCCESS: "success",
    Outcome.CRITICAL: "critical success",
}
HARDNESS = {Difficulty.EASY: "an easy", Difficulty.NORMAL: "a normal", Difficulty.HARD: "a hard"}
APART = {
    Distance.CLOSE: "close to",
    Distance.NEAR: "near",
    Distance.DISTANT: "distant from",
    Distance.FAR: "far from",
}
TIES = {
    TieBreak.PLAYER: "It was a tie, which goes to the player.",
    TieBreak.DEFENDER: "It was a tie, which goes to the defender.",
    TieBreak.GOAL: "It was a tie, which goes to the higher goal.",
    TieBreak.ORDER: "It was a tie, which is decided by seat order.",
}


def describe(event: e.Event) -> str:
    """Return a sentence that describes the event, with entity ids in braces: `{ana}`."""
    match event:
        case e.CharacterCreated(who, _, being):
            power = [] if event.power is UNSET else [f"POW {event.power}"]
            points = [] if event.hit_points is UNSET else [_points(event.hit_points)]
            scores = _listed([f"BOD {event.body}", f"INT {event.intellect}", *power, *points])
            return f"{_id(who)} joins the game as {BEINGS[being]} with {scores}."
        case e.ThingCreated(who):
            return f"{_id(who)} is now part of the scene."
        case e.Retired(who, reason):
            return f"{_id(who)} leaves the story for good ({reason})."
        case e.BonusAdded(who, bonus, source, percent):
            return f"{_id(who)} has a new {source}: {bonus} (+{percent} %)."
        case e.UsableAdded(who, held, usable, die):
            return f"{_id(who)} has a new {usable}: {held} (usage die {die})."
        case e.ItemGiven(who, item, other, die):
            return f"{_id(who)} gives {_id(other)} an item: {item} (usage die {die})."
        case e.IntentDeclared(who, intent, approach):
            how = "" if approach is UNSET else f" ({approach})"
            return f"{_id(who)}'s plan: {intent}{how}."
        case e.ApproachExplained(who):
            return f"{_id(who)}'s approach: {event.approach}."
        case e.Withdrawn(who):
            if event.intent is UNSET:
                return f"{_id(who)} gives up the plan."
            how = "" if event.approach is UNSET else f" ({event.approach})"
            return f"{_id(who)} gives up this plan: {event.intent}{how}."
        case e.Ruled(who, finding, ruling, result):
            done = "succeeds" if ruling is Ruling.SUCCESS else "fails"
            then = "" if result is UNSET else f" {_sentence(' '.join(result.split()))}"
            why = f"The referee rules that {_finding(who, finding)}"
            return f"{why}, so {_id(who)} {done} without a test.{then}"
        case e.CalledForTest(who, characteristic, difficulty):
            test = _hardness(characteristic, difficulty)
            return _aimed(event.aim, f"The referee calls for {test} from {_id(who)}.")
        case e.TestDemanded(who, characteristic, difficulty):
            test = _hardness(characteristic, difficulty)
            return _aimed(event.aim, f"The referee calls for {test} from {_id(who)}.")
        case e.OpponentNamed(who, opponent, characteristic, difficulty):
            test = _hardness(characteristic, difficulty)
            named = f"{_id(opponent)} opposes {_id(who)} with {test}."
            if event.competes is True:
                named = f"{_id(opponent)} competes with {_id(who)} and makes {test}."
            return _aimed(event.aim, named)
        case e.TestChanged(who, old_characteristic, old_difficulty):
            before = f"{old_difficulty} {old_characteristic}"
            after = f"{event.difficulty} {event.characteristic}"
            change = f"from {before} to {after} ({event.reason})"
            return _aimed(event.aim, f"The referee changes {_id(who)}'s test {change}.")
        case e.CalledOff(who, reason):
            return f"The referee calls off {_id(who)}'s test ({reason})."
        case e.BonusRuled(who, bonus, applies):
            verb = "allows" if applies else "rules out"
            return f"The referee {verb} {_quoted(bonus)} for {_id(who)}'s next roll."
        case e.RolledTest():
            return _roll(event, f"on {event.characteristic}")
        case e.OpposedSettled(_, ranking):
            tie = "" if event.tie is UNSET else f" {TIES[event.tie]}"
            return f"{_id(ranking[0])} wins the opposed test, ahead of {_ids(ranking[1:])}.{tie}"
        case e.ItemUsed(who, item):
            used = f"{_id(who)} uses {_quoted(item)} and will roll its usage die after a minute."
            return _aimed(event.aim, used)
        case e.RollsDue(who, item, due, minutes):
            times = TIMES.get(due, f" {due} times")
            passed = "a minute has passed"
            if minutes is not UNSET and minutes > 1:
                passed = f"{_time(minutes)} have passed"
            each = ", once for each use" if due > 1 else ""
            roll = f"the usage die for {_quoted(item)}{times}{each}"
            return f"{_id(who)} has to roll {roll}, because {passed}."
        case e.UsageRolled(who, held, usable, die, face):
            rolled = f"{_id(who)} rolls {face} on the {die} for {_quoted(held)}: {_left(event)}."
            if usable is Usable.ABILITY:
                rolled = f"{_id(who)} uses {held} and rolls {face} on the {die}: {_left(event)}."
            return _aimed(event.aim, rolled)
        case e.DistanceSet(who, other, distance):
            return f"{_id(who)} is {APART[distance]} {_id(other)}."
        case e.ConditionSet(who, name):
            note = "" if event.note is UNSET else f" ({event.note})"
            return f"{_id(who)} now has the condition {_quoted(name)}{_lasting(event)}{note}."
        case e.ConditionTicked(who, name, rounds, minutes):
            if 0 in (rounds, minutes):
                return f"{_id(who)} no longer has the condition {_quoted(name)}."
            return f"{_id(who)} has the condition {_quoted(name)}{_lasting(event, more=True)}."
        case e.ConditionEnded(who, name, reason):
            return f"{_id(who)} no longer has the condition {_quoted(name)} ({reason})."
        case e.Harmed(who, lost, left, most, reason):
            then = "is dead" if left == 0 else f"has {left} of {most} left"
            return f"{_id(who)} loses {_points(lost)} and {then} ({reason})."
        case e.Healed(who, gained, left, most, reason):
            return f"{_id(who)} regains {_points(gained)} and has {left} of {most} now ({reason})."
        case e.CharacteristicAdjusted(who, characteristic, old, new, reason):
            change = f"from {old} to {new} ({reason})"
            return f"The referee changes {_id(who)}'s {characteristic} {change}."
        case e.BonusAdjusted(who, bonus, old, new, reason):
            change = f"from {old} % to {new} % ({reason})"
            return f"The referee changes {_id(who)}'s bonus for {_quoted(bonus)} {change}."
        case e.UsageDieAdjusted(who, held, _, Die.EXPENDED):
            return f"The referee rules that {_id(who)} has no {held} left ({event.reason})."
        case e.UsageDieAdjusted(who, held, Die.EXPENDED, new_die):
            again = f"has {held} again, with a {new_die} as the usage die ({event.reason})"
            return f"The referee rules that {_id(who)} {again}."
        case e.UsageDieAdjusted(who, held, old_die, new_die):
            change = f"from {old_die} to {new_die} ({event.reason})"
            return f"The referee changes {_id(who)}'s usage die for {held} {change}."
        case e.MomentStarted(number, entities):
            return _aimed(event.aim, f"Moment {number} begins for {_ids(entities)}.")
        case e.InitiativeSet(who, difficulty):
            call = f"The referee calls for {HARDNESS[difficulty]} initiative test from {_id(who)}."
            return _aimed(event.aim, call)
        case e.InitiativeRolled():
            return _roll(event, "for initiative")
        case e.Ordered(ranking, at):
            if len(ranking) == 1:
                return f"No one else is in this moment, so only {_id(at)} declares an action."
            return f"The order is {_ids(ranking, ', then ')}; {_id(at)} declares first."
        case e.OrderSet(_, ranking, at, reason):
            order = _ids(ranking, ", then ")
            return f"The referee sets the order: {order} ({reason}); {_id(at)} declares first."
        case e.ActionDeclared() | e.ReactionDeclared():
            focus = " With focus, the test is one step easier." if event.focus else ""
            tests = f"all of {_id(event.entity)}'s tests in this moment"
            extra = f" This is an extra action, so {tests} are one step harder."
            return f"{_thing(event)}.{focus}{extra if event.things > BUDGET else ''}"
        case e.ReactionDropped(who, _, approach, against):
            reaction = f"the reaction {_quoted(approach)} to {_id(against)}"
            return f"{_id(who)} does not use {reaction}."
        case e.SlotPassed(who):
            return f"{_id(who)} declares next."
        case e.TurnCame(who):
            return f"It is {_id(who)}'s turn to act. The plan: {event.intent} ({event.approach})."
        case e.Moved(who, target, thing):
            verb = "sprints" if thing is Thing.SPRINT else "moves"
            if event.new is event.old:
                return f"{_id(who)} {verb} and is still {APART[event.new]} {_id(target)}."
            return f"{_id(who)} {verb} {_way(event)} {_id(target)} and is now {event.new}."
        case e.MomentEnded(number):
            if event.reason is UNSET:
                return f"Moment {number} ends."
            return f"The referee ends moment {number} early ({event.reason})."
        case _:
            raise TypeError(event)


def _id(entity: str) -> str:
    return f"{{{entity}}}"


def _ids(entities: Sequence[str], last: str = " and ") -> str:
    return _listed([_id(entity) for entity in entities], last)


def _listed(words: Sequence[str], last: str = " and ") -> str:
    """Return the words joined with commas, but with `last` before the last word."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])}{last}{words[-1]}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _capital(text: str) -> str:
    stripped = text.strip()
    return f"{stripped[:1].upper()}{stripped[1:]}"


def _sentence(text: str) -> str:
    """Return the text capitalized, and with a full stop if it has no final punctuation."""
    sentence = _capital(text)
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _aimed(aim: str | UnsetType, text: str) -> str:
    """Return the text, preceded by the capitalized purpose of the roll if there is one."""
    return text if aim is UNSET else f"{_capital(aim)}: {text[:1].lower()}{text[1:]}"


def _hardness(characteristic: Characteristic, difficulty: Difficulty) -> str:
    return f"{HARDNESS[difficulty]} {characteristic} test"


def _lasting(event: e.ConditionSet | e.ConditionTicked, *, more: bool = False) -> str:
    """Return how long the condition lasts, or "" if it has no time limit."""
    extra = "more " if more else ""
    if event.rounds is not UNSET:
        return f" for {_count(event.rounds, f'{extra}moment')}"
    if event.minutes is UNSET:
        return ""
    if event.minutes < LONG_MINUTES:
        return f" for {_count(event.minutes, f'{extra}minute')}"
    return f" for {'another ' if more else ''}{_time(event.minutes)}"


LONG_MINUTES = 2 * 60  # durations from this length on are given in hours and minutes


def _time(minutes: int) -> str:
    """Return the duration as text, for example "7 hours and 50 minutes"."""
    hours, minutes = divmod(minutes, 60) if minutes >= LONG_MINUTES else (0, minutes)
    parts = ((hours, "hour"), (minutes, "minute"))
    return _listed([_count(number, unit) for number, unit in parts if number])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _points(count: int) -> str:
    return _count(count, "hit point")


def _finding(entity: str, finding: Finding) -> str:
    """Return the reason why no test is needed."""
    if finding is Finding.NO_CONSEQUENCES:
        return "a failure would have no meaningful consequences"
    return f"{_id(entity)} {finding}"


def _roll(event: e.RolledTest | e.InitiativeRolled, test: str) -> str:
    """Describe the roll, the bonus, the goal after all steps, and the outcome."""
    bonus = "" if event.bonus is UNSET else f" with {event.bonus}"
    goal = rules.goal_text(rules.goal(event.percent, event.steps))
    rolled = f"{_id(event.entity)} rolls {event.roll} {test}{bonus}"
    return _aimed(event.aim, f"{rolled}, against a goal of {goal}: {OUTCOMES[event.outcome]}.")


def _left(event: e.UsageRolled) -> str:
    if event.left is Die.EXPENDED:
        return "it is expended"
    return f"it {'stays' if event.left is event.die else 'drops to'} a {event.left}"


def _thing(event: e.ActionDeclared | e.ReactionDeclared) -> str:
    who = _id(event.entity)
    uses = "" if event.uses is UNSET else f", using {_quoted(event.uses)}"
    if isinstance(event, e.ReactionDeclared):
        return f"{who} declares a reaction to {_id(event.against)}: {_aside(event.approach)}{uses}"
    if event.thing is Thing.ACTION:
        return f"{who} declares an action: {event.intent} ({event.approach}){uses}"
    return f"{who} declares a {event.thing}{_to(event)}"


def _aside(text: str) -> str:
    """Return the text with the part after its first colon in parentheses: "interfere (a tile)"."""
    before, _, after = text.partition(": ")
    return f"{before} ({after})" if after else text


def _to(event: e.ActionDeclared) -> str:
    if event.target is UNSET:
        return ""
    return f" {'away from' if event.away is True else 'to'} {_id(event.target)}"


def _way(event: e.Moved) -> str:
    if event.new is Distance.CLOSE:
        return "up to"
    is_nearer = DISTANCES.index(event.new) < DISTANCES.index(event.old)
    return "towards" if is_nearer else "away from"


D100 = "d100"
USAGE, RULING, OPPOSED, WINNER, FIRST = "usage die", "ruling", "opposition", "winner", "acts first"
WON, LOST = "won", "lost"
HOLDS, STEPS_DOWN, EXPENDED = "holds", "steps down", "expended"
HARM, HEALING = "harm", "healing"


def tally(event: e.Event) -> Counts:
    match event:
        case e.CharacterCreated(who, seat=seat) | e.ThingCreated(who, seat=seat):
            return (Owned(who, seat),)
        case e.RolledTest(who, use=RollPurpose.TEST | RollPurpose.DEMANDED as use):
            return *_percent(event, use), Settled(who, use, event.outcome, event.outcome)
        case e.RolledTest(who, action):
            # Whoever opposes the action of another defends (RULES 5.5).
            return _percent(event, RollPurpose.OPPOSED, is_save=who != action)
        case e.InitiativeRolled():
            return _percent(event, RollPurpose.INITIATIVE)
        case e.OpposedSettled(_, (winner, *losers)):
            lost = (Settled(loser, OPPOSED, LOST) for loser in losers)
            return Settled(winner, OPPOSED, WON), *lost, Settled(winner, WINNER, winner)
        case e.Ordered((best, *_)):
            return (Settled(best, FIRST, best),)
        case e.Ruled(who, _, ruling):
            return (Settled(who, RULING, ruling),)
        case e.UsageRolled():
            return *_usage_die(event), _wore(event)
        case e.ConditionSet() | e.ConditionTicked() | e.ConditionEnded():
            return _count_rounds(event)
        case e.Harmed(who, lost, left):
            return (Moved(who, HIT_POINTS, -lost, HARM, left),)
        case e.Healed(who, gained, left):
            return (Moved(who, HIT_POINTS, gained, HEALING, left),)
        case (
            e.Retired()
            | e.BonusAdded()
            | e.UsableAdded()
            | e.ItemGiven()
            | e.IntentDeclared()
            | e.ApproachExplained()
            | e.Withdrawn()
            | e.CalledForTest()
            | e.TestDemanded()
            | e.OpponentNamed()
            | e.TestChanged()
            | e.CalledOff()
            | e.BonusRuled()
            | e.ItemUsed()
            | e.RollsDue()
            | e.MomentStarted()
            | e.InitiativeSet()
            | e.OrderSet()
            | e.MomentEnded()
            | e.ActionDeclared()
            | e.ReactionDeclared()
            | e.ReactionDropped()
            | e.SlotPassed()
            | e.TurnCame()
            | e.Moved()
            | e.DistanceSet()
            | e.CharacteristicAdjusted()
            | e.BonusAdjusted()
            | e.UsageDieAdjusted()
        ):
            return ()
        case _:
            raise TypeError(event)


def _percent(
    event: e.RolledTest | e.InitiativeRolled, use: RollPurpose, *, is_save: bool = False
) -> tuple[Rolled, Attempted]:
    """Return the d100, and the outcome with its odds.

    The goal is an exact fraction, such as "51/2".
    """
    goal, roll = rules.goal(event.percent, event.steps), str(event.roll)
    chances = _outcome_chances(goal)
    attempted = Attempted(
        event.entity,
        use,
        roll,
        event.outcome,
        chances,
        tuple(outcome for outcome in PASSED if outcome in chances),
        is_save=is_save,
        given={"goal": str(goal), "percent": event.percent, "steps": event.steps},
    )
    return Rolled(event.entity, D100, roll, use), attempted


@lru_cache
def _outcome_chances(goal: Fraction) -> dict[str, Probability]:
    """Return the probability of each outcome of a d100 roll, from the worst to the best."""
    ways = rules.outcome_counts(goal)
    return {outcome: (ways[outcome], PERCENT) for outcome in RANKS if outcome in ways}


def _count_rounds(event: e.ConditionSet | e.ConditionTicked | e.ConditionEnded) -> Counts:
    """Return the moments left for the condition, or () if it is not measured in moments."""
    if event.rounds is UNSET:
        return ()
    if isinstance(event, e.ConditionEnded):
        return (Ticked(event.entity, event.name, 0, is_set=True),)
    is_set = isinstance(event, e.ConditionSet)
    return (Ticked(event.entity, event.name, event.rounds, is_set),)


def _usage_die(event: e.UsageRolled) -> tuple[Rolled, Attempted]:
    sides, face = SIDES[event.die], str(event.face)
    down = EXPENDED if event.die is Die.D4 else STEPS_DOWN
    outcome = HOLDS if event.left is event.die else down
    chances: dict[str, Probability] = {down: (1, sides), HOLDS: (sides - 1, sides)}
    attempted = Attempted(event.entity, USAGE, face, outcome, chances)
    return Rolled(event.entity, event.die, face, USAGE), attempted


def _wore(event: e.UsageRolled) -> Wore:
    left = "" if event.left is Die.EXPENDED else event.left
    return Wore(event.entity, event.held, event.die, left, (1, SIDES[event.die]))
