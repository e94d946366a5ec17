"""Lookups and preconditions for commands. Most functions raise Refused on failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys.rules import editions, modifiers, sheet
from domain.rulesets.fansys.rules.modifiers import ConditionName, Effect
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    WIS,
    AttackProfile,
    Being,
    Scene,
    Skill,
    Stat,
    Status,
    UnresolvedHit,
    UnsettledCheck,
)
from domain.rulesets.fansys.state import Entity, State
from domain.text import is_blank


def find_entity(state: State, entity: str) -> Entity:
    """Return the entity, or raise Refused if there is none or if it has left the story."""
    if entity not in state.entities:
        raise Refused("no-such-entity", entity=entity)
    if entity in state.retired:
        raise Refused("retired", entity=entity)
    return state.entities[entity]


def find_own(state: State, entity: str, by: By) -> Entity:
    """Return the entity, or raise Refused if the sender may not act for it.

    Players may act only for their own PCs. The GM may act for any entity.
    """
    mine = find_entity(state, entity)
    if not by.is_gm and not _is_own_pc(mine, by):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def find_own_choice(state: State, entity: str, by: By) -> Entity:
    """Return the entity, or raise Refused if the sender may not make choices for it.

    Players may choose only for their own PCs. In the first edition, the GM may choose only for
    NPCs.
    """
    mine = find_entity(state, entity)
    if by.is_gm and state.edition >= editions.GM_ACTS_FOR_SEATS_SINCE:
        return mine
    if not (_is_own_pc(mine, by) if mine.being is Being.PC else by.is_gm):
        raise Refused("not-yours", entity=entity, seat=mine.seat)
    return mine


def find_own_sheet(state: State, entity: str, by: By) -> Entity:
    """Return the entity, or raise Refused if the sender may not edit its sheet.

    Players may edit only the sheets of their own PCs, and only outside combat. The GM may edit any
    sheet at any time.
    """
    mine = find_own(state, entity, by)
    if not by.is_gm and state.scene is Scene.COMBAT:
        raise Refused("in-combat", entity=entity)
    return mine


def _is_own_pc(entity: Entity, by: By) -> bool:
    return entity.being is Being.PC and entity.seat == by.seat


def require_intact(entity: str, character: Entity) -> None:
    if sheet.status(character.pools) is Status.DESTROYED:
        raise Refused("destroyed", entity=entity)


def require_able(state: State, entity: str, character: Entity) -> None:
    require_intact(entity, character)
    why = inability(state, character) or first_condition(
        state, character, lambda does: does.no_actions
    )
    if why:
        raise Refused("cannot-act", entity=entity, why=why)


def inability(state: State, character: Entity) -> str:
    """Return the reason why the character cannot act, or "" if it can."""
    if character.pools.hp <= 0:
        return sheet.status(character.pools).value
    if score(character, WIS) == 0:
        return ConditionName.UNCONSCIOUS.value
    return first_condition(state, character, lambda does: does.no_acts)


def is_unconscious(character: Entity) -> bool:
    return ConditionName.UNCONSCIOUS in character.conditions or score(character, WIS) == 0


def missing_for_motion(character: Entity) -> Stat | None:
    """Return STR or DEX if the body cannot move because that score is 0, or None (RULES 4.4)."""
    if character.bodiless:
        return None
    return next((stat for stat in (STR, DEX) if score(character, stat) == 0), None)


def stops_the_motionless(state: State) -> bool:
    return state.edition >= editions.MOTIONLESS_SINCE


def first_condition(state: State, character: Entity, test: Callable[[Effect], bool]) -> str:
    """Return the first condition with an effect that passes `test`, or "" if there is none."""
    return next(
        (each for each in character.conditions if any(map(test, _effects(state, (each,))))), ""
    )


def effects_on(state: State, character: Entity) -> list[Effect]:
    return _effects(state, character.conditions)


def _effects(state: State, names: Iterable[str]) -> list[Effect]:
    return modifiers.effects(names, state.options, state.edition)


def score(character: Entity, stat: Stat) -> int:
    return sheet.score(character.stats, stat)


def require_no_check(state: State, entity: str) -> None:
    if entity in state.checks:
        raise Refused("check-open", entity=entity, check=state.checks[entity].name)


def find_check(state: State, entity: str) -> UnsettledCheck:
    if entity not in state.checks:
        raise Refused("no-check-open", entity=entity)
    return state.checks[entity]


def find_hit(state: State, entity: str) -> UnresolvedHit:
    if entity not in state.hits:
        raise Refused("no-damage-to-roll", entity=entity)
    return state.hits[entity]


def find_attack(entity: str, character: Entity, attack: str) -> AttackProfile:
    for known in character.attacks:
        if known.name == attack:
            return known
    raise Refused("no-such-attack", entity=entity, attack=attack)


def find_skill(character: Entity, name: str) -> Skill | None:
    return next((known for known in character.skills if known.name == name), None)


def require_space(entity: str, held: Sized) -> None:
    """Raise Refused if `held`, a section of the entity's sheet, is full."""
    if len(held) >= sheet.MAX_ON_SHEET:
        raise Refused("sheet-full", entity=entity, most=sheet.MAX_ON_SHEET)


# Texts without a visible character (RULES 1.7).


def require_new_texts(command: c.Command) -> None:
    """Raise Refused if an aim or the name of a condition has no visible character.

    These fields were added after edition 1 was released. No earlier log contains them, so even
    sessions of edition 1 can refuse such texts.
    """
    texts: dict[str, str | UnsetType] = {"aim": getattr(command, "aim", UNSET)}
    if isinstance(command, c.SetCondition | c.EndCondition):
        texts["name"] = command.name
    _require_visible(texts)


def _require_visible(texts: Mapping[str, str | UnsetType]) -> None:
    for field, text in texts.items():
        if text is not UNSET and is_blank(text):
            raise Refused("blank-text", field=field)


# Commands that make no sense, which are refused from edition 2 on (RULES 1.7 to 1.12).


def refuses_nonsense(state: State) -> bool:
    return state.edition >= editions.NONSENSE_REFUSED_SINCE


def require_names(state: State, **names: str | UnsetType) -> None:
    """Raise Refused if a name has no visible character. Edition 1 allows such names.

    Each keyword argument is named after the command field that contains the name.
    """
    if refuses_nonsense(state):
        _require_visible(names)


def require_spelling(state: State, entity: str, name: str, held: Iterable[str]) -> None:
    """Raise Refused if `name` differs from one of `held` only in spacing or capitalization.

    Edition 1 allows such names.
    """
    known = tuple(held)
    if not refuses_nonsense(state) or name in known:
        return
    for each in known:
        if modifiers.fold_name(each) == modifiers.fold_name(name):
            raise Refused("almost-the-same", entity=entity, name=name, held=each)


def require_change(state: State, entity: str, *, changes: bool) -> None:
    if refuses_nonsense(state) and not changes:
        raise Refused("nothing-changes", entity=entity)


def require_no_sprint(state: State, entity: str) -> None:
    """Raise Refused if the entity has sprinted in this round."""
    if entity in state.rounds and state.rounds[entity].sprinted:
        raise Refused("sprint-takes-all", entity=entity, done="sprinted")
