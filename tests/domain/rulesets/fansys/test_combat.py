"""Attacks, the hit threshold, damage, what absorbs it, and movement."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from domain.decider import By
from domain.ruleset import Message
from domain.rulesets.fansys import commands as c, events as e
from domain.rulesets.fansys.rules import modifiers, sheet
from domain.rulesets.fansys.rules.dice import ADVANTAGE, PLAIN, Twist
from domain.rulesets.fansys.rules.vocabulary import (
    STR,
    Applies,
    AttackProfile as Weapon,
    Energy,
    Layer,
    Mode,
    MpStat,
    Options,
    Pools,
    RollPurpose,
    Status,
    Term,
    ThresholdPart,
    TiedGrant,
    UnresolvedHit,
)
from tests.domain.rulesets.fansys.people import (
    ANA,
    ANNOUNCED,
    BASE,
    BEN,
    COMBAT,
    FLAME,
    GHOST,
    GM,
    HOLY,
    MELEE,
    NATURAL,
    P1,
    QUIET,
    SAFE,
    STRONG,
    SUPERNATURAL,
    SWORD,
    TABLE,
    created,
    defence,
    full,
    has_hit,
    left,
    modifier,
    proficient,
    throw,
    tied,
    with_stats,
)
from tests.domain.rulesets.given import Case, after, check, each_case

STRIKE = Weapon("strike", (STR,), NATURAL, MELEE, 0, 2, 1, "strike", False)
FIGHTER = (
    created("ana", "p1", 6, with_stats(str=15, int=18), sp_dice=14, mp_dice=14),
    e.AttackLearned("ana", SWORD),
    e.AttackLearned("ana", FLAME),
    *BEN,
)
NAT, SUP, SIX = Term("Nat", 3), Term("Sup", 3), Term("Base", 2)

STR_, INT_ = Term("STR", 2), Term("INT", 4)
FULL_ARMOUR, NO_COVER = defence("ben", 50), defence("ben", -50)
ATTACKS: list[
    tuple[str, Sequence[Message], Weapon, list[int], tuple[Term, ...], tuple[int, bool, int]]
] = [
    # id, events after those of FIGHTER, the attack, the dice, what is added; hit threshold, success, times
    ("a hit", [], SWORD, [6, 4], (SIX, STR_), (10, True, 1)),
    ("meets", [defence("ben", 4)], SWORD, [6, 4], (SIX, STR_), (14, True, 1)),
    ("a miss", [defence("ben", 5)], SWORD, [6, 4], (SIX, STR_), (15, False, 0)),
    ("with Nat", [proficient("ana", "swords")], SWORD, [6, 4], (SIX, NAT, STR_), (10, True, 1)),
    ("with Sup", [proficient("ana", "flame")], FLAME, [6, 4], (SIX, SUP, INT_), (10, True, 1)),
    ("one 12", [], SWORD, [12, 4], (SIX, STR_), (10, True, 2)),
    ("two 12 always hit", [FULL_ARMOUR], SWORD, [12, 12], (SIX, STR_), (60, True, 3)),
    ("a 12 that misses", [FULL_ARMOUR], SWORD, [12, 4], (SIX, STR_), (60, False, 0)),
    ("snake eyes always miss", [NO_COVER], SWORD, [1, 1], (SIX, STR_), (-40, False, 0)),
]


@pytest.mark.parametrize(
    ("given", "weapon", "drawn", "terms", "then"),
    [row[1:] for row in ATTACKS],
    ids=[row[0] for row in ATTACKS],
)
def test_attack(
    given: Sequence[Message],
    weapon: Weapon,
    drawn: list[int],
    terms: tuple[Term, ...],
    then: tuple[int, bool, int],
) -> None:
    rolled = e.AttackRolled("ana", "ben", weapon, throw(*drawn, terms=terms), *then)
    check(
        given=[*FIGHTER, *given],
        when=c.Attack("ana", "ben", weapon.name),
        by=P1,
        drawn=drawn,
        then=[rolled],
    )


TWELVES: list[tuple[Twist, list[int], int]] = [
    (ADVANTAGE, [12, 12, 12], 3),  # two are kept
    (ADVANTAGE, [3, 9, 12], 2),
    (Twist.DISADVANTAGE, [3, 9, 12], 1),  # FS-6
    (PLAIN, [12, 1], 2),
]


@pytest.mark.parametrize(("twist", "drawn", "times"), TWELVES)
def test_only_kept_twelves_repeat_the_damage_dice(
    twist: Twist, drawn: list[int], times: int
) -> None:
    given = [*ANA, *BEN, e.Granted("ana", (twist,), twist, "the light")]
    then = e.AttackRolled(
        "ana", "ben", SWORD, throw(*drawn, twist=twist, terms=(BASE,)), 10, True, times
    )
    check(given=given, when=c.Attack("ana", "ben", "sword"), by=P1, drawn=drawn, then=[then])


@pytest.mark.parametrize(
    ("times", "drawn", "points"), [(1, [5], 7), (2, [5, 8], 15), (3, [1, 1, 1], 5)]
)
def test_damage_dice_are_repeated_and_the_bonus_is_not(
    times: int, drawn: list[int], points: int
) -> None:
    rolled = e.DamageRolled("ana", "ben", 8, tuple(drawn), 2, False, points, "sword")
    after_ = sheet.apply_damage(full(), Energy.SP, points, 12)
    harmed = e.Harmed("ben", NATURAL, points, min(points, 12), "sword", full(), after_, Status.OK)
    given = [*ANA, *BEN, has_hit(times=times)]
    check(given=given, when=c.RollDamage("ana"), by=P1, drawn=drawn, then=[rolled, harmed])
    assert after(rolled, [*given, rolled, harmed]).hits == {}


DODGE, DEFLECT, ARMOUR, HIDE, AROUND = ThresholdPart
STATIC, SP, MP = Layer


def has(
    bonus: int, part: ThresholdPart = ARMOUR, layer: Layer = STATIC, source: str = "thing"
) -> Message:
    return defence("ben", bonus, part, layer, source)


HIT: list[tuple[str, Sequence[Message], int]] = [
    ("nothing", [], 10),
    ("all parts add up", [has(1, DODGE), has(2, DEFLECT), has(4), has(3, HIDE)], 20),
    ("two suits of armour are one", [has(4, source="a"), has(5, source="b")], 15),
    ("a penalty counts beside the bonus", [has(4, source="a"), has(-2, source="rust")], 12),
    ("an SP ability changes a part", [has(2, DODGE), has(3, DODGE, SP)], 15),
    ("an MP ability replaces it", [has(2, DODGE), has(3, DODGE, SP), has(4, DODGE, MP)], 14),
    ("though it be worse", [has(9), has(6, ARMOUR, MP)], 16),
    (
        "circumstances add up",
        [has(4, AROUND, STATIC, "cover"), has(-2, AROUND, source="fatigue")],
        12,
    ),
    (
        "but one source counts once",
        [has(4, AROUND, STATIC, "cover"), has(2, AROUND, source="cover")],
        12,
    ),
    (
        "nor twice through an ability",
        [has(4, AROUND, source="wall"), has(2, AROUND, SP, "wall")],
        14,
    ),
    (
        "an SP ability is one too",
        [has(4, AROUND, STATIC, "cover"), has(2, AROUND, SP, "whirl")],
        16,
    ),
    ("set to 0 it is gone", [has(4), has(0)], 10),
]


@pytest.mark.parametrize(("given", "hit"), [row[1:] for row in HIT], ids=[row[0] for row in HIT])
def test_hit_threshold(given: Sequence[Message], hit: int) -> None:
    state = after(BEN[0], [*BEN, *given])
    assert modifiers.hit_threshold(state.entities["ben"].defences) == hit


SHAMBLER = created("ben", "p2", stats=with_stats(cha=0))
VULNERABLE: list[tuple[str, Sequence[Message], Weapon, str | None]] = [
    ("ghost", GHOST, SWORD, "harmless"),
    ("ghost", GHOST, HOLY, None),
    ("ghost", GHOST, FLAME, None),
    ("ben", [SHAMBLER], HOLY, "harmless"),
    ("ben", [SHAMBLER], SWORD, None),
]


@pytest.mark.parametrize(("target", "given", "weapon", "slug"), VULNERABLE)
def test_what_can_be_harmed_by_what(
    target: str, given: Sequence[Message], weapon: Weapon, slug: str | None
) -> None:
    learned = [*ANA, *given, e.AttackLearned("ana", weapon)]
    terms = (BASE,)
    hit: list[Message] | str = slug or [
        e.AttackRolled("ana", target, weapon, throw(9, 8, terms=terms), 10, True, 1)
    ]
    drawn = [] if slug else [9, 8]
    check(given=learned, when=c.Attack("ana", target, weapon.name), by=P1, drawn=drawn, then=hit)
    if slug:
        harm = c.Harm(target, weapon.nature, 3, "a splash", spiritual=weapon.spiritual)
        check(given=learned, when=harm, by=GM, then=slug)


HP26 = (26, 26)
DAMAGE: list[tuple[str, Options, Energy, tuple[int, int, int], int, tuple[int, int]]] = [
    # id, options, SP or MP, points, dice left, dice owned; damage; points and HP left of (n, 26)
    ("FS-19", Options(), Energy.SP, (30, 10, 10), 40, (0, 16)),
    ("all absorbed", Options(), Energy.SP, (30, 10, 10), 12, (18, 26)),
    ("the cap of one attack", Options(), Energy.SP, (56, 10, 10), 40, (24, 18)),
    ("dice spent still count for the cap", Options(), Energy.SP, (56, 0, 10), 40, (24, 18)),
    ("FS-21", Options(), Energy.SP, (0, 0, 0), 7, (0, 19)),
    ("MP absorb by CON", Options(), Energy.MP, (40, 5, 5), 30, (18, 18)),
    ("MP absorb by CHA", Options(mp_stat=MpStat.CHA), Energy.MP, (40, 5, 5), 30, (19, 17)),
    ("no MP", Options(), Energy.MP, (0, 5, 5), 3, (0, 23)),
]


@pytest.mark.parametrize(
    ("options", "energy", "has", "points", "then"),
    [r[1:] for r in DAMAGE],
    ids=[r[0] for r in DAMAGE],
)
def test_damage(
    options: Options, energy: Energy, has: tuple[int, int, int], points: int, then: tuple[int, int]
) -> None:
    natural = energy is Energy.SP
    old = (
        Pools(*HP26, has[0], 99, *has[1:], 99, 99, 9, 9)
        if natural
        else Pools(*HP26, 99, 99, 9, 9, has[0], 99, *has[1:])
    )
    new = sheet.apply_damage(
        old, energy, points, sheet.absorption_cap(old, energy, (11, 11, 12, 11, 11, 11), options)
    )
    assert ((new.sp if natural else new.mp), new.hp) == then
    assert (new.mp if natural else new.sp) == 99  # natural damage leaves MP alone


STATUS = [
    (26, Status.OK),
    (14, Status.OK),
    (13, Status.HURT),
    (1, Status.HURT),
    (0, Status.DISABLED),
    (-25, Status.DISABLED),
    (-26, Status.DESTROYED),
    (-99, Status.DESTROYED),
]


@pytest.mark.parametrize(("hp", "status"), STATUS)
def test_half_zero_and_destroyed(hp: int, status: Status) -> None:
    assert sheet.status(Pools(hp, 26, 0, 0, 0, 0, 0, 0, 0, 0)) is status


def test_half_of_an_odd_maximum() -> None:
    assert [sheet.status(Pools(hp, 27, *[0] * 8)) for hp in (14, 13)] == [Status.OK, Status.HURT]


def test_hp_are_not_counted_without_end() -> None:
    rolled = e.DamageRolled("rat", "rat", 2, (), 999, False, 999)
    (old,) = (
        event.pools
        for event in TABLE
        if getattr(event, "entity", "") == "rat" and hasattr(event, "pools")
    )
    after_ = sheet.apply_damage(old, Energy.SP, 999, 12)
    harmed = e.Harmed("rat", NATURAL, 999, 12, "the moon", old, after_, Status.DESTROYED)
    assert after_.hp == old.hp - 987
    check(given=TABLE, when=c.Harm("rat", NATURAL, 999, "the moon"), by=GM, then=[rolled, harmed])
    assert sheet.apply_damage(after_, Energy.SP, 999, 12).hp == -999


WALK, SWIM = e.SpeedSet("ben", Mode.WALK, 0, 30), e.SpeedSet("ben", Mode.SWIM, 0, 5)
STEP, DASH = e.Moved("ben", Mode.WALK, 10, False), e.Moved("ben", Mode.WALK, 40, True)
FLANKING = TiedGrant(ADVANTAGE, RollPurpose.ATTACK, target="ben")
MOVES: list[tuple[Sequence[Message], c.Move, str | None]] = [
    ([WALK], c.Move("ben", Mode.WALK, 30), None),
    ([WALK], c.Move("ben", Mode.WALK, 31), "over-speed"),
    ([WALK], c.Move("ben", Mode.WALK, 120, True), None),
    ([WALK], c.Move("ben", Mode.WALK, 121, True), "over-speed"),
    ([WALK, SWIM], c.Move("ben", Mode.SWIM, 5), None),
    ([WALK], c.Move("ben", Mode.BLINK, 5), "no-such-mode"),
    ([], c.Move("ben", Mode.WALK, 5), "no-such-mode"),
]


@pytest.mark.parametrize(("given", "when", "slug"), MOVES)
def test_movement(given: Sequence[Message], when: c.Move, slug: str | None) -> None:
    then = slug or [e.Moved("ben", when.mode, when.distance, when.sprint is True)]
    check(given=[*BEN, *given], when=when, by=By("p2", P1.role), then=then)


ROWS: list[Case] = [
    Case(
        "everyone can strike",
        [*ANA, *BEN],
        P1,
        c.Attack("ana", "ben"),
        [6, 4],
        [e.AttackRolled("ana", "ben", STRIKE, throw(6, 4, terms=(BASE,)), 10, True, 1)],
    ),
    Case(
        "damage is never below nothing",
        [
            *ANA,
            *BEN,
            has_hit(attack=Weapon("sneeze", (STR,), NATURAL, MELEE, 1, 4, -5, "sneeze", False)),
        ],
        P1,
        c.RollDamage("ana"),
        [3],
        [
            e.DamageRolled("ana", "ben", 4, (3,), -5, False, 0, "sneeze"),
            e.Harmed("ben", NATURAL, 0, 0, "sneeze", full(), full(), Status.OK),
        ],
    ),
    Case(
        "the disabled can be struck and the destroyed cannot",
        [*TABLE, left("ben", hp=0)],
        P1,
        c.Attack("ana", "ben", "sword"),
        [9, 8],
        [e.AttackRolled("ana", "ben", SWORD, throw(9, 8, terms=(BASE,)), 10, True, 1)],
    ),
    Case(
        "the disabled can be struck and the destroyed cannot",
        [*TABLE, left("ben", hp=-26)],
        P1,
        c.Attack("ana", "ben", "sword"),
        [],
        "destroyed",
    ),
    Case(
        "the gm rolls damage and halves it",
        BEN,
        GM,
        c.Harm("ben", SUPERNATURAL, 2, "a fireball", 3, 6, True),
        [3, 6, 2],
        [
            e.DamageRolled("ben", "ben", 6, (3, 6, 2), 2, True, 6),
            e.Harmed(
                "ben",
                SUPERNATURAL,
                6,
                6,
                "a fireball",
                full(),
                Pools(26, 26, 36, 36, 0, 0, 27, 33, 0, 0),
                Status.OK,
            ),
        ],
    ),
    Case(
        "a ghost needs no legs",
        [*GHOST, e.SpeedSet("ghost", Mode.COSMIC, 0, 40)],
        GM,
        c.Move("ghost", Mode.COSMIC, 40),
        [],
        [e.Moved("ghost", Mode.COSMIC, 40, False)],
    ),
    Case(
        "an attack is announced",
        TABLE,
        P1,
        c.AnnounceAttack("ana", "ben", "sword", "a feint"),
        [],
        [replace(ANNOUNCED, aim="a feint")],
    ),
    Case(
        "and rolled on the terms that the gm has set",
        [
            *TABLE,
            replace(ANNOUNCED, aim="a feint"),
            e.AttackTermsSet("ana", Twist.DISADVANTAGE, -2, 4),
        ],
        P1,
        c.RollAttack("ana"),
        [9, 12, 8],
        [
            e.AttackRolled(
                "ana",
                "ben",
                SWORD,
                throw(9, 12, 8, twist=Twist.DISADVANTAGE, terms=(BASE, Term("circumstance", -2))),
                14,
                True,
                1,
                "a feint",
            )
        ],
    ),
    Case(
        "of one type the largest penalty counts there too",
        [
            *TABLE,
            modifier(-3),
            ANNOUNCED,
            e.AttackTermsSet("ana", bonus=-2),
        ],
        P1,
        c.RollAttack("ana"),
        [9, 8],
        [
            e.AttackRolled(
                "ana",
                "ben",
                SWORD,
                throw(9, 8, terms=(BASE, Term("circumstance", -3))),
                10,
                True,
                1,
            )
        ],
    ),
    Case(
        "the terms are as they were where they are not set",
        [*TABLE, ANNOUNCED, e.AttackTermsSet("ana", bonus=2), e.AttackTermsSet("ana", cover=-1)],
        P1,
        c.RollAttack("ana", "now"),
        [6, 2],
        [
            e.AttackRolled(
                "ana",
                "ben",
                SWORD,
                throw(6, 2, terms=(BASE, Term("circumstance", 2))),
                9,
                True,
                1,
                "now",
            )
        ],
    ),
    Case(
        "the gm lets an attack go ahead",
        [*TABLE, ANNOUNCED],
        GM,
        c.SetAttackTerms("ana"),
        [],
        [e.AttackTermsSet("ana")],
    ),
    Case(
        "where attacks wait for terms they are rolled after them",
        [*TABLE, ANNOUNCED, e.AttackTermsSet("ana")],
        P1,
        c.RollAttack("ana"),
        [9, 8],
        [has_hit()],
        Options(announce_attacks=True),
    ),
    Case(
        "and the gm rolls at once",
        TABLE,
        GM,
        c.Attack("ana", "ben", "sword"),
        [9, 8],
        [has_hit()],
        Options(announce_attacks=True),
    ),
    Case(
        "the gm rules that an attack hits",
        [*TABLE, ANNOUNCED],
        GM,
        c.RuleAttack("ana", True, "he sleeps"),
        [],
        [e.AttackRuled("ana", "ben", SWORD, True, "he sleeps")],
    ),
    Case(
        "an announced attack is called off",
        [*TABLE, ANNOUNCED],
        GM,
        c.Drop("ana", "they talk"),
        [],
        [e.Dropped("ana", "they talk")],
    ),
    Case(
        "advantage against one target is no other's",
        [*TABLE, tied(FLANKING)],
        P1,
        c.Attack("ana", "rat", "sword"),
        [9, 8],
        [replace(has_hit(), target="rat")],
    ),
    Case(
        "advantage against one target is used on it",
        [*TABLE, tied(FLANKING)],
        P1,
        c.Attack("ana", "ben", "sword", "the gap in his guard"),
        [9, 8, 2],
        [
            replace(
                has_hit(),
                throw=throw(9, 8, 2, twist=ADVANTAGE, terms=(BASE,)),
                aim="the gap in his guard",
            )
        ],
    ),
    Case(
        "the stat's bonus is added to damage once",
        [*STRONG, *BEN, has_hit(times=2)],
        P1,
        c.RollDamage("ana"),
        [5, 8],
        [
            e.DamageRolled("ana", "ben", 8, (5, 8), 2, False, 18, "sword", (Term("STR", 3),)),
            e.Harmed(
                "ben",
                NATURAL,
                18,
                12,
                "sword",
                full(),
                replace(full(), sp=24, hp=20),
                Status.OK,
            ),
        ],
        Options(stat_in_damage=True),
    ),
    Case(
        "a modifier of damage counts without the option",
        [*ANA, *BEN, modifier(3, applies=Applies.DAMAGE), modifier(9), has_hit()],
        P1,
        c.RollDamage("ana", aim="no blood"),
        [5],
        [
            e.DamageRolled(
                "ana",
                "ben",
                8,
                (5,),
                2,
                False,
                10,
                "sword",
                (Term("circumstance", 3),),
                "no blood",
            ),
            e.Harmed("ben", NATURAL, 10, 10, "sword", full(), replace(full(), sp=26), Status.OK),
        ],
    ),
    Case(
        "the damage of an attack is halved",
        [*ANA, *BEN, has_hit()],
        P1,
        c.RollDamage("ana", True),
        [5],
        [
            e.DamageRolled("ana", "ben", 8, (5,), 2, True, 3, "sword"),
            e.Harmed("ben", NATURAL, 3, 3, "sword", full(), replace(full(), sp=33), Status.OK),
        ],
    ),
]


@each_case(ROWS)
def test_case(case: Case) -> None:
    case.check()


def test_a_ruled_hit_waits_for_its_damage_and_a_ruled_miss_does_not() -> None:
    for success, hits in ((True, {"ana": UnresolvedHit("ben", SWORD, 1)}), (False, {})):
        ruled = e.AttackRuled("ana", "ben", SWORD, success, "so it is")
        state = after(ruled, [*TABLE, ANNOUNCED, ruled])
        assert (state.hits, state.attacks) == (hits, {})


ROUNDS: list[tuple[str, Sequence[Message], c.Move, str | None]] = [
    # id, events after those of BEN, who walks 30 feet in a round; the movement, its refusal
    ("twice a part", [STEP], c.Move("ben", Mode.WALK, 20), None),
    ("and no foot more", [STEP], c.Move("ben", Mode.WALK, 21), "over-speed"),
    ("in any way", [STEP, SWIM], c.Move("ben", Mode.SWIM, 1), "over-speed"),
    ("a new round", [STEP, e.TimePassed(6, 6)], c.Move("ben", Mode.WALK, 30), None),
    ("in combat", [COMBAT, STEP], c.Move("ben", Mode.WALK, 21), "over-speed"),
    ("not in a quiet place", [QUIET, STEP], c.Move("ben", Mode.WALK, 30), None),
    ("not in a safe place", [SAFE, STEP], c.Move("ben", Mode.WALK, 30), None),
    ("a new scene", [STEP, COMBAT], c.Move("ben", Mode.WALK, 30), None),
    ("a sprint goes on", [DASH], c.Move("ben", Mode.WALK, 80, True), None),
    ("and ends", [DASH], c.Move("ben", Mode.WALK, 81, True), "over-speed"),
    ("a sprint after a step", [STEP], c.Move("ben", Mode.WALK, 110, True), None),
]


@pytest.mark.parametrize(
    ("given", "when", "slug"), [row[1:] for row in ROUNDS], ids=[row[0] for row in ROUNDS]
)
def test_speed_is_kept_within_a_round(
    given: Sequence[Message], when: c.Move, slug: str | None
) -> None:
    then = slug or [e.Moved("ben", when.mode, when.distance, when.sprint is True)]
    check(given=[*BEN, WALK, *given], when=when, by=GM, then=then)
