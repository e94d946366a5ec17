"""Scenes of Pentola for simulated sessions: tests, usage dice, initiative."""

from __future__ import annotations

from domain.rulesets.pentola import commands as c
from domain.rulesets.pentola.rules import Bonus, Characteristic, Die, Difficulty
from tests.support.simulation import PLAYERS, Loaded, Table

LOADED = Loaded("p1", "d6", 6, "6", 1.5)
PCS = dict(zip(PLAYERS, ("vesna", "otho", "pim"), strict=True))
NPCS = ("captain", "goose")
SCORES = {"vesna": (11, 14), "otho": (15, 9), "pim": (8, 15), "captain": (13, 12), "goose": (5, 6)}
SKILL, ABILITY, ITEM = "fencing", "hush", "lamp oil"
FULL = {"vesna": Die.D6, "otho": Die.D10, "pim": Die.D8, "captain": Die.D12, "goose": Die.D20}


def prepare(table: Table) -> None:
    for seat, entity in PCS.items():
        table.do(seat, c.CreatePc(entity, entity, *SCORES[entity]))
        _equip(table, seat, entity)
    for entity in NPCS:
        table.do("gm", c.CreateNpc(entity, entity, *SCORES[entity]))
        _equip(table, "gm", entity)
    _rehearse(table)


def _rehearse(table: Table) -> None:
    """Send once what random commands hardly reach. No die is rolled for it."""
    table.all(
        ("gm", c.SetCondition("captain", "drowsy")),
        ("gm", c.EndCondition("captain", "drowsy", "the goose honks")),
        ("p1", c.AddItem("vesna", "rope", Die.D6)),
        ("p1", c.GiveItem("vesna", "rope", "otho")),
        ("gm", c.DemandTest("goose", Characteristic.BOD, Difficulty.NORMAL)),
        ("gm", c.ChangeTest("goose", Characteristic.INT, Difficulty.HARD, "a slip")),
        ("gm", c.CallOff("goose", "a slip")),
    )
    if table.state.options.hit_points is True:
        table.all(
            ("gm", c.Harm("goose", 1, "a stumble")),
            ("gm", c.Heal("goose", 1, "a breath")),
        )


def _equip(table: Table, seat: str, entity: str) -> None:
    table.all(
        (seat, c.AddBonus(entity, SKILL, Bonus.SKILL, 25)),
        (seat, c.AddAbility(entity, ABILITY, FULL[entity])),
        (seat, c.AddItem(entity, ITEM, FULL[entity])),
    )


def scene(table: Table) -> None:
    """Play a test, the use of something, or a moment."""
    seat = table.someone((*PLAYERS, "gm"))
    entity = PCS.get(seat) or table.pick(NPCS)
    if seat == table.busy:
        _use(table, seat, entity)
    elif table.maybe(0.5):
        _test(table, seat, entity)
    elif table.maybe(0.7):
        _use(table, seat, entity)
    else:
        _moment(table)


def _test(table: Table, seat: str, entity: str) -> None:
    of = table.pick((Characteristic.BOD, Characteristic.INT))
    difficulty = table.pick(tuple(Difficulty))
    table.all(
        ("gm", c.DeclareIntent(entity, "be let in", "smile")),
        ("gm", c.CallTest(entity, of, difficulty)),
    )
    rivals = [(other, who) for other, who in PCS.items() if who != entity]
    sides = [(seat, entity), *table.random.sample(rivals, table.pick((0, 0, 1, 2)))]
    for _, rival in sides[1:]:
        table.do("gm", c.Oppose(entity, rival, of, table.pick(tuple(Difficulty))))
    for who, side in sides:
        table.do(who, c.RollTest(side, (SKILL,)) if table.maybe(0.6) else c.RollTest(side))


def _use(table: Table, seat: str, entity: str) -> None:
    """Use an ability, or an item whose die its player or the referee rolls."""
    if table.maybe(0.6):
        table.do(seat, c.UseAbility(entity, ABILITY))
    elif table.all((seat, c.UseItem(entity, ITEM)), ("gm", c.PassMinute())):
        table.do(seat if table.maybe(0.8) else "gm", c.RollUsage(entity, ITEM))
    for held in table.state.entities[entity].held:
        if held.die is Die.EXPENDED or (seat == table.busy and held.die is not FULL[entity]):
            table.do("gm", c.AdjustUsageDie(entity, held.name, FULL[entity], "refilled"))


def _moment(table: Table) -> None:
    if table.do("gm", c.StartMoment((*PCS.values(), *NPCS))):
        for seat, entity in PCS.items():
            table.do(
                seat,
                c.RollInitiative(entity, (SKILL,))
                if table.maybe(0.5)
                else c.RollInitiative(entity),
            )
        table.all(("gm", c.RollRest((SKILL,))), ("gm", c.EndMoment("it comes to nothing")))
