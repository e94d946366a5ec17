"""What the second edition changes: each row is decided as before in the first edition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.chance import EnumeratedChance
from domain.codec import encode
from domain.decider import By, Refused, fold
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import EARLIER_EDITIONS, RULESETS_BY_EDITION
from domain.rulesets.fansys import commands as c, edition_1, events as e, ruleset
from domain.rulesets.fansys.rules.dice import ADVANTAGE, Twist
from domain.rulesets.fansys.rules.modifiers import ConditionName
from domain.rulesets.fansys.rules.vocabulary import (
    DEX,
    STR,
    WIS,
    Applies,
    Energy,
    Gauge,
    Layer,
    Length,
    Mode,
    ModifierOrigin,
    Options,
    RollPurpose,
    Size,
    Status,
    ThresholdPart,
    Unit,
    Why,
)
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain.rulesets.fansys.people import (
    ANA,
    COMBAT,
    EVEN,
    GM,
    MELEE,
    NATURAL,
    P1,
    TABLE,
    ability,
    full,
    has_hit,
    hex_penalty,
    is_now,
    left,
    opened,
    save,
)

WALKS = e.SpeedSet("ana", Mode.WALK, 0, 30)
DASH = e.Moved("ana", Mode.WALK, 120, True)
STUNNED, PARALYSED = ConditionName.STUNNED, ConditionName.PARALYSED
DICE, DEAD = left("ana", sp_dice=3, sp_owned=3), left("ben", hp=-26)
STRIKE, FORCE = c.Attack("ana", "ben"), c.ForceSave("ana", "ben", NATURAL, STR, STR)
CONTEST = c.Oppose("ana", "ben", keeper_stat=STR, challenger_stat=STR)
TEETH = c.SetModifier(
    "ana", "teeth", ModifierOrigin.EQUIPMENT, NATURAL, "x", Applies.ATTACK, 1, "bite"
)
WISP = c.Create("wisp", "Wisp", 1, *EVEN, 0, 0, "spirit", "wisp", Size.SMALL, True)
BLANK = c.Create("cleo", " ", 1, *EVEN, 0, 0, "elf", "elf", Size.SMALL)

NO_DEX = e.StatAdjusted("ana", DEX, 11, 0, "a curse", full(), full(), Status.OK)
UNCONSCIOUS = is_now("ana", ConditionName.UNCONSCIOUS)

CHALLENGED = [
    ability("ana", STR),
    ability("rat", STR, against="ana"),
    ability("ben", STR, against="ana"),
]

CHANGED: list[tuple[str, Sequence[Message], By, Message, str, str]] = [
    # what changed, events after those of TABLE, who, the command; events or refusal before, now
    ("the stunned attack", [is_now("ana", STUNNED)], P1, STRIKE, "AttackRolled", "cannot-act"),
    (
        "the paralysed force saves",
        [is_now("ana", PARALYSED)],
        P1,
        FORCE,
        "SaveForced CheckOpened",
        "cannot-act",
    ),
    (
        "the stunned lift a gate",
        [is_now("ana", STUNNED), ability("ana", STR)],
        P1,
        c.Roll("ana"),
        "CheckRolled",
        "CheckSettled",
    ),
    (
        "the paralysed dodge",
        [is_now("ana", PARALYSED), save("ana", DEX)],
        P1,
        c.Roll("ana"),
        "CheckRolled",
        "CheckSettled",
    ),
    (
        "who cannot act opposes in combat",
        [COMBAT, left("ana", hp=0)],
        GM,
        CONTEST,
        "CheckOpened",
        "CheckSettled",
    ),
    (
        "speed is for one movement",
        [WALKS, e.Moved("ana", Mode.WALK, 20, False)],
        P1,
        c.Move("ana", Mode.WALK, 20),
        "Moved",
        "over-speed",
    ),
    ("a sprint and an attack", [WALKS, DASH], P1, STRIKE, "AttackRolled", "sprint-takes-all"),
    (
        "an attack and a sprint",
        [WALKS, e.SaveForced("ana", "ben", NATURAL, (), 12)],
        P1,
        c.Move("ana", Mode.WALK, 120, True),
        "Moved",
        "sprint-takes-all",
    ),
    (
        "a second challenger",
        [ability("ana", STR), ability("ben", STR, against="ana")],
        GM,
        c.Oppose("ana", "rat", keeper_stat=STR, challenger_stat=STR),
        "check-open",
        "CheckOpened",
    ),
    (
        "a keeper's check is called off with all challengers",
        CHALLENGED,
        GM,
        c.Drop("ana", "a slip"),
        "Dropped Dropped",
        "Dropped Dropped Dropped",
    ),
    (
        "one of several challengers is called off alone",
        CHALLENGED,
        GM,
        c.Drop("ben", "a slip"),
        "Dropped Dropped",
        "Dropped",
    ),
    (
        "one of several challengers fails alone",
        CHALLENGED,
        GM,
        c.RuleCheck("ben", False, "a slip"),
        "CheckSettled CheckSettled",
        "CheckSettled",
    ),
    ("a rest takes no time", [], GM, c.Rest("ana", Length.LONG), "Rested", "Rested TimePassed"),
    (
        "a modifier outlives its condition",
        [is_now("ana", STUNNED), hex_penalty(source="stunned")],
        GM,
        c.LiftCondition("ana", STUNNED),
        "ConditionLifted",
        "ConditionLifted ModifierSet",
    ),
    (
        "so it does when time ends it",
        [is_now("ana", STUNNED, 2), hex_penalty(source="Stunned")],
        GM,
        c.PassTime(2, Unit.ROUND),
        "TimePassed ConditionTicked",
        "TimePassed ConditionTicked ModifierSet",
    ),
    (
        "dice are the player's",
        [DICE],
        GM,
        c.SpendDice("ana", Energy.SP, 1, "a leap"),
        "not-yours",
        "DiceSpent",
    ),
    ("a blank name", [], P1, BLANK, "Created", "blank-text"),
    ("a check of no skill", [], P1, c.OpenCheck("ana", " ", STR), "CheckOpened", "blank-text"),
    (
        "a check of a skill in capitals",
        [],
        P1,
        c.OpenCheck("ana", "Locks", STR),
        "CheckOpened",
        "almost-the-same",
    ),
    ("a body for a spirit", [], GM, WISP, "Created", "no-body-no-stat"),
    (
        "a skill with a space before it",
        [],
        P1,
        c.LearnSkill("ana", " locks", 1, DEX),
        "SkillLearned",
        "almost-the-same",
    ),
    (
        "an attack in capitals",
        [],
        P1,
        c.LearnAttack("ana", "SWORD", STR, NATURAL, MELEE, 1, 6, 0),
        "AttackLearned",
        "almost-the-same",
    ),
    (
        "one stat twice",
        [],
        GM,
        c.OpenSave("ana", DEX, 12, DEX),
        "CheckOpened",
        "same-stat-twice",
    ),
    ("an attack on oneself", [], P1, c.Attack("ana", "ana"), "AttackRolled", "attacks-itself"),
    (
        "no adjustment",
        [],
        GM,
        c.AdjustPool("ana", Gauge.HP, 26, "nothing"),
        "PoolAdjusted",
        "nothing-changes",
    ),
    (
        "no damage",
        [],
        GM,
        c.Harm("ana", NATURAL, 0, "air"),
        "DamageRolled Harmed",
        "nothing-changes",
    ),
    ("no grant", [], GM, c.Grant("ana", Twist.PLAIN, "x"), "Granted", "nothing-changes"),
    (
        "no defence",
        [],
        GM,
        c.SetDefence("ana", ThresholdPart.DODGE, Layer.STATIC, "grace", 0),
        "DefenceSet",
        "nothing-changes",
    ),
    ("no new hands", [], GM, c.HandOver("ana", "x", "p1"), "HandedOver", "nothing-changes"),
    ("a modifier for no attack", [], GM, TEETH, "ModifierSet", "no-such-attack"),
    (
        "a modifier for saves by no stat",
        [],
        GM,
        replace(TEETH, applies=Applies.SAVE),
        "ModifierSet",
        "name-the-roll",
    ),
    (
        "the dead fall prone",
        [DEAD],
        GM,
        c.SetCondition("ben", ConditionName.PRONE),
        "ConditionSet",
        "destroyed",
    ),
    (
        "the damage of the dead is rolled",
        [has_hit(), DEAD],
        P1,
        c.RollDamage("ana"),
        "DamageRolled Harmed",
        "destroyed",
    ),
    (
        "the damage of the dead comes first",
        [has_hit(), DEAD],
        P1,
        c.Attack("ana", "rat"),
        "damage-waits",
        "AttackRolled",
    ),
    ("a stone attacks", [NO_DEX], P1, STRIKE, "AttackRolled", "cannot-move"),
    (
        "a stone lifts a gate",
        [NO_DEX, ability("ana", STR)],
        P1,
        c.Roll("ana"),
        "CheckRolled",
        "CheckSettled",
    ),
    (
        "the unconscious dodge",
        [UNCONSCIOUS, save("ana", DEX)],
        P1,
        c.Roll("ana"),
        "CheckRolled",
        "CheckSettled",
    ),
    (
        "the unconscious choose",
        [UNCONSCIOUS, save("ana", WIS)],
        P1,
        c.FailWillingly("ana"),
        "CheckSettled",
        "cannot-act",
    ),
    (
        "a check is failed on purpose by leave",
        [opened("ana")],
        GM,
        c.SetTerms("ana", may_yield=True),
        "TermsSet",
        "no-cha-save",
    ),
    (
        "a modifier for a skill in capitals",
        [],
        GM,
        replace(TEETH, applies=Applies.SKILL, only="Locks"),
        "ModifierSet",
        "almost-the-same",
    ),
    ("luck for the dead", [DEAD], GM, c.Grant("ben", ADVANTAGE, "x"), "Granted", "destroyed"),
]


def answer(edition: AnyRuleset, given: Sequence[Message], when: Message, by: By) -> str:
    """Return the names of the events that are decided, or the rule that refuses the command."""
    start = edition.decider.initial(Options())
    state = fold(edition.decider.evolve, start, [*TABLE, *given])
    try:
        events = edition.decider.decide(state, when, by, EnumeratedChance(()))
    except Refused as refused:
        return refused.rule
    return " ".join(type(event).__name__ for event in events)


@pytest.mark.parametrize(
    ("given", "by", "when", "before", "now"),
    [row[1:] for row in CHANGED],
    ids=[row[0] for row in CHANGED],
)
def test_each_edition_decides_by_its_own_rules(
    given: Sequence[Message], by: By, when: Message, before: str, now: str
) -> None:
    assert (answer(edition_1, given, when, by), answer(ruleset, given, when, by)) == (before, now)


def test_the_first_edition_knows_only_the_challenger_who_came_first() -> None:
    when = c.Drop("ana", "a slip")
    for edition, others in ((edition_1, ["rat"]), (ruleset, ["ben", "rat"])):
        start = edition.decider.initial(Options())
        state = fold(edition.decider.evolve, start, [*ANA, *CHALLENGED])
        dropped = edition.decider.decide(state, when, GM, EnumeratedChance(()))
        assert dropped == tuple(e.Dropped(each, "a slip") for each in ("ana", *others))


def decided(edition: AnyRuleset, given: Sequence[Message], when: Message) -> list[Message]:
    """Return the events of the GM's command."""
    start = edition.decider.initial(Options())
    state = fold(edition.decider.evolve, start, [*TABLE, *given])
    return list(edition.decider.decide(state, when, GM, EnumeratedChance(())))


