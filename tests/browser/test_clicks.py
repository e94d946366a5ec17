"""How many clicks and scrolls the table takes for what people do most, counted in a real browser."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.windows import HEIGHT, LAPTOP, PHONE, Look

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

TURNS = 40
LAPTOP_HEIGHT = 800
both = pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=str)


class Hand:
    """Clicks on a page, and counts: clicks, and scrolls if what is clicked is out of sight."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.scrolls = page, 0, 0

    def click(self, target: Locator) -> None:
        expect(target).to_be_visible()
        if not is_in_sight(target):
            self.scrolls += 1
        target.click()
        self.clicks += 1

    def at_most(self, clicks: int) -> None:
        is_phone = self.page.viewport_size == {"width": PHONE.width, "height": HEIGHT}
        print(f"{self.clicks} clicks, {self.scrolls} scrolls")
        assert self.clicks <= clicks
        assert self.scrolls <= (1 if is_phone else 0)


def is_in_sight(target: Locator) -> bool:
    """Whether the middle of an element can be clicked without any scrolling."""
    return bool(
        target.evaluate(
            """element => {
                const { left, top, width, height } = element.getBoundingClientRect();
                const found = document.elementFromPoint(left + width / 2, top + height / 2);
                return found !== null && (element.contains(found) || found.contains(element));
            }"""
        )
    )


class Session:
    """A session of a ruleset with a GM and a player, sent over the API."""

    def __init__(self, url: str, ruleset: str) -> None:
        self.url, self.ruleset, self.tokens = url, ruleset, dict[str, str]()
        body = {"ruleset": ruleset, "title": "Forty turns", "name": "Gwen"}
        opened = self.send("", "/v1/sessions", body)
        self.id, self.tokens["gm"] = opened["session"], opened["token"]
        self.path = f"/v1/sessions/{self.id}"
        code = self.send("gm", f"{self.path}/invitations", {"role": "player"})["code"]
        body = {"code": code, "seat": "p1", "name": "Pia"}
        self.tokens["p1"] = self.send("", "/v1/seats", body)["token"]

    def send(self, seat: str, path: str, body: dict[str, Any]) -> Any:
        with closing(ApiConnection(self.url, self.tokens.get(seat, ""))) as api:
            answer = api.post(path, body)
        assert answer.status in (200, 201), answer.body
        return answer.json

    def command(self, seat: str, kind: str, **fields: Any) -> None:
        command = {"kind": f"{self.ruleset}.{kind}", **fields}
        self.send(seat, f"{self.path}/commands", {"command": command})

    def page(self, windows: Open, seat: str, look: Look) -> Hand:
        window = windows(look)
        window.sign_in(self.tokens[seat])
        page = window.open(f"/s/{self.id}")
        height = LAPTOP_HEIGHT if look.width == LAPTOP.width else HEIGHT
        page.set_viewport_size({"width": look.width, "height": height})
        expect(page.locator(".live")).to_have_text("Live")
        expect(page.locator(".turns > *").last).to_be_visible()
        return Hand(page)


