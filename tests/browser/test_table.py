"""The table in a real browser: people act where they look, and see only what they may see."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from service.client.api import ApiConnection
from service.web.console import TABLE_READS
from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

KEEP = re.compile("^Keep (F|PF|PS|S)")
SECRET = "zqx-behind-the-door"


class Evening:
    """A session of Dhextiny with Ana, whom p1 plays, Ben, whom p2 plays, and the GM's rat."""

    def __init__(self, url: str, *, peopled: bool = True) -> None:
        self.url, self.tokens = url, dict[str, str]()
        body = {"ruleset": "dhextiny", "title": "The salt mine", "name": "Gwen"}
        opened = self.send("", "/v1/sessions", body)
        self.session, self.tokens["gm"] = opened["session"], opened["token"]
        self.path = f"/v1/sessions/{self.session}"
        invited = self.send("gm", f"{self.path}/invitations", {"role": "player", "max_uses": 2})
        for seat in ("p1", "p2"):
            body = {"code": invited["code"], "seat": seat, "name": seat.upper()}
            self.tokens[seat] = self.send("", "/v1/seats", body)["token"]
        if not peopled:
            return
        self.command("p1", kind="CreatePc", entity="ana", name="Ana")
        self.command("p2", kind="CreatePc", entity="ben", name="Ben")
        self.command("gm", kind="CreateCreature", entity="rat", name="Rat", lp=4)

    def send(self, seat: str, path: str, body: dict[str, Any]) -> Any:
        with closing(ApiConnection(self.url, self.tokens.get(seat, ""))) as api:
            answer = api.post(path, body)
        assert answer.status in (200, 201), answer.body
        return answer.json

    def command(self, seat: str, audience: str | None = None, **command: Any) -> None:
        command["kind"] = f"dhextiny.{command['kind']}"
        more = {} if audience is None else {"audience": audience}
        self.send(seat, f"{self.path}/commands", {"command": command, **more})

    def page(self, windows: Open, seat: str, look: Look = LAPTOP) -> Page:
        """Open the table in a browser that holds the seat."""
        window = windows(look)
        cookie = {"name": "fairlog-seat", "value": self.tokens[seat], "url": self.url}
        window.page.context.add_cookies([cookie])
        page = window.open(f"/s/{self.session}")
        expect(page.locator(".live")).to_have_text("Live")
        return page


@pytest.fixture
def evening(url: str) -> Evening:
    return Evening(url)


@pytest.mark.smoke
def test_a_check_is_rolled_and_settled_on_its_card(windows: Open, evening: Evening) -> None:
    ana, gm = (evening.page(windows, seat) for seat in ("p1", "gm"))
    ana.get_by_role("button", name="Check", exact=False).first.click()
    for page in (ana, gm):
        card = page.locator(".roll").last
        expect(card.locator(".die")).to_be_visible()
        expect(card.locator(".head")).to_contain_text("Ana makes a check")
        expect(card.locator(".result")).to_have_text(re.compile("ailure|uccess"))
        expect(card.locator(".path b").last).to_be_visible()
        expect(card.locator(".proof")).to_contain_text("Fair")
    for page in (ana, gm):
        expect(page.locator(".roll .foot").get_by_role("button", name=KEEP)).to_be_visible()
        expect(page.locator('.actions > .acts [data-kind="dhextiny.Settle"]')).to_have_count(0)
    gm.locator(".roll .foot").get_by_role("button", name=KEEP).click()
    expect(ana.locator(".roll .foot")).not_to_be_attached()
    assert gm.locator(".roll").count() == 1


@pytest.mark.smoke
def test_a_secret_is_shown_to_its_audience_alone(windows: Open, evening: Evening) -> None:
    evening.command("gm", "gm", kind="CreateNpc", entity="ghost", name=SECRET)
    gm, ana = (evening.page(windows, seat) for seat in ("gm", "p1"))
    expect(gm.locator(".party")).to_contain_text(SECRET)
    expect(ana.locator(".sealed")).to_contain_text("Gwen did something in secret")
    assert SECRET not in ana.content()


@pytest.mark.smoke
def test_the_table_reads_once_when_it_opens(windows: Open, evening: Evening) -> None:
    """The first reads are those that the page's head names: otherwise, they are sent twice."""
    window, sent = windows(), list[str]()
    window.sign_in(evening.tokens["p1"])
    window.page.on("request", lambda request: sent.append(request.url.removeprefix(evening.url)))
    page = window.open(f"/s/{evening.session}")
    expect(page.locator(".live")).to_have_text("Live")
    page.wait_for_load_state("networkidle")
    reads = [each for each in sent if re.match(rf"{evening.path}($|/turns)", each)]
    assert sorted(reads) == [f"{evening.path}{read}" for read in TABLE_READS]


@pytest.mark.smoke
def test_secret_stays_ticked_until_something_secret_is_sent(windows: Open, url: str) -> None:
    evening = Evening(url, peopled=False)
    gm, ana = (evening.page(windows, seat) for seat in ("gm", "p1"))
    gm.get_by_label("Secret").check()
    evening.command("gm", kind="CreateNpc", entity="rat", name="Rat")
    evening.command("gm", kind="CreateNpc", entity="cat", name="Cat")
    expect(gm.locator(".being")).to_have_count(2)
    for name in ("Rat", "Cat"):
        gm.locator(".who-is", has_text=name).click()
        expect(
            gm.get_by_role("heading", name=f"{name}\N{RIGHT SINGLE QUOTATION MARK}s actions")
        ).to_be_visible()
        expect(gm.get_by_label("Secret")).to_be_checked()
    gm.locator(".act", has_text="Check").first.click()
    expect(ana.locator(".sealed")).to_contain_text("Gwen rolled in secret")
    expect(gm.get_by_label("Secret")).not_to_be_checked()
    gm.locator(".roll .foot").get_by_role("button", name=KEEP).click()
    expect(gm.locator(".roll .foot").get_by_role("button", name=KEEP)).not_to_be_attached()
    # To others, a secret roll is one line with what settles it.
    expect(ana.locator(".sealed")).to_have_count(1)
    assert not ana.locator(".roll").count()
    gm.get_by_role("button", name="Undo the last turn").click()
    expect(ana.locator(".sealed")).to_have_count(2)
    expect(ana.locator(".sealed").first).not_to_contain_text("undone")
    expect(ana.locator(".sealed").last).to_contain_text("undone")