def test_in_the_first_edition_the_paralysed_pass_unopposed() -> None:
    given, when = [*CHALLENGED, is_now("ben", PARALYSED)], c.RuleCheck("ana", False, "a slip")
    failed = e.CheckSettled("ana", RollPurpose.ABILITY, "STR", False, Why.RULED, "a slip")
    passed = replace(failed, entity="ben", success=True, why=Why.UNOPPOSED, reason=UNSET)
    unable = replace(passed, success=False, why=Why.CONDITION)
    alone = [*given[:1], *given[2:]]
    assert decided(edition_1, alone, when) == [failed, passed]
    assert decided(ruleset, alone, when) == [failed, unable]
    assert decided(ruleset, given, when) == [failed, unable, replace(passed, entity="rat")]


def test_a_rest_of_the_first_edition_takes_the_hours_that_are_named() -> None:
    assert answer(edition_1, [], c.Rest("ana", Length.REST, hours=2), GM) == "Rested TimePassed"


def test_the_first_edition_counts_nothing_in_a_round() -> None:
    given = [*TABLE, WALKS, DASH, has_hit(), opened("ana"), is_now("ana", STUNNED, 2)]
    start = edition_1.decider.initial(Options())
    state = fold(edition_1.decider.evolve, start, [*given, e.TimePassed(6, 6)])
    keys = msgspec.json.decode(msgspec.json.encode(state)).keys()
    assert keys == {"options", "clock", "scene", "entities", "checks", "hits"}
    options = msgspec.json.decode(msgspec.json.encode(state.options))
    assert not {"stat_in_damage", "announce_attacks"} & options.keys()


