"""Sessions of edition 1 are decided, stored and verified as they always were."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET

from domain.chance import DeclaredChance
from domain.codec import encode
from domain.decider import By, Refused, fold
from domain.ruleset import Message
from domain.rulesets import RULESETS_BY_EDITION
from domain.rulesets.pentola import commands as c, edition_1, events as e, ruleset
from domain.rulesets.pentola.rules import (
    Being,
    Die,
    Distance,
    Finding,
    Options,
    Outcome,
    RollPurpose,
    Ruling,
    Thing,
    Usable,
)
from domain.rulesets.pentola.state import State
from domain.verify import verify
from service.platform.ed25519 import verify as ed25519
from tests.domain.rulesets.given import check
from tests.domain.rulesets.pentola.people import (
    BOD,
    DUEL,
    GM,
    NORMAL,
    P1,
    P2,
    SKILL,
    TABLE,
    acts,
    apart,
    called,
    intends,
    moves,
    opposed,
    reacts,
    slot,
    started,
    turn,
)

GOLDEN = Path(__file__).parents[3] / "golden" / "pentola-1.fairlog"
HIS_SLOT = [*DUEL, acts(1, "tarasi"), slot("toph")]
REACTED = [*HIS_SLOT, reacts(2, "toph", "tarasi", 1), turn(1, "tarasi")]
R, SPRINT = "for a reason", Thing.SPRINT

CHANGED: list[tuple[str, Sequence[Message], By, Message, Sequence[int], Sequence[Message], str]] = [
    # id, given, who, when, dice; then by edition 1, the rule that refuses it in edition 2 or ""
    (
        "a blank text",
        [],
        P1,
        c.DeclareIntent("toph", " "),
        [],
        [e.IntentDeclared("toph", " ")],
        "blank-text",
    ),
    (
        "a name that differs in its case",
        [],
        P1,
        c.AddBonus("toph", "Fencing ", SKILL, 5),
        [],
        [e.BonusAdded("toph", "Fencing ", SKILL, 5)],
        "name-taken",
    ),
    (
        "a walk to what is out of reach now",
        [
            *(*DUEL, moves(1, "tarasi", "spire"), apart("spire", "tarasi", Distance.FAR)),
            *(slot("toph"), turn(1, "tarasi", "move", "get close")),
        ],
        GM,
        c.RuleAutomatic("tarasi", Finding.CANNOT_FAIL),
        [],
        [e.Ruled("tarasi", Finding.CANNOT_FAIL, Ruling.SUCCESS), e.MomentEnded(1)],
        "",
    ),
    (
        "a withdrawal",
        [intends("toph")],
        P1,
        c.Withdraw("toph"),
        [],
        [e.Withdrawn("toph")],
        "",
    ),
    (
        "a tie",
        [
            *(*called("toph"), opposed("toph", "guard")),
            e.RolledTest(
                *("toph", "toph", RollPurpose.OPPOSED, BOD, NORMAL, 36, 0, 0, 20), Outcome.SUCCESS
            ),
        ],
        GM,
        c.RollTest("guard"),
        [20],
        [
            e.RolledTest(
                *("guard", "toph", RollPurpose.OPPOSED, BOD, NORMAL, 30, 0, 0, 20),
                Outcome.SUCCESS,
            ),
            e.OpposedSettled("toph", ("toph", "guard")),
        ],
        "",
    ),
    (
        "a minute in a moment",
        [e.ItemUsed("toph", "herbs", 1), *DUEL],
        GM,
        c.PassMinute(),
        [],
        [e.RollsDue("toph", "herbs", 1)],
        "moment-running",
    ),
    (
        "a roll before the reaction to it",
        [*REACTED, e.CalledForTest("tarasi", BOD, NORMAL)],
        P2,
        c.RollTest("tarasi"),
        [20],
        [
            e.RolledTest(
                *("tarasi", "tarasi", RollPurpose.TEST, BOD, NORMAL, 33, 0, 0, 20),
                Outcome.SUCCESS,
            ),
            e.MomentEnded(1),
        ],
        "reaction-waits",
    ),
    (
        "a reaction that is not used",
        REACTED,
        P2,
        c.Withdraw("tarasi"),
        [],
        [e.Withdrawn("tarasi"), e.MomentEnded(1)],
        "",
    ),
    (
        "an item used out of turn",
        DUEL,
        P1,
        c.UseItem("toph", "herbs"),
        [],
        [e.ItemUsed("toph", "herbs", 1)],
        "use-not-declared",
    ),
    (
        "an ability used out of turn",
        DUEL,
        P1,
        c.UseAbility("toph", "second wind"),
        [4],
        [e.UsageRolled("toph", "second wind", Usable.ABILITY, Die.D4, 4, Die.D4, 0, 0)],
        "use-not-declared",
    ),
    (
        "an item of the dead",
        [
            e.CharacterCreated("ox", "Ox", Being.PC, "p1", 12, 13, UNSET, 12),
            e.UsableAdded("ox", "rope", Usable.ITEM, Die.D8),
            e.Harmed("ox", 12, 0, 12, R),
        ],
        P1,
        c.GiveItem("ox", "rope", "toph"),
        [],
        [e.ItemGiven("ox", "rope", "toph", Die.D8, 0, 0)],
        "dead",
    ),
    (
        "the same distance",
        [apart("spire", "toph", Distance.FAR)],
        GM,
        c.SetDistance("toph", "spire", Distance.FAR),
        [],
        [e.DistanceSet("toph", "spire", Distance.FAR, Distance.FAR)],
        "nothing-changes",
    ),
    (
        "the same score",
        [],
        GM,
        c.AdjustCharacteristic("toph", BOD, 12, R),
        [],
        [e.CharacteristicAdjusted("toph", BOD, 12, 12, R)],
        "nothing-changes",
    ),
    (
        "the same percentage",
        [],
        GM,
        c.AdjustBonus("toph", "fencing", 43, R),
        [],
        [e.BonusAdjusted("toph", "fencing", 43, 43, R)],
        "nothing-changes",
    ),
    (
        "the same usage die",
        [],
        GM,
        c.AdjustUsageDie("toph", "herbs", Die.D8, R),
        [],
        [e.UsageDieAdjusted("toph", "herbs", Die.D8, Die.D8, 0, 0, R)],
        "nothing-changes",
    ),
    (
        "the same ruling on a bonus",
        [],
        GM,
        c.RuleBonus("toph", "fencing", True),
        [],
        [e.BonusRuled("toph", "fencing", True)],
        "nothing-changes",
    ),
    (
        "the same initiative",
        [started("toph")],
        GM,
        c.SetInitiative("toph", NORMAL),
        [],
        [e.InitiativeSet("toph", NORMAL)],
        "nothing-changes",
    ),
]


def after(given: Sequence[Message]) -> State:
    """Return the state of a session of edition 1."""
    state: State = fold(edition_1.decider.evolve, edition_1.decider.initial(Options()), given)
    return state


@pytest.mark.parametrize(
    ("given", "by", "when", "drawn", "then", "refused"),
    [row[1:] for row in CHANGED],
    ids=[row[0] for row in CHANGED],
)
def test_changed_rules(
    given: Sequence[Message],
    by: By,
    when: Message,
    drawn: Sequence[int],
    then: Sequence[Message],
    refused: str,
) -> None:
    faces = DeclaredChance(drawn)
    events = edition_1.decider.decide(after([*TABLE, *given]), when, by, faces)
    assert list(events) == then
    assert len(faces.values) == len(drawn)
    if refused:
        check(given=[*TABLE, *given], when=when, by=by, then=refused)


def test_each_character_of_a_name_counts() -> None:
    for when in (
        c.RuleBonus("toph", "Fencing", False),
        c.UseItem("toph", "Herbs"),
        c.GiveItem("toph", "herbs ", "tarasi"),
    ):
        with pytest.raises(Refused, match=r"no-such-bonus|not-held"):
            edition_1.decider.decide(after(TABLE), when, GM, DeclaredChance(()))


def test_what_is_far_stays_out_of_reach() -> None:
    given = [*TABLE, *HIS_SLOT, apart("toph", "spire", Distance.FAR)]
    run = c.DeclareMove("toph", "spire", True)
    with pytest.raises(Refused, match="out-of-reach"):
        edition_1.decider.decide(after(given), run, P1, DeclaredChance(()))
    then = e.ActionDeclared("toph", 2, SPRINT, "get nearer", SPRINT, False, 2, "spire")
    check(given=given, when=run, by=P1, then=[then])


def test_the_golden_log_of_edition_1_is_as_valid_as_before() -> None:
    report = verify(GOLDEN.read_bytes().splitlines(keepends=True), ed25519)
    assert report.failure is None


def test_both_editions_are_known() -> None:
    assert RULESETS_BY_EDITION["pentola", "1"] is edition_1
    assert RULESETS_BY_EDITION["pentola", "2"] is ruleset
    assert (edition_1.named_seats_must_play, ruleset.named_seats_must_play) == (False, True)


STORED = (
    b'{"actions":{},"distances":{},"entities":{},"moments":0,"options":{"steps_stop_at_one":false},'
    b'"participants":[],"tests":{}}'
)


def test_a_fork_of_edition_1_has_the_same_bytes() -> None:
    """A log holds the table of a fork, and a verifier encodes it again."""
    assert encode(edition_1.decider.initial(Options())) == STORED
    assert encode(msgspec.json.decode(STORED, type=State)) == STORED
    played = [*TABLE, *REACTED, e.CalledForTest("tarasi", BOD, NORMAL), opposed("tarasi", "toph")]
    stored = encode(after(played))
    later = b"edition conditions retired hit_points undeclared aim away dropped uses used"
    for name in later.split():
        assert b'"%s":' % name not in stored


def test_a_fork_of_edition_2_says_which_it_is() -> None:
    state = ruleset.decider.initial(Options())
    assert (state.edition, state.conditions) == (2, {})
    assert b'"edition":2' in encode(state)
    assert msgspec.json.decode(encode(state), type=State) == state
    assert after([]).stored_edition is UNSET


def test_a_condition_with_any_name_can_be_forked() -> None:
    """Keys of canonical JSON are ASCII."""
    named = e.ConditionSet("toph", "Verhext für immer \N{SNOWMAN}", 3)
    state = fold(ruleset.decider.evolve, ruleset.decider.initial(Options()), [*TABLE, named])
    assert [key.isascii() for key in state.conditions] == [True]
    ended = e.ConditionEnded("toph", "VERHEXT FÜR IMMER \N{SNOWMAN}", R, 3)
    assert ruleset.decider.evolve(state, ended).conditions == {}
