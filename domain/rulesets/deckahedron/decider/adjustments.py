"""The GM's hand: ranks and cards can be put right, with a reason (RULES 10)."""

from __future__ import annotations

from domain.decider import By, Refused
from domain.rulesets.deckahedron.decider import guards
from domain.rulesets.deckahedron.messages.commands import Adjustment, AdjustRanks, MoveCard
from domain.rulesets.deckahedron.messages.events import CardMoved, Event, RanksAdjusted
from domain.rulesets.deckahedron.rules import Pile, cards
from domain.rulesets.deckahedron.state import State


def decide(state: State, command: Adjustment, by: By) -> tuple[Event, ...]:
    guards.master(by)
    match command:
        case AdjustRanks():
            return _adjust_ranks(state, command)
        case MoveCard():
            return _move_card(state, command)


def _adjust_ranks(state: State, command: AdjustRanks) -> tuple[Event, ...]:
    character = guards.in_play(state, command.entity)
    guards.idle(command.entity, character)
    new = guards.ranks(character.ranks, command.strength, command.dexterity, command.intelligence)
    return (RanksAdjusted(command.entity, character.ranks, new, command.reason),)


def _move_card(state: State, command: MoveCard) -> tuple[Event, ...]:
    character = guards.in_play(state, command.entity)
    guards.idle(command.entity, character)
    card = cards.card_id(state.options.deck, command.card)
    old = Pile.DISCARD if card in character.discard else Pile.DECK
    if old is command.to:
        raise Refused("card-already-there", card=card, pile=old)
    others = tuple(other for other in character.discard if other != card)
    discard = (*others, card) if command.to is Pile.DISCARD else others
    return (CardMoved(command.entity, card, old, command.to, discard, command.reason),)