@pytest.fixture
def dhextiny(url: str) -> Session:
    session = Session(url, "dhextiny")
    session.command("p1", "CreatePc", entity="ana", name="Ana")
    session.command("gm", "CreateCreature", entity="rat", name="Rat", lp=4)
    for _ in range(TURNS // 2 - 1):
        session.command("p1", "Check", entity="ana")
        session.command("p1", "Settle", entity="ana")
    return session


@pytest.fixture
def fansys(url: str) -> Session:
    session = Session(url, "fansys")
    scores = dict.fromkeys(
        ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 18
    )
    traits = {"entity_type": "humanoid", "race": "elf", "size": "medium"}
    for seat, entity in (("p1", "ana"), ("gm", "wraith"), ("gm", "golem")):
        session.command(
            seat,
            "Create",
            entity=entity,
            name=entity.title(),
            level=3,
            sp_dice=4,
            mp_dice=4,
            **traits,
            **scores,
        )
    session.command(
        "p1",
        "LearnAttack",
        entity="ana",
        attack="sword",
        stat="STR",
        nature="natural",
        reach="melee",
        dice=1,
        sides=8,
        bonus=0,
    )
    for nth in range(TURNS - 5):
        session.send("gm", f"{session.path}/narrate", {"text": f"Drop {nth} falls."})
    return session


def show(hand: Hand, panel: str) -> None:
    """Open a panel of a phone. A laptop shows them all."""
    tab = hand.page.get_by_role("button", name=panel, exact=True)
    if tab.is_visible():
        hand.click(tab)


@both
def test_a_check_is_rolled(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "p1", look)
    rolls = hand.page.locator(".roll").count()
    show(hand, "Act")
    hand.click(hand.page.locator(".act", has_text=re.compile("^Check")).first)
    expect(hand.page.locator(".roll")).to_have_count(rolls + 1)
    hand.at_most(2)


@both
def test_an_attack_and_its_damage_are_rolled(windows: Open, fansys: Session, look: Look) -> None:
    hand = fansys.page(windows, "p1", look)
    for _ in range(20):
        hand.clicks = hand.scrolls = 0
        rolls = hand.page.locator(".roll").count()
        show(hand, "Act")
        hand.click(hand.page.locator(".act", has_text=re.compile("^Attack")).first)
        hand.click(hand.page.locator(".actions .chips").get_by_role("button", name="Wraith"))
        expect(hand.page.locator(".roll")).to_have_count(rolls + 1)
        card = hand.page.locator(".roll").last
        expect(card.locator(".head")).to_contain_text("attacks Wraith")
        expect(card.locator(".result")).to_be_visible()
        if "Hit" in card.locator(".result").inner_text():
            break
    hand.click(hand.page.locator(".foot").last.get_by_role("button", name="Roll damage"))
    expect(hand.page.locator(".roll").last).to_contain_text("damages")
    hand.at_most(4)


@both
def test_a_condition_is_ticked(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "gm", look)
    show(hand, "Party")
    hand.clicks = 0  # on a phone, the party is a page of its own
    ana = hand.page.locator(".being", has_text="Ana")
    hand.click(ana.get_by_role("button", name="Add a condition to Ana"))
    hand.click(ana.get_by_role("button", name="Prone"))
    expect(ana.locator(".tag.hot")).to_have_text("Prone")
    hand.at_most(2)


@both
def test_a_resource_is_spent(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "gm", look)
    show(hand, "Party")
    hand.clicks = 0
    ana = hand.page.locator(".being", has_text="Ana")
    left = int(ana.locator(".bar", has_text="LP").locator(".of").inner_text().split()[0])
    hand.click(ana.locator(".bar", has_text="LP"))
    hand.click(ana.get_by_role("button", name="\N{MINUS SIGN}1"))
    expect(ana.locator(".bar", has_text="LP").locator(".of")).to_contain_text(f"{left - 1} ")
    hand.at_most(2)


@both
def test_the_gm_rolls_in_secret(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "gm", look)
    show(hand, "Act")
    hand.click(hand.page.get_by_label("Secret"))
    hand.click(hand.page.locator(".act", has_text=re.compile("^Check")).first)
    expect(hand.page.locator(".roll").last).to_contain_text("secret")
    hand.at_most(3)
    hand.page.locator(".roll").last.get_by_role("button", name="Show to everyone").click()
    expect(hand.page.locator(".roll").last.locator(".tag")).to_have_count(0)


@both
def test_turns_are_undone_one_after_the_other(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "gm", look)
    show(hand, "Act")
    undo = hand.page.get_by_role("button", name="Undo the last turn")
    rewinds = hand.page.locator(".note.chip")
    others = rewinds.count()
    hand.click(undo)
    hand.at_most(2)
    gone = hand.page.locator(".undone")
    expect(rewinds).to_have_count(others + 1)
    expect(gone).to_have_count(0)  # the check is open again
    expect(undo).to_be_enabled()
    undo.click()
    expect(rewinds).to_have_count(others + 2)
    expect(gone).to_have_count(1)
    expect(gone).to_contain_text("makes a check")


def test_undoing_a_secret_roll_undoes_it_alone(windows: Open, dhextiny: Session) -> None:
    page = dhextiny.page(windows, "gm", LAPTOP).page
    page.get_by_label("Secret").check()
    page.locator(".act", has_text=re.compile("^Check")).first.click()
    expect(page.locator(".roll").last).to_contain_text("secret")
    page.get_by_role("button", name="Undo the last turn").click()
    expect(page.locator(".undone")).to_have_count(1)
    expect(page.locator(".roll").last).to_contain_text("undone")
    expect(page.get_by_role("button", name="Show to everyone")).to_have_count(0)


@both
def test_what_happened_before_is_a_click_away(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "p1", look)
    log = hand.page.locator(".scroll").first
    assert log.evaluate("element => element.scrollHeight > element.clientHeight")
    names = {"Luck": "luck", "Review": "at"} if look is LAPTOP else {}
    for name, part in names.items():
        hand.clicks = 0
        hand.click(hand.page.get_by_role("link", name=name, exact=True))
        expect(hand.page).to_have_url(re.compile(f"/{part}"))
        hand.at_most(1)
        hand.page.go_back()


@both
def test_a_roll_is_checked(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "p1", look)
    hand.click(hand.page.locator(".roll").last.locator(".proof"))
    expect(hand.page.locator("dialog[open]")).to_be_visible()
    hand.at_most(1)


@both
def test_something_is_said(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "p1", look)
    said = hand.page.get_by_label(re.compile("Say something"))
    assert is_in_sight(said)
    said.fill("Water to your knees.")
    hand.page.keyboard.press("Enter")
    expect(hand.page.locator(".say").last).to_contain_text("Water to your knees.")


@both
def test_what_matters_is_in_sight(windows: Open, dhextiny: Session, look: Look) -> None:
    hand = dhextiny.page(windows, "p1", look)
    page = hand.page
    show(hand, "Act")
    hand.click(page.locator(".act", has_text=re.compile("^Check")).first)
    expect(page.locator(".foot")).to_be_visible()
    cards = page.locator(".turns > *")
    expect(cards.last).to_be_in_viewport()
    number = cards.count()
    for nth in range(number - 5, number):
        expect(cards.nth(nth).locator(".head, .card").first).to_be_in_viewport()
    assert is_in_sight(page.locator(".foot").get_by_role("button", name=re.compile("^Keep")))
    show(hand, "Party")
    assert is_in_sight(page.locator(".being.me .who-is"))
    show(hand, "Act")
    assert is_in_sight(page.locator(".calm").first)
    assert is_in_sight(page.locator(".action .act").first)
