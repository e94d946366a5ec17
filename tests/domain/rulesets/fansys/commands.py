"""Random commands about three characters: mostly sensible, sometimes not."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from domain.rulesets.fansys import commands as c
from domain.rulesets.fansys.rules.dice import Twist
from domain.rulesets.fansys.rules.equipment import Item
from domain.rulesets.fansys.rules.modifiers import Condition
from domain.rulesets.fansys.rules.vocabulary import (
    Applies,
    BaseOnSkills,
    Energy,
    Gauge,
    Layer,
    Length,
    MpStat,
    Nature,
    Options,
    Part,
    Rounding,
    Scene,
    Size,
    Source,
    Stat,
    Taking,
    Unit,
)
from tests.domain.rulesets.fansys.people import EVEN, MELEE, NATURAL

R = st.just("so it is")

entities = st.sampled_from(["ana", "ben", "ghost"])
stats = st.sampled_from(Stat)
perhaps = st.one_of(st.just(UNSET), stats)
skills = st.sampled_from(["locks", "juggling"])
energies = st.sampled_from(Energy)
small = st.integers(-6, 6)
options = st.builds(
    Options,
    bonus_rounding=st.sampled_from(Rounding),
    base_on_skills=st.sampled_from(BaseOnSkills),
    mp_stat=st.sampled_from(MpStat),
    two_types=st.booleans(),
    round_seconds=st.sampled_from([5, 6]),
    source_skills=st.booleans(),
    source_conditions=st.booleans(),
)
growing: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.LevelUp, entities, R),
    st.builds(c.TrainDice, entities, energies, st.integers(0, 24)),
    st.builds(c.LearnSkill, entities, skills, st.integers(0, 3), stats, perhaps),
    st.builds(c.SetProficiency, entities, st.sampled_from([*Stat, "sword"]), st.booleans()),
    st.builds(c.Equip, entities, st.sampled_from(Item)),
    st.builds(
        c.SetDefence,
        entities,
        st.sampled_from(Part),
        st.sampled_from(Layer),
        st.sampled_from(["a", "b"]),
        small,
    ),
    st.builds(
        c.SetModifier,
        entities,
        st.sampled_from(["a", "b"]),
        st.sampled_from(Source),
        st.sampled_from(Nature),
        st.sampled_from(["tool", "mood"]),
        st.sampled_from(Applies),
        small,
    ),
)
checking: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(
        c.OpenCheck,
        entities,
        skills,
        stats,
        threshold=st.one_of(st.just(UNSET), st.integers(-5, 40)),
    ),
    st.builds(c.OpenSave, entities, stats, st.integers(-5, 40), perhaps),
    st.builds(c.ForceSave, entities, entities, st.sampled_from(Nature), stats, stats),
    st.builds(
        c.Oppose, entities, entities, skills, skills, keeper_stat=stats, challenger_stat=stats
    ),
    st.builds(c.Roll, entities, perhaps),
    st.builds(c.Roll, entities),
    st.builds(c.Take, entities, st.sampled_from(Taking)),
    st.builds(c.FailWillingly, entities, perhaps),
    st.builds(
        c.SetTerms, entities, tries=st.sampled_from([1, 20, 100]), seconds=st.integers(1, 90)
    ),
    st.builds(c.Drop, entities, R),
)
fighting: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Attack, entities, entities),
    st.builds(c.Attack, entities, entities, st.just("sword")),
    st.builds(c.RollDamage, entities),
    st.builds(c.Harm, entities, st.sampled_from(Nature), st.integers(0, 40), R),
    st.builds(c.SpendDice, entities, energies, st.integers(1, 3), R),
    st.builds(c.Rest, entities, st.sampled_from(Length)),
    st.builds(c.Grant, entities, st.sampled_from(Twist), R),
    st.builds(
        c.SetCondition,
        entities,
        st.sampled_from(Condition),
        st.one_of(st.just(UNSET), st.integers(1, 9)),
    ),
    st.builds(c.PassTime, st.integers(1, 9), st.sampled_from(Unit)),
    st.builds(c.SetScene, st.sampled_from(Scene), R),
    st.builds(c.AdjustPool, entities, st.sampled_from(Gauge), st.integers(0, 30), R),
    st.builds(c.AdjustStat, entities, stats, st.integers(0, 20), R),
)


def create(entity: str, bodiless: bool = False) -> c.Create:
    return c.Create(
        entity, entity.title(), 3, *EVEN, 6, 6, "humanoid", "human", Size.MEDIUM, bodiless
    )


SWORD = c.LearnAttack("ana", "sword", Stat.STR, NATURAL, MELEE, 1, 8, 2)
OPENING = [create("ana"), create("ben"), create("ghost", True), SWORD, replace(SWORD, entity="ben")]
faces = st.lists(st.sampled_from([1, 2, 6, 7, 11, 12]), min_size=4, max_size=4)
commands = st.one_of(growing, checking, checking, fighting)
scripts = st.lists(st.tuples(commands, faces), min_size=15, max_size=50)
