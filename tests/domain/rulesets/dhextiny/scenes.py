"""Scenes of Dhextiny for simulated sessions: checks, attacks, alterations, fire and death."""

from __future__ import annotations

from domain.rulesets.dhextiny import messages as m
from domain.rulesets.dhextiny.rules import LP_START, Status
from tests.support.simulation import PLAYERS, Loaded, Table

LOADED = Loaded("p1", "d6", 6, "6", 1.5)
PCS = dict(zip(PLAYERS, ("ana", "ben", "cleo"), strict=True))
FOES = ("tobin", "rats")
ABILITY = "sword"


def prepare(table: Table) -> None:
    for seat, entity in PCS.items():
        table.all(
            (seat, m.CreatePc(entity, entity)),
            (seat, m.RollAbilities(entity)),
            (seat, m.NameAbility(entity, ABILITY)),
        )
    table.all(
        ("gm", m.CreateNpc("tobin", "Tobin")),
        ("gm", m.RollAbilities("tobin")),
        ("gm", m.NameAbility("tobin", ABILITY)),
        ("gm", m.CreateCreature("rats", "The rats", 12)),
        ("gm", m.NameAbility("rats", ABILITY, 2)),
    )


def scene(table: Table) -> None:
    """Play one check from roll to result. Sometimes something catches fire."""
    seat = table.someone((*PLAYERS, "gm"))
    entity = PCS.get(seat) or table.pick(FOES)
    if _dying(table, seat, entity):
        return
    ability = ABILITY if table.maybe(0.7) else None
    check = _check(table, entity) if ability is None else _check(table, entity, ability)
    if table.do(seat, check):
        if table.maybe(0.4):
            table.do(seat, m.Alter(entity, ABILITY, table.pick((1, 1, 2))))
        elif table.maybe(0.1):
            table.do(seat, m.AlterToF(entity, ABILITY))
        table.do(seat, m.Settle(entity))
    if table.maybe(0.15):
        _fire(table)


def _check(table: Table, entity: str, *ability: str) -> m.Check | m.Attack | m.PutOut:
    burning = [who for who, of in table.state.entities.items() if of.aflame]
    if burning and table.maybe(0.4):
        return m.PutOut(entity, table.pick(burning), *ability)
    if table.maybe(0.5):
        foes = FOES if entity in PCS.values() else tuple(PCS.values())
        return m.Attack(entity, table.pick(foes), *ability)
    return m.Check(entity, *ability)


def _dying(table: Table, seat: str, entity: str) -> bool:
    """Play a dying entity's check, and the GM's help for entities that need it."""
    of = table.state.entities[entity]
    if of.status is Status.OK:
        if of.ap < 2:
            table.do(
                "gm", m.Rest(entity) if table.maybe(0.5) else m.AdjustAp(entity, 8, "a breath")
            )
        return False
    if of.status is Status.DYING:
        table.do(seat, m.DeathCheck(entity))
    if table.maybe(0.5):
        lp = min(LP_START, of.lp_start)
        table.do("gm", m.AdjustLp(entity, lp, "salve"))
        table.do("gm", m.AdjustStatus(entity, Status.OK, "on its feet"))
    return True


def _fire(table: Table) -> None:
    entity = table.pick((*PCS.values(), *FOES))
    table.do("gm", m.SetAflame(entity))
    table.do("gm", m.Burn(entity, 1))
    table.do("gm", m.EndRound())
