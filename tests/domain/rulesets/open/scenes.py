"""Scenes of an open table for simulated sessions: rolls, fights, cards and counters."""

from __future__ import annotations

from msgspec import UNSET

from domain.rulesets.open import messages as m
from tests.support.simulation import PLAYERS, Loaded, Table

LOADED = Loaded("p1", "d6", 6, "6", 1.5)
PCS = dict(zip(PLAYERS, ("ana", "ben", "cleo"), strict=True))
NPCS = ("orc", "wolf")
NOTATIONS = ("2d6", "3d6+2", "4d6kh3", "6d6>=5", "2d6ro<2", "1d20+5", "2d20kh1+3", "1d8[fire]+1d6")
CARDS = ("Ace", "Ace", "Two", "Three", "Four", "Five", "Six", "Seven")
DECK = "small"


def prepare(table: Table) -> None:
    for seat, entity in PCS.items():
        table.all(
            (seat, m.CreateCharacter(entity, entity)),
            (seat, m.SetNumber(entity, "gold", 10)),
            (seat, m.SetBar(entity, "HP", 12, 12)),
            (seat, m.SaveRoll(entity, "stealth", "1d20+5")),
        )
    for entity in NPCS:
        _npc(table, entity)
    table.do("gm", m.CreateDeck(DECK, "the small deck", CARDS))
    table.do("gm", m.SetCounter("doom", 0))


def scene(table: Table) -> None:
    """Play a roll, a turn of a fight, something about a sheet, cards or time."""
    seat = table.someone((*PLAYERS, "gm"))
    entity = PCS.get(seat) or table.pick(NPCS)
    if table.state.characters[entity].removed:
        entity = PCS["p1"]
        seat = "p1"
    play = table.pick((_roll, _roll, _roll, _fight, _sheet, _cards, _time))
    play(table, seat, entity)


def _npc(table: Table, entity: str) -> None:
    table.all(("gm", m.CreateCharacter(entity, entity)), ("gm", m.SetBar(entity, "HP", 9, 9)))


def _roll(table: Table, seat: str, entity: str) -> None:
    if entity in PCS.values() and table.maybe(0.2):
        table.do(seat, m.Roll(entity, name="stealth", aim="Sneak past the guard"))
    table.do(seat, m.Roll(entity, table.pick(NOTATIONS)))
    if table.maybe(0.1):
        table.do(seat, m.Roll(notation="2d6"))


def _fight(table: Table, seat: str, entity: str) -> None:
    """Come into initiative, or take a turn and hurt someone."""
    if not any(place.entity == entity for place in table.state.order):
        table.do(seat, m.RollInitiative(entity, "1d20+1"))
        return
    table.do("gm", m.NextTurn())
    if table.state.at is not UNSET and table.maybe(0.7):
        table.do(seat, m.Roll(entity, "1d20+4"))
        hurt = table.pick((*PCS.values(), *NPCS))
        table.do("gm", m.ChangeBar(hurt, "HP", table.pick((-3, -1, 2))))
    if table.maybe(0.1):
        table.do("gm", m.EndInitiative())


def _sheet(table: Table, seat: str, entity: str) -> None:
    table.do(seat, m.AddToNumber(entity, "gold", table.pick((-2, 5)), "so it goes"))
    table.do(seat, m.SetCondition(entity, "prone", rounds=table.pick((1, 2, 3))))
    if table.maybe(0.3):
        table.do(seat, m.SetCondition(entity, "hidden", minutes=30, note="behind the barrels"))
    if table.maybe(0.3):
        table.do(seat, m.EndCondition(entity, "prone"))


def _cards(table: Table, seat: str, entity: str) -> None:
    deck = table.state.decks[DECK]
    if not table.do(seat, m.DrawCards(DECK, table.pick((1, 2)), entity)):
        table.do(seat, m.Shuffle(DECK))
    for card in deck.in_play[:2]:
        names = (deck.cards[card.place],)
        back = m.ReturnCards(DECK, names) if table.maybe(0.3) else m.Discard(DECK, names)
        table.do("gm", back)


def _time(table: Table, seat: str, entity: str) -> None:
    table.do("gm", m.EndRound())
    table.do("gm", m.PassMinutes(table.pick((1, 10))))
    table.do("gm", m.SetCounter("doom", table.random.randint(0, 6)))
    table.do("gm", m.AddToCounter("doom", table.pick((-1, 1, 2))))
    if table.maybe(0.1):
        table.do(seat, m.Note("A letter", "Come at once."))
