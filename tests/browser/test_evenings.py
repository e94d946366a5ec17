"""An evening of each game, all by the pages: start, invite, join, play, look back, undo, fork, end, and go on.

No window may have a console error, and no request may fail that the test does not expect.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.browser.conftest import Open
from tests.browser.pages import settle
from tests.browser.plots import PLOTS, Step
from tests.browser.table_page import TablePage
from tests.browser.test_join import links, sit_down, start
from tests.browser.windows import LAPTOP, PHONE, Look, Window
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

LEAST_TURNS = 15
TRIES, PAUSE_MILLISECONDS = 100, 300
NAMES = {"p1": "Pia", "p2": "Bo", "p3": "Cleo"}
PLAYED = [(RULESETS[0], LAPTOP)]
if LONG:
    PLAYED = [(ruleset, look) for ruleset in RULESETS for look in (LAPTOP, PHONE)]


class Company:
    """The GM's window and three players', and who the characters of the plot are."""

    def __init__(self, open_: Open, ruleset: AnyRuleset, look: Look) -> None:
        self.open, self.ruleset, self.look = open_, ruleset, look
        self.tables: dict[str, TablePage] = {}
        self.names: dict[str, str] = {}
        self.turns = 0

    def gather(self) -> None:
        """The GM starts the session, and three people join by its invitation."""
        window = self.open(self.look)
        page = start(window, self.ruleset.name)
        invitation, _ = links(page)
        page.get_by_role("button", name="To the table").click()
        session = re.findall(r"/s/([0-9a-f]{32})", page.url)[0]
        self.add("gm", window, session)
        for seat, name in NAMES.items():
            window = self.open(self.look)
            page = sit_down(window, invitation, name)
            if seat == "p3":
                page.get_by_label("Character's name").fill("Cleo of the Marsh")
                while (further := page.get_by_role("button", name="Next")).count():
                    further.click()
                page.get_by_role("button", name="Take this character").click()
                page.get_by_role("link", name="To the table").click()
            else:
                page.get_by_role("link", name="Do this later").click()
            page.get_by_role("button", name="To the table").click()
            self.add(seat, window, session)

    def add(self, seat: str, window: Window, session: str) -> None:
        self.tables[seat] = TablePage(window, session)
        self.tables[seat].expect_live()

    def play(self, step: Step, *, is_secret: bool = False) -> int:
        """Do a step of the plot, and return the version before it."""
        table, fields = self.tables[step.by], dict(step.says)
        entity = str(fields.get("entity", ""))
        is_new = entity not in self.names
        if entity:
            del fields["entity"]
        actor = entity or str(fields.get("keeper", ""))
        if actor in self.names:
            table.choose(self.names[actor])
        ids = {plotted: table.entity(name) for plotted, name in self.names.items()}
        for name, value in fields.items():
            if isinstance(value, str):
                fields[name] = ids.get(value, value)
        if step.kind == "Roll" and (dice := {"notation", "name"} & fields.keys()):
            [field] = dice
            before = table.roll(
                **{"notation": "", "name": "", field: str(fields[field])}, is_secret=is_secret
            )
        else:
            before = table.act(f"{self.ruleset.name}.{step.kind}", fields, is_secret=is_secret)
        if entity and is_new:
            self.names[entity] = str(fields["name"])
        self.turns += 1
        self.together()
        return before

    def together(self) -> None:
        """Wait until each window shows the newest turn."""
        for _ in range(TRIES):
            if {table.shown() for table in self.tables.values()} == {self.head()}:
                return
            self.tables["gm"].page.wait_for_timeout(PAUSE_MILLISECONDS)
        raise AssertionError({seat: table.shown() for seat, table in self.tables.items()})

    def head(self) -> int:
        return self.tables["gm"].version()


@pytest.mark.parametrize(("ruleset", "look"), PLAYED, ids=lambda each: getattr(each, "name", each))
def test_an_evening_is_played(windows: Open, ruleset: AnyRuleset, look: Look) -> None:
    company, plot = Company(windows, ruleset, look), PLOTS[ruleset.name]
    company.gather()
    company.tables["gm"].say("It begins in the rain.")
    for step in (*plot.bring, *plot.ana.ready, plot.ana.roll, *plot.ana.over, *plot.ben.ready):
        company.play(step)
    company.play(plot.ben.roll)
    undo_and_redo(company)
    for step in plot.ben.over:
        company.play(step)
    roll_in_secret_and_open_it(company, plot.secret)
    override(company)
    while company.turns < LEAST_TURNS:
        for step in (*plot.ana.ready, plot.ana.roll, *plot.ana.over):
            company.play(step)
    rewind_to_the_past(company)
    fork(company)
    end_and_go_on(company)
    for table in company.tables.values():
        assert table.window.faults == []


def undo_and_redo(company: Company) -> None:
    table = company.tables["gm"]
    rolled = table.ask()["table"]
    table.show("Act")
    table.page.get_by_role("button", name="Undo the last turn").click()
    company.together()
    assert table.ask()["table"] != rolled
    page = table.window.open(f"/s/{table.session}/at/newest")
    page.locator(".branch").get_by_role("button", name="Bring back").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Bring back")).click()
    table.expect_live()
    assert table.ask()["table"] == rolled


def roll_in_secret_and_open_it(company: Company, steps: tuple[Step, ...]) -> None:
    gm, ana = company.tables["gm"], company.tables["p1"]
    for step in steps:
        company.play(step, is_secret=True)
    expect(ana.page.get_by_role("log")).to_contain_text("in secret")
    gm.show("Log")
    show = gm.page.get_by_role("log").get_by_role("button", name="Show to everyone")
    expect(show.first).to_be_visible()
    while show.count():
        show.first.click()
        company.together()
        settle(gm.page)
    turns = ana.ask("/turns?limit=30")["turns"]
    assert [turn for turn in turns if turn.get("sealed")] == []


def override(company: Company) -> None:
    """The GM does the first override that the rules allow now."""
    gm = company.tables["gm"]
    schemas = gm.page.evaluate(
        "async path => (await (await fetch(path)).json()).commands",
        f"/v1/rulesets/{company.ruleset.name}",
    )
    for choice in gm.ask("/commands?values=true")["commands"]:
        if choice["allowed"] and "reason" in schemas[choice["kind"]].get("required", []):
            fields = {
                name: value for name, value in choice["example"].items() if name not in ("kind",)
            }
            entity = fields.pop("entity", None)
            if entity:
                gm.choose(gm.ask()["table"]["entities"][entity]["name"])
            gm.act(choice["kind"], {**fields, "reason": "the wind has turned"})
            return
    raise AssertionError("no override is allowed")


def rewind_to_the_past(company: Company) -> None:
    gm = company.tables["gm"]
    marks = gm.ask("/timeline")["marks"]
    page = gm.window.open(f"/s/{gm.session}/at/{marks[-4]['last']}")
    page.get_by_role("button", name="Rewind to here").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Rewind")).click()
    gm.expect_live()
    company.together()


def fork(company: Company) -> None:
    window = company.tables["p1"].window
    session = company.tables["p1"].session
    page = window.open(f"/s/{session}/at/newest")
    page.get_by_role("button", name="Fork").click()
    page.get_by_role("dialog").get_by_role("button", name="Fork and open it").click()
    page.wait_for_url(lambda address: session not in address)
    expect(page.get_by_role("heading", level=1)).to_contain_text("from turn")
    company.tables["p1"].open()


def end_and_go_on(company: Company) -> None:
    gm = company.tables["gm"]
    page = gm.page
    menu(page, "End session…")
    page.get_by_role("dialog").get_by_role("button", name="End the session").click()
    for table in company.tables.values():
        table.show("Act")
        expect(table.page.locator(".ended")).to_contain_text("This session has ended")
    page.get_by_role("button", name="Next session from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start the next session").click()
    expect(dialog.locator(".seat-links li")).to_have_count(len(NAMES))
    dialog.get_by_role("link", name="Go to the table").click()
    page.wait_for_url(lambda address: gm.session not in address)
    gm.expect_live()
    gm.show("Party")
    expect(page.locator(".party .being")).not_to_have_count(0)


def menu(page: Page, name: str) -> None:
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