def test_what_people_must_write_is_asked_for(windows: Open, evening: Evening) -> None:
    page = evening.page(windows, "p1")
    page.locator(".act", has_text="Roll for abilities").click()
    expect(page.locator(".roll .result")).to_have_attribute("class", re.compile(r"^result(?! r-)"))
    action = page.locator(".action", has_text="Name an ability")
    action.get_by_role("button", name="Name an ability").click()
    expect(action.locator("form").get_by_label("Ability").first).to_be_visible()
    assert not page.locator(".turns", has_text="new ability").count()


def test_a_form_says_everything_that_is_wrong_beside_its_field(
    windows: Open, evening: Evening
) -> None:
    page = evening.page(windows, "gm")
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Create a creature").click()
    form = page.locator(".action", has_text="Create a creature").locator("form")
    form.get_by_role("button", name="Do it").click()
    name, lp = form.get_by_label("Name"), form.get_by_label("LP", exact=False).first
    expect(form.locator(".wrong")).to_have_count(2)
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description(re.compile("“Name” is still empty"))
    expect(lp).to_have_accessible_description(re.compile("Give “LP” a number from 1 to"))
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()


def test_a_refusal_is_said_at_the_field_that_it_names(windows: Open, evening: Evening) -> None:
    evening.command("p1", kind="RollAbilities", entity="ana")
    evening.command("p1", kind="NameAbility", entity="ana", ability="locks")
    window = windows(LAPTOP)
    window.expect(f"{evening.path}/commands")
    page = evening.page(lambda _: window, "p1")
    action = page.locator(".action", has_text="Name an ability")
    action.get_by_role("button", name="Name an ability").click()
    field = action.locator("form").get_by_label("Ability").first
    field.fill("locks")
    action.get_by_role("button", name="Do it").click()
    expect(field).to_have_accessible_description(re.compile("Ability: .* already"))
    expect(field).to_be_focused()


def test_one_can_scroll_back_to_the_first_turn(windows: Open, evening: Evening) -> None:
    for nth in range(30):
        evening.send("gm", f"{evening.path}/narrate", {"text": f"Drop {nth} falls."})
    page = evening.page(windows, "p1")
    expect(page.locator(".turns > *").last).to_be_in_viewport()
    page.locator(".turns").hover()
    page.mouse.wheel(0, -20_000)
    expect(page.locator(".turns > *").first).to_be_in_viewport()


def test_buttons_of_an_open_check_survive_a_reload_and_talk(
    windows: Open, evening: Evening
) -> None:
    page = evening.page(windows, "p1")
    page.get_by_role("button", name="Check", exact=False).first.click()
    settle = page.locator(".roll .foot").get_by_role("button", name=KEEP)
    expect(settle).to_be_visible()
    evening.send("gm", f"{evening.path}/narrate", {"text": "Well?"})
    expect(page.locator(".say").last).to_contain_text("Well?")
    expect(settle).to_be_visible()
    evening.command("gm", kind="CreateNpc", entity="cat", name="Cat")
    expect(page.locator(".note").last).to_contain_text("Cat")
    expect(settle).to_be_visible()
    page.reload()
    expect(settle).to_be_visible()


def test_what_is_said_appears_on_every_page_at_once(windows: Open, evening: Evening) -> None:
    gm, ana = (evening.page(windows, seat) for seat in ("gm", "p1"))
    gm.get_by_label("Say something").fill("Water to your knees.")
    gm.keyboard.press("Enter")
    expect(ana.locator(".say").last).to_contain_text("Water to your knees.")
    assert ana.locator(".say").count() == 1


def test_the_gm_brings_a_character_without_an_id_and_undoes_it(
    windows: Open, evening: Evening
) -> None:
    page = evening.page(windows, "gm")
    page.get_by_text("More actions").click()
    page.get_by_role("button", name="Create a creature").click()
    form = page.locator(".action", has_text="Create a creature").locator("form")
    form.get_by_label("Name").fill("Giant wolf")
    form.get_by_label("LP", exact=False).first.fill("5")
    form.get_by_role("button", name="Do it").click()
    expect(page.locator(".party")).to_contain_text("Giant wolf")
    page.get_by_role("button", name="Undo the last turn").click()
    expect(page.locator(".party")).not_to_contain_text("Giant wolf")
    expect(page.locator(".note.undone").last).to_contain_text("Giant wolf")


@pytest.mark.smoke
@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_axe_finds_nothing_and_it_fits(windows: Open, evening: Evening, look: Look) -> None:
    evening.command("p1", kind="Check", entity="ana")
    page = evening.page(windows, "p1", look)
    panels = ("Log", "Party", "Act", "Board") if look.width <= PHONE.width else ("",)
    for panel in panels:
        if panel:
            page.get_by_role("button", name=panel, exact=True).click()
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate(WIDER) == 0
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0


def test_a_session_that_its_reader_may_not_see_is_not_shown(
    windows: Open, evening: Evening
) -> None:
    windows(LAPTOP).open(f"/s/{evening.session}", 401)
