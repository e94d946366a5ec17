"""An evening of each game, all by the pages: start, invite, join, play, look back, undo, fork, end, and go on.

No window may have a console error, and no request may fail that the test does not expect.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.browser.conftest import Open
from tests.browser.pages import TALLER, open_menu
from tests.browser.plots import PLOTS, Plot, Step, Tap, main_actions
from tests.browser.table_page import TablePage
from tests.browser.test_join import links, sit_down, start
from tests.browser.windows import LAPTOP, PHONE, Look, Window
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

LEAST_TURNS = 15
MOST_TURNS = 200
"""More than a session has here; a page of turns holds as many."""
REAL_DICE = "real dice"
NAMES = {"p1": "Pia", "p2": "Bo", "p3": "Cleo"}
PLAYED = [(RULESETS[0], LAPTOP)]
if LONG:
    PLAYED = [(ruleset, look) for ruleset in RULESETS for look in (LAPTOP, PHONE)]


class Company:
    """The GM's window and three players', and the names and ids of the plot's characters."""

    def __init__(self, open_: Open, ruleset: AnyRuleset, look: Look) -> None:
        self.open, self.ruleset, self.look = open_, ruleset, look
        self.plot: Plot = PLOTS[ruleset.name]
        self.tables: dict[str, TablePage] = {}
        self.names: dict[str, str] = {}
        self.ids: dict[str, str] = {}

    def gather(self) -> None:
        """The GM starts the session, and three people join by its invitation."""
        window = self.open(self.look)
        page = start(window, self.ruleset.name, REAL_DICE, *self.plot.ticks, **self.plot.choices)
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
                page.get_by_role("button", name="Create it and go on").click()
                page.get_by_role("link", name="To the table").click()
            else:
                page.get_by_role("link", name="Do this later").click()
            page.get_by_role("button", name="To the table").click()
            self.add(seat, window, session)

    def add(self, seat: str, window: Window, session: str) -> None:
        self.tables[seat] = TablePage(window, session)
        self.tables[seat].expect_live()

    def play(self, step: Step, *, is_secret: bool = False) -> None:
        """Do a step of the plot."""
        table, fields = self.tables[step.by], dict(step.says)
        actor = str(fields.get("entity", "") or fields.get("keeper", ""))
        is_new = actor not in self.names and "name" in fields and "entity" in fields
        fields.pop("entity", None)
        if actor in self.names:
            table.choose(self.names[actor])
        for name, value in fields.items():
            if isinstance(value, str):
                fields[name] = self.ids.get(value, value)
            elif isinstance(value, tuple):
                fields[name] = tuple(self.ids.get(each, each) for each in value)
        given = {"is_secret": is_secret, "faces": step.faces}
        if step.kind == "Roll" and (dice := {"notation", "name"} & fields.keys()):
            [field] = dice
            table.roll(**{"notation": "", "name": "", field: str(fields[field])}, **given)
        else:
            table.act(f"{self.ruleset.name}.{step.kind}", fields, **given)
        if is_new:
            self.names[actor] = str(fields["name"])
            self.ids[actor] = table.entity(self.names[actor])
        self.together()

    def tap(self, tap: Tap) -> None:
        self.tables[tap.by].tap(*tap[1:])
        self.together()

    def together(self) -> None:
        """Wait until each window shows the newest turn, and what may be done in it."""
        head = self.head()
        for table in self.tables.values():
            table.expect_current(head)

    def head(self) -> int:
        return self.tables["gm"].version()


@pytest.mark.parametrize(
    ("ruleset", "look"), PLAYED, ids=lambda each: str(getattr(each, "name", each))
)
def test_an_evening_is_played(windows: Open, ruleset: AnyRuleset, look: Look) -> None:
    company = Company(windows, ruleset, look)
    plot = company.plot
    company.gather()
    company.tables["gm"].say("It begins in the rain.")
    for step in (*plot.bring, *plot.ana.ready, plot.ana.roll, *plot.ana.over, *plot.ben.ready):
        company.play(step)
    company.play(plot.ben.roll)
    undo_and_redo(company)
    for step in plot.ben.over:
        company.play(step)
    roll_in_secret_and_open_it(company)
    for step in plot.rest:
        company.play(step)
    for tap in plot.taps:
        company.tap(tap)
    override(company)
    expect_all_played(company)
    for table in company.tables.values():
        assert table.page.evaluate(TALLER) == 0, "only the table's panels scroll"
    rewind_to_the_past(company)
    fork(company)
    end_and_go_on(company)
    for table in company.tables.values():
        assert table.window.faults == []


def expect_all_played(company: Company) -> None:
    """Expect the log to have enough turns, and each main action of the game among them."""
    turns = company.tables["gm"].ask(f"/turns?limit={MOST_TURNS}")["turns"]
    played = [turn["kind"] for turn in turns if "command" in turn]
    assert len(played) >= LEAST_TURNS
    # The turns do not say what the command of a secret was, also when it is opened.
    secret = {f"{company.ruleset.name}.{step.kind}" for step in company.plot.secret}
    assert main_actions(company.ruleset) - secret - set(played) == set()


def undo_and_redo(company: Company) -> None:
    table = company.tables["gm"]
    rolled, before = table.ask()["table"], table.shown()
    table.show("Act")
    table.page.get_by_role("button", name="Undo the last turn").click()
    table.expect_current(before + 1)
    company.together()
    assert last_played(table)["undone"]
    page = table.window.open(f"/s/{table.session}/at/newest")
    table.show("Board")
    page.locator(".branch").get_by_role("button", name="Bring back").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Bring back")).click()
    table.expect_live()
    company.together()
    assert not last_played(table).get("undone")
    assert table.ask()["table"] == rolled


def last_played(table: TablePage) -> Any:
    """Return the newest turn of the game."""
    turns = table.ask("/turns?limit=10")["turns"]
    return [turn for turn in turns if "command" in turn][-1]


def roll_in_secret_and_open_it(company: Company) -> None:
    gm, others = company.tables["gm"], [company.tables[seat] for seat in NAMES]
    for step in company.plot.secret:
        company.play(step, is_secret=True)
    for table in others:
        expect(table.page.locator("[role=log] .sealed").first).to_contain_text("in secret")
    gm.show("Log")
    show = gm.page.get_by_role("log").get_by_role("button", name="Show to everyone")
    for _ in company.plot.secret:
        before = gm.shown()
        show.first.click()
        gm.expect_current(before + 1)
    expect(show).to_have_count(0)
    company.together()
    for table in others:
        expect(table.page.locator("[role=log] .sealed")).to_have_count(0)
        turns = table.ask("/turns?limit=30")["turns"]
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
    page.locator(".look").get_by_role("button", name=re.compile("^Rewind")).click()
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
    open_menu(page)
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
