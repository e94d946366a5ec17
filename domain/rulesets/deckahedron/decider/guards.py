"""What must hold before a command: who may, and how things stand. Each finds what it guards, or refuses."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from domain.decider import By, Refused
from domain.rulesets.deckahedron.rules import HIGHEST, LOWEST, POINTS, Ranks, Stat
from domain.rulesets.deckahedron.state import Challenge, Character, OpenAttempt, Outcome, State


def master(by: By) -> None:
    if not by.is_gm:
        raise Refused("gm-only", role=by.role)


def found(state: State, entity: str) -> Character:
    if entity not in state.characters:
        raise Refused("no-such-entity", entity=entity)
    return state.characters[entity]


def in_play(state: State, entity: str) -> Character:
    character = found(state, entity)
    if character.retired:
        raise Refused("retired", entity=entity)
    return character


def own(state: State, entity: str, by: By) -> Character:
    """A character that the seat speaks for: its own, or any for the GM."""
    character = in_play(state, entity)
    if not by.is_gm and character.seat != by.seat:
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return character


def own_luck(state: State, entity: str, by: By) -> Character:
    """A character whose cards are the seat's to decide about: the GM has no say in them (RULES 7.4)."""
    character = in_play(state, entity)
    if character.seat != by.seat:
        raise Refused("not-yours", entity=entity, seat=character.seat)
    return character


def idle(entity: str, of: Character) -> None:
    """No attempt of the character is open."""
    if of.attempt is not UNSET:
        raise Refused("attempt-open", entity=entity)


def attempting(entity: str, of: Character) -> OpenAttempt:
    if of.attempt is UNSET:
        raise Refused("no-attempt-open", entity=entity)
    return of.attempt


def unflipped(entity: str, of: Character) -> OpenAttempt:
    """The open attempt, before its flip."""
    attempt = attempting(entity, of)
    if attempt.outcome is not UNSET:
        raise Refused("already-flipped", entity=entity, result=attempt.outcome.result)
    return attempt


def challenged(entity: str, of: Character) -> Challenge:
    """What was set for the open attempt, before its flip."""
    attempt = unflipped(entity, of)
    if attempt.challenge is UNSET:
        raise Refused("difficulty-not-set", entity=entity)
    return attempt.challenge


def flipped(entity: str, of: Character) -> Outcome:
    """What was flipped for the open attempt."""
    attempt = attempting(entity, of)
    if attempt.outcome is UNSET:
        raise Refused("not-flipped", entity=entity)
    return attempt.outcome


def ranks(old: Ranks, *wished: int | UnsetType) -> Ranks:
    """The ranks with those wished, by stat: each has an edge of the deck, and the six points are all distributed."""
    new = [old.of(stat) if rank is UNSET else rank for stat, rank in zip(Stat, wished, strict=True)]
    for stat, rank in zip(Stat, new, strict=True):
        if not LOWEST <= rank <= HIGHEST:
            raise Refused("rank-without-edge", stat=stat, rank=rank)
    if sum(new) != POINTS:
        raise Refused("ranks-not-six", sum=sum(new))
    return Ranks(*new)
