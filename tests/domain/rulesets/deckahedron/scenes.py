"""Scenes of Deckahedron for simulated sessions: attempts of every difficulty, longer turns, reshuffles, numbers."""

from __future__ import annotations

import random

from msgspec import UNSET

from domain.rulesets.deckahedron import messages as m, rules
from domain.rulesets.deckahedron.rules import METHODS, Difficulty, Stat
from tests.support.simulation import PLAYERS, Fair, Loaded, Table

LOADED = Loaded("p1", "deck D", 20, "D11", 1.5)
PCS = dict(zip(PLAYERS, ("ida", "pim", "quill"), strict=True))
RANKS = {"ida": (4, 1, 1), "pim": (1, 3, 2), "quill": (1, 2, 3)}


class StickyCard(Fair):
    """Draws from the cards left; one card is more likely than the others."""

    def __init__(self, source: random.Random, loaded: Loaded, left: list[str]) -> None:
        super().__init__(source)
        self.choices = source.choices
        self.left, self.value, self.weight = left, loaded.value, loaded.weight

    def draw(self, sides: int) -> int:
        self.asked += 1
        assert sides == len(self.left)
        weights = [self.weight if card == self.value else 1.0 for card in self.left]
        [nth] = self.choices(range(sides), weights)
        self.left.pop(nth)
        return nth + 1


def prepare(table: Table) -> None:
    for seat, entity in PCS.items():
        table.all(
            (seat, m.CreateCharacter(entity, entity)),
            (seat, m.DistributeRanks(entity, *RANKS[entity])),
        )


def scene(table: Table) -> None:
    """Play an attempt, a longer turn, a flip for a number, or a reshuffle."""
    seat = table.someone()
    entity = PCS[seat]
    if table.maybe(0.1):
        _number(table, seat if table.maybe(0.5) else "gm", entity)
    elif table.maybe(0.15):
        table.do("gm", m.OpenTurn(entity))
        for _ in range(table.pick((2, 3))):
            _attempt(table, seat, entity)
        table.do(seat, m.EndTurn(entity))
    else:
        _attempt(table, seat, entity)
    discard = table.state.characters[entity].discard
    if "D11" in discard and table.maybe(0.3):  # the best card is gone
        table.do(seat, m.Reshuffle(entity))
    if table.state.options.stamina_mode is not UNSET and table.maybe(0.4):
        _fight(table, seat, entity)


def _fight(table: Table, seat: str, entity: str) -> None:
    """Lose stamina, take a breather and rest, while conditions run out and arrows are counted."""
    arrows = table.pick(tuple(range(20)))
    if table.maybe(0.3):
        table.do("gm", m.TakeInjury(entity, table.pick(tuple(rules.Injury)), "the axe"))
    for by, command in (
        ("gm", m.SetCondition(entity, "hunted", 2)),
        ("gm", m.SetCondition(entity, "damp", minutes=30)),
        (seat, m.SetCounter(entity, "arrows", arrows)),
        (seat, m.LoseStamina(entity, table.pick((1, 2, 3)), "run")),
        ("gm", m.SetDifficulty(entity, Stat.DEXTERITY, Difficulty.STANDARD, "hide")),
        (seat, m.Flip(entity)),
        (seat, m.TakeBreather(entity)),
        ("gm", m.Interpret(entity, "so it is")),
        ("gm", m.EndRound()),
        ("gm", m.PassMinutes(20)),
        ("gm", m.EndCondition(entity, "damp", "the sun comes out")),
        (seat, m.Recover(entity, table.pick(tuple(rules.Recovery)))),
    ):
        table.do(by, command)


def _attempt(table: Table, seat: str, entity: str) -> None:
    if table.maybe(0.7):
        table.do(seat, m.Attempt(entity, "lift the gate"))
    difficulty = table.pick(tuple(Difficulty))
    table.do("gm", m.SetDifficulty(entity, table.pick(tuple(Stat)), difficulty))
    discard = rules.discard_before_flips(
        table.state.characters[entity].discard, METHODS[difficulty].flips
    )
    table.do(seat, m.Flip(entity), _chance(table, seat, discard))
    table.do("gm", m.Interpret(entity, "so it is"))


def _number(table: Table, seat: str, entity: str) -> None:
    number = table.pick(tuple(rules.Number))
    of = table.state.characters[entity]
    if of.attempt is UNSET:
        discard = rules.discard_before_number(table.state.options.deck, of.discard, number)
        table.do(seat, m.FlipNumber(entity, number), _chance(table, seat, discard))


def _chance(table: Table, seat: str, discard: tuple[str, ...]) -> Fair:
    if table.loaded is None or table.loaded.seat != seat:
        return Fair(table.random)
    return StickyCard(
        table.random, table.loaded, list(rules.cards_left(table.state.options.deck, discard))
    )
