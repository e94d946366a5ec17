"""Scenes of Kingdoms and Rulers for simulated sessions: basic tests, extended ones, plain dice."""

from __future__ import annotations

from domain.rulesets.kingdoms import messages as m
from domain.rulesets.kingdoms.rules import DICE, PoolTestKind, Refill
from tests.support.simulation import PLAYERS, Loaded, Table

LOADED = Loaded("p1", "d12", 12, "12", 1.5)
PCS = dict(zip(PLAYERS, ("ilse", "bodo", "wenda"), strict=True))
NPCS = ("odo", "maud")
STATS = (("STR", 4), ("INT", 3), ("armour class", 6))


def prepare(table: Table) -> None:
    for seat, entity in PCS.items():
        table.do(seat, m.CreatePc(entity, entity, 3, 4))
    for entity in NPCS:
        table.do("gm", m.CreateNpc(entity, entity, 2, 3))
    for seat, entity in (*PCS.items(), *(("gm", npc) for npc in NPCS)):
        table.all(*((seat, m.NameStat(entity, stat, value)) for stat, value in STATS))
        table.do("gm", m.ApproveStats(entity))  # refused unless the option makes stats wait


def scene(table: Table) -> None:
    """Play a basic test, an extended test, or a plain roll."""
    seat = table.someone((*PLAYERS, "gm"))
    entity = PCS.get(seat) or table.pick(NPCS)
    if table.maybe(0.15):
        table.do(seat, m.RollDice(table.random.randint(1, 3), table.pick(DICE), entity))
    elif table.maybe(0.6):
        _basic(table, seat, entity)
    else:
        _extended(table, seat, entity)


def _basic(table: Table, seat: str, entity: str) -> None:
    stats = table.pick((("STR",), ("INT",), ("CHA", "INT"), ("CON", "STR")))
    table.do("gm", m.DeclareTest(entity, PoolTestKind.BASIC, stats))
    if table.maybe(0.3):
        table.do("gm", m.GrantDice(entity, "a letter", table.pick((1, 2))))
    table.do(seat, m.AssemblePool(entity))
    _roll(table, seat, entity)


def _extended(table: Table, seat: str, entity: str) -> None:
    """Roll until the test is decided or the players stop."""
    table.do(
        "gm", m.DeclareTest(entity, PoolTestKind.EXTENDED, ("STR",), table.pick(tuple(Refill)))
    )
    table.do(seat, m.AssemblePool(entity))
    for _ in range(table.pick((2, 3, 4))):
        _roll(table, seat, entity)
    table.do("gm", m.EndTest(entity))


def _roll(table: Table, seat: str, entity: str) -> None:
    rival = table.pick([who for who in (*PCS.values(), *NPCS) if who != entity])
    determined = m.DetermineDt(entity, rival, ("armour class",))
    table.do("gm", determined if table.maybe(0.3) else m.SetDt(entity, table.random.randint(3, 9)))
    table.all((seat, m.RollTest(entity)), ("gm", m.Interpret(entity, "so it is")))
