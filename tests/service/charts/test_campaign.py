"""Statistics of a campaign in a terminal: who was lucky, the verdict, people, records and dice, and all of it safe."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from projections import campaign_model as c, statistics_model as m
from service.charts.terminal.campaign import CampaignNames, draw_campaign
from tests.service.charts.reports import FINDINGS, campaign, chance_test, lucky
from tests.service.charts.test_terminal import HOSTILE, shown, unwrapped

NAMES = CampaignNames(
    "The long road",
    {"@ana": "Ana", "@bo": "Bo", "@mo": "Mo"},
    {"the-vault": "The vault"},
    {"the-vault": {"bo": "Bo Thirsty", "@p2": "Bo"}},
)


def lines(report: c.CampaignReport, names: CampaignNames = NAMES, width: int = 80) -> list[str]:
    return [line.rstrip() for line in shown(draw_campaign(report, names), width).splitlines()]


def test_who_was_lucky_comes_first_then_the_verdict_and_the_people() -> None:
    assert lines(campaign()) == [
        "The long road: 3 sessions, 1,140 turns",
        "Ana was luckiest: better than 9 of 10 sessions. Nothing suspicious so far.",
        "",
        "     unlucky      lucky                                successes",
        "─" * 79,
        "Ana  ────░░░░░│░░░░──█─  better than 9 of 10 sessions  33 of 60 (27.4 expected)",
        "Bo   ──█─░░░░░│░░░░────  worse than 8 of 10 sessions   20 of 50 (25 expected)",
        "Mo: too few rolls to say",
        "",
        "Nothing suspicious about the dice and cards so far.",
        "With 112 rolls of the d6, a value that comes 5 times as often as each other one",
        "would be found in 98% of sessions. At 2 times as often, it would probably be",
        "missed.",
        "",
        "People",
        "     sessions  turns  minutes waited  rolls and successes",
        "─" * 78,
        "Ana         3    620             170  check 25 of 45, attack 8 of 15, aflame 3",
        "Bo          3    500             130  check 50",
        "Mo          1     20              12",
        "",
        "Records",
        "  rarest roll      Bo Thirsty rolled 6 (check): S (1 in 6). The vault, version",
        "                   71.",
        "  longest drought  P1 failed 6 times in a row. Session 3, version 9.",
        "",
        "Dice and decks",
        "                            draws  verdict",
        "─" * 55,
        "d6                            112  nothing suspicious",
        "d6 (the red d6) (typed in)      4  too few draws to say",
    ]


def test_a_campaign_in_which_everyone_rolled_too_seldom_has_no_table_of_luck() -> None:
    of = campaign()
    people = {
        who: replace(each, luck={"drawn": m.Luck(2, 0.1, ())}) for who, each in of.people.items()
    }
    drawn = lines(replace(of, people=people, verdicts={}, records={}))
    assert drawn[2:8] == [
        "",
        *(f"{who}: too few rolls to say" for who in ("Ana", "Bo", "Mo")),
        "",
        "People",
    ]
    assert "Records" not in drawn


def test_typed_in_dice_have_a_table_of_their_own() -> None:
    of = campaign()
    typed = lucky(40, 4.1, 0.9999, "better than 999 of 1,000 sessions", m.Successes(40, 40, 6.7))
    person = of.people["ana"]
    people = of.people | {"ana": replace(person, luck=person.luck | {"declared": typed})}
    drawn = lines(replace(of, people=people))
    table = drawn.index("Typed-in dice")
    assert drawn.index("Mo: too few rolls to say") < table
    assert drawn[table + 3].startswith("Ana  ────░░░░░│░░░░───█  better than 999 of 1,000 sessions")
    assert drawn[table:].index("Nothing suspicious about the dice and cards so far.") == 6


def test_a_finding_is_below_its_verdict_and_at_its_die() -> None:
    of, what = campaign(), "Chance does not explain the dice and cards."
    found = replace(FINDINGS[0], text="{@bo}'s d6 is uneven: 6 came 42 times, 18.7 expected.")
    verdict = m.TestSummary("uneven", False, 5, what, (found,))
    uneven = chance_test("uneven", 112, 40.1, 0.0001)
    repeating = chance_test("repeating", 112, 40, 0.0001)
    tests: dict[m.TestName, m.ChanceTest] = {"faces": uneven, "repeats": repeating}
    drawn = lines(
        replace(of, verdicts={"drawn": verdict}, dice={"drawn": {"d6": m.Faces(112, {}, tests)}})
    )
    assert drawn[drawn.index(what) :][1:4] == [
        "  Bo's d6 is uneven: 6 came 42 times, 18.7 expected. Chance alone gives as much",
        "  in at most 1 of 500 sessions.",
        "",
    ]
    assert drawn[-1] == "d6    112  chance does not explain it: all values together, repetitions"


def test_the_four_most_frequent_actions_are_listed() -> None:
    of = campaign()
    uses = {f"use {number}": c.UseCount(number) for number in range(1, 9)}
    people = {"ana": replace(of.people["ana"], uses=uses)}
    assert "use 8 8, use 7 7, use 6 6, use 5 5" in " ".join(lines(replace(of, people=people)))
    assert "use 4" not in " ".join(lines(replace(of, people=people)))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_strangers_names_are_only_words(width: int) -> None:
    of = campaign()
    luck = lucky(20, 1.0, 0.8, HOSTILE, m.Successes(1, 2, 0.5))
    few = m.Luck(1, 0.0, ())
    people = {
        HOSTILE: c.PersonReport(1, 2, 3.0, {"drawn": luck, "declared": few}, {HOSTILE: c.UseCount(1)}),
        "mo": replace(of.people["mo"], luck={"drawn": few, "declared": luck}),
    }  # fmt: skip
    moment = m.Highlight("rarest", HOSTILE, HOSTILE, 1, 1, 0.1, f"{HOSTILE} {{ana}} {{@p1}}")
    power = m.Power(HOSTILE, 9, {}, HOSTILE)
    verdict = m.TestSummary("even", False, 3, HOSTILE, (replace(FINDINGS[0], text=HOSTILE),), power)
    evil = replace(
        of,
        headline=f"{{@mo}} {HOSTILE}",
        verdicts=dict.fromkeys(("drawn", HOSTILE), verdict),
        people=people,
        dice={HOSTILE: {HOSTILE: m.Faces(9, {})}},
        records={HOSTILE: c.CampaignRecord("the-vault", 1, moment)},
    )
    names = CampaignNames(
        HOSTILE,
        {"@mo": HOSTILE, f"@{HOSTILE}": HOSTILE},
        {"the-vault": HOSTILE},
        {"the-vault": {"ana": HOSTILE, "@p1": HOSTILE}},
    )
    for known in (names, CampaignNames(HOSTILE, {}, {}, {})):
        text = shown(draw_campaign(evil, known), width)
        assert set(re.findall(r"[^\n -~]", text)) <= set("█░│─\ufffd")
        assert "[bold]" in text


@pytest.mark.parametrize("width", [60, 80, 120])
def test_long_names_are_folded_and_whole(width: int) -> None:
    name = "Anneke Quickfinger van den Berg the Second"
    drawn = lines(campaign(), NAMES._replace(people={"@ana": name}, title=f"{name}'s road"), width)
    assert max(map(cell_len, drawn)) <= width
    assert f"{name}'s road: 3 sessions" in unwrapped(" ".join(drawn))
    people = " ".join(drawn[drawn.index("People") : drawn.index("Records")])
    assert all(word in people for word in name.split())