TABLE_OF_EDITION_1 = (
    b'{"checks":{"ana":{"may_yield":false,"name":"locks","routine":false,"stats":["DEX"],'
    b'"tries":1,"use":"skill"}},"clock":0,"entities":{"ana":{"attacks":[{"bonus":2,"dice":1,'
    b'"name":"sword","nature":"natural","proficiency":"swords","reach":"melee","sides":8,'
    b'"spiritual":false,"stats":["STR"]}],"being":"PC","bodiless":false,'
    b'"conditions":{"stunned":2},"defences":[],"entity_type":"humanoid","granted":[],"level":3,'
    b'"mindless":false,"modifiers":[],"name":"Ana","pools":{"hp":26,"hp_max":26,"mp":33,'
    b'"mp_dice":0,"mp_max":33,"mp_owned":0,"sp":36,"sp_dice":0,"sp_max":36,"sp_owned":0},'
    b'"proficiencies":[],"race":"human","seat":"p1","size":"medium","skills":['
    b'{"background":false,"name":"locks","points":2,"stats":["DEX"]}],"speeds":{},'
    b'"stats":[11,11,12,11,11,11]}},"hits":{"ana":{"attack":{"bonus":2,"dice":1,"name":"sword",'
    b'"nature":"natural","proficiency":"swords","reach":"melee","sides":8,"spiritual":false,'
    b'"stats":["STR"]},"target":"ben","times":1}},"options":{"base_on_skills":"always",'
    b'"bonus_rounding":"up","clock":0,"mp_stat":"CON","round_seconds":6,'
    b'"source_conditions":false,"source_skills":false,"two_types":false},"scene":"tense"}'
)


