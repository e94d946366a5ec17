"""Scenes of FanSys23 for simulated sessions: checks, saves, contests, attacks and damage."""

from __future__ import annotations

from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.vocabulary import Gauge, Nature, Reach, Size, Stat
from tests.support.simulation import PLAYERS, Loaded, Table

LOADED = Loaded("p1", "d12", 12, "12", 1.5)
PCS = dict(zip(PLAYERS, ("cleo", "anneke", "bo"), strict=True))
NPCS = ("osric", "sow")
DAMAGE = {"cleo": (4, 6), "anneke": (2, 8), "bo": (2, 6), "osric": (1, 10), "sow": (1, 6)}
SKILL, ATTACK = "climbing", "blow"


def prepare(table: Table) -> None:
    for seat, entity in (*PCS.items(), *(("gm", npc) for npc in NPCS)):
        scores = [table.random.randint(8, 16) for _ in Stat]
        table.all(
            (
                seat,
                c.Create(entity, entity, 6, *scores, 4, 4, "humanoid", "highlander", Size.MEDIUM),
            ),
            (seat, c.LearnSkill(entity, SKILL, 3, Stat.STR)),
            (seat, c.SetProficiency(entity, ATTACK, True)),
            (
                seat,
                c.LearnAttack(
                    entity, ATTACK, Stat.STR, Nature.NATURAL, Reach.MELEE, *DAMAGE[entity], 1
                ),
            ),
        )


def scene(table: Table) -> None:
    """Play a check, a save, a contest or an attack."""
    seat = table.someone((*PLAYERS, "gm"))
    entity = PCS.get(seat) or table.pick(NPCS)
    _heal(table)
    if table.maybe(0.3):
        twist = table.pick(tuple(Twist))
        table.do("gm", c.Grant(entity, twist, "the wind"))
    if seat == table.busy or table.maybe(0.5):
        _strike(table, seat, entity)
    else:
        _check(table, seat, entity)


def _check(table: Table, seat: str, entity: str) -> None:
    threshold = table.random.randint(8, 20)
    match table.random.randrange(5):
        case 0:
            table.do("gm", c.OpenCheck(entity, SKILL, threshold=threshold))
        case 1:
            table.do("gm", c.OpenCheck(entity, stat=table.pick(tuple(Stat)), threshold=threshold))
        case 2:
            table.do("gm", c.OpenSave(entity, table.pick(tuple(Stat)), threshold))
        case 3:
            table.do(seat, c.OpenCheck(entity, SKILL))
        case _:
            keeper = table.pick(NPCS if entity in PCS.values() else tuple(PCS.values()))
            contest = c.Oppose(
                keeper, entity, static=False, keeper_stat=Stat.WIS, challenger_stat=Stat.DEX
            )
            table.all(("gm", contest), ("gm", c.Roll(keeper)))
    table.do(seat, c.Roll(entity))


def _strike(table: Table, seat: str, entity: str) -> None:
    if table.maybe(0.1):
        table.do("gm", c.Harm(entity, Nature.NATURAL, 0, "a fall", 2, 6))
    target = table.pick(NPCS if entity in PCS.values() else tuple(PCS.values()))
    table.all((seat, c.Attack(entity, target, ATTACK)), (seat, c.RollDamage(entity)))


def _heal(table: Table) -> None:
    for entity, of in table.state.entities.items():
        if of.pools.hp <= 0:
            table.do("gm", c.AdjustPool(entity, Gauge.HP, 20, "a long drink"))
