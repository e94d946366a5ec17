"""A short evening of each game in three browsers, from the link of an invitation to the verdict of the check."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import expect

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.browser.company import DEADLINE, NAMES, Company, Step, numbers
from tests.browser.conftest import Open
from tests.browser.forms import form, press, tell
from tests.browser.plots import PLOTS, Plot
from tests.browser.seat_pages import gives
from tests.browser.session_page import WIDER, plain, ready, shows
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

TIMEOUT_SECONDS = scale(120, 400)
"""Enough for a whole evening beside the load tests of `make long`."""
MEANWHILE = ("A bell, somewhere below.", "And another, nearer.", "Then nothing at all.")


PLAYED = [(RULESETS[0], PHONE)]
if LONG:
    PLAYED = [
        (ruleset, look)
        for ruleset in RULESETS
        for look in (LOOKS if ruleset is RULESETS[0] else (LAPTOP, PHONE))
    ]


@pytest.mark.smoke
@pytest.mark.timeout(TIMEOUT_SECONDS)
@pytest.mark.parametrize(
    ("ruleset", "look"), PLAYED, ids=lambda each: getattr(each, "name", str(each))
)
def test_an_evening_is_played(windows: Open, ruleset: AnyRuleset, look: Look) -> None:
    plot, company = PLOTS[ruleset.name], Company(ruleset, {seat: windows(look) for seat in NAMES})
    sit_down(company)
    for step in plot.bring if LONG else plot.bring[:2]:
        company.play(step)
    if LONG:
        play_on(company, plot)
    close_and_verify(company)


def play_on(company: Company, plot: Plot) -> None:
    for step in (*plot.ana.ready, plot.ana.roll, *plot.ana.over, *plot.ben.ready):
        company.play(step)
    roll_undo_and_redo(company, plot.ben.roll)
    for step in plot.ben.over:
        company.play(step)
    tell_a_secret_and_open_it(company, plot.secret)
    lose_the_connection(company, "p1")
    for step in plot.ana.ready:
        company.play(step)
    give_up_a_roll(company, plot.ana.roll, "p2")
    for step in (plot.ana.roll, *plot.ana.over):
        company.play(step)


def sit_down(company: Company) -> None:
    company.begin()
    company.join("p1")
    company.join("p2")
    gives(company.pages["gm"])
    seats = company.ask()["seats"]
    assert {seat: seats[seat]["name"] for seat in NAMES} == NAMES
    assert all(seats[seat]["public_key"] and seats[seat]["chain"]["number"] == 0 for seat in NAMES)


def roll_undo_and_redo(company: Company, roll: Step) -> None:
    before, tables = company.together(), company.tables()
    company.play(roll)
    after, rolled = company.together(), company.tables()
    preview = company.rewind(before, "Undo the last turn", "That was Ana's turn.")
    expect(preview.locator("#undone + ol .told li")).to_have_count(after - before)
    company.rewound()
    assert company.together() == after + 1
    assert company.tables() == tables
    for page in company.pages.values():
        expect(page.locator(f"#rows [data-part='row/{after}'] b")).to_have_text("undone")
    company.look_back(after)
    preview = company.rewind(after, f"Rewind to version {after}", "It was Ben's after all.")
    expect(preview.locator("#back + ol .told li")).to_have_count(after - before)
    company.rewound()
    assert company.together() == after + 2
    assert company.tables() == rolled


def tell_a_secret_and_open_it(company: Company, secret: tuple[Step, ...]) -> None:
    gm, players = company.pages["gm"], (company.pages["p1"], company.pages["p2"])
    words = [company.play(step, audience="gm")[-1] for step in secret]
    for page in players:
        expect(page.locator("#rows .row").first).to_contain_text("Sealed")
        assert not any(each in page.content() for each in words)
    for left in range(len(secret) - 1, -1, -1):
        company.together()
        press(form(gm, "open"))
        expect(gm.locator('#actions form[data-act="open"]')).to_have_count(left)
    for page in players:
        for each in words:
            expect(page.locator("#rows")).to_contain_text(each)


def lose_the_connection(company: Company, seat: str) -> None:
    """Nothing of what came meanwhile is missed, nothing stands there twice."""
    window, gm = company.windows[seat], company.pages["gm"]
    page, before = window.page, company.together()
    with window.offline():
        expect(page.locator("#connection")).to_contain_text("Reconnecting since")
        expect(page.locator("#connection")).to_be_visible()
        for words in MEANWHILE:
            tell(gm, words)
            expect(gm.locator("#came")).to_contain_text(words)
            company.together(seat)
        shows(page, before)
    expect(page.locator("#connection")).to_have_text("Connected.", timeout=15_000)
    gives(page)
    head = company.together()
    assert head == before + len(MEANWHILE)
    assert numbers(page) == list(range(head, head - len(numbers(page)), -1))
    for version, words in enumerate(MEANWHILE, before + 1):
        expect(page.locator(f"#rows [data-part='row/{version}']")).to_contain_text(words)
    table = plain(page, "#table")
    page.reload()
    gives(ready(page))
    company.together()
    assert plain(page, "#table") == table


def give_up_a_roll(company: Company, roll: Step, missing: str) -> None:
    """One seat has left its page: the table waits for it as long as it said, and goes on; then it is back."""
    away = company.pages[missing]
    away.get_by_role("link", name="Sessions").click()
    away.get_by_role("heading", name="Visited in this browser").wait_for()
    before = company.declare(roll, absent=(missing,))
    for seat in company.pages.keys() - {missing}:
        expect(company.pages[seat].locator("#waiting")).to_contain_text(
            f"waits for {NAMES[missing]}:"
        )
    for seat in company.pages.keys() - {missing}:
        expect(company.pages[seat].locator("#rows")).to_contain_text(
            f"void: no answer from {NAMES[missing]}.", timeout=2000 * DEADLINE
        )
    company.together(missing)
    events = company.ask(f"/events?after={before}")["events"]
    assert [event["kind"] for event in events][:2] == ["session.Declared", "session.DrawVoided"]
    assert events[1]["body"]["missing"] == [missing]
    assert company.ask()["seats"][missing]["away"] is True
    away.locator("#visited a").click()
    gives(away)


def close_and_verify(company: Company) -> None:
    """Check in each browser that the whole log is valid and that every draw that was made has grade A."""
    company.together()
    press(form(company.pages["gm"], "close"))
    for page in company.pages.values():
        expect(page.locator("#closed")).to_be_visible()
    events = company.ask("/events?limit=1000")["events"]
    kinds = Counter(event["kind"] for event in events)
    drawn, voided = kinds["session.Drawn"], kinds["session.DrawVoided"]
    assert voided == int(LONG)
    for seat in company.pages:
        page = company.to(seat, "Verify")
        page.locator("#here[data-done=held]").wait_for()
        expect(page.locator(".rung .state")).to_contain_text(["✓ holds"] * 3)
        expect(page.locator("#outcome")).to_contain_text(
            f"Valid on all three rungs: {len(events)} events and {drawn + voided} draws"
        )
        found = page.locator("#findings dd").all_inner_texts()
        made = f"{drawn + voided}, of these {voided} given up"
        assert {made, f"A: {drawn}"} <= set(found)
        assert page.evaluate(WIDER) == 0