def test_a_table_of_the_first_edition_is_written_as_it_was() -> None:
    """A fork's first table is compared to the byte: nothing that came later may stand in it."""
    began = edition_1.decider.initial(Options())
    assert encode(began) == (
        b'{"checks":{},"clock":0,"entities":{},"hits":{},"options":{"base_on_skills":"always",'
        b'"bonus_rounding":"up","clock":0,"mp_stat":"CON","round_seconds":6,'
        b'"source_conditions":false,"source_skills":false,"two_types":false},"scene":"tense"}'
    )
    given = [*ANA, is_now("ana", STUNNED, 2), opened("ana"), has_hit()]
    state = fold(edition_1.decider.evolve, began, given)
    assert encode(state) == TABLE_OF_EDITION_1
    assert msgspec.json.decode(TABLE_OF_EDITION_1, type=edition_1.state) == state


def test_a_table_of_the_second_edition_names_it() -> None:
    assert b'"edition":2' in encode(ruleset.decider.initial(Options()))


def test_the_second_edition_gives_characters_only_to_seats_that_play() -> None:
    assert not edition_1.named_seats_must_play
    assert ruleset.named_seats_must_play


def test_both_editions_are_registered() -> None:
    assert edition_1 in EARLIER_EDITIONS
    assert RULESETS_BY_EDITION["fansys", "1"] is edition_1
    assert RULESETS_BY_EDITION["fansys", "2"] is ruleset


def test_the_golden_log_of_the_first_edition_verifies() -> None:
    log = Path(__file__).parents[3] / "golden" / "fansys-1.fairlog"
    report = verify(log.read_bytes().splitlines(keepends=True), ed25519)
    assert report.failure is None
