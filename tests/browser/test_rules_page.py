"""The rules of a game, the server's status, and pages that cannot be shown."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from domain.rulesets import RULESETS
from service.http import typical_odds
from service.http.routes.rulesets import newest_edition, ruleset_view
from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER, menu_button
from tests.browser.test_table import Evening
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = [pytest.mark.long, pytest.mark.timeout(180)]

NAMES = sorted({ruleset.name for ruleset in RULESETS})
UNKNOWN = f"/s/{'0' * 32}"


@pytest.mark.smoke
def test_a_citation_leads_to_its_rule(windows: Open) -> None:
    page = windows(LAPTOP).open(f"/rulesets/{NAMES[0]}#rule-2.1")
    expect(page.locator("#rule-2\\.1")).to_be_in_viewport()
    expect(page.locator(".rule.aimed")).to_have_attribute("id", "rule-2.1")


def test_a_refusal_leads_to_the_rule_that_names_its_reason(windows: Open) -> None:
    page = windows(LAPTOP).open(f"/rulesets/{NAMES[0]}#why-no-such-entity")
    expect(page.locator(".rule.aimed")).to_contain_text("no-such-entity")
    expect(page.locator(".rule.aimed")).to_be_in_viewport()


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_are_in_plain_words_until_names_are_asked_for(windows: Open, name: str) -> None:
    page = windows(LAPTOP).open(f"/rulesets/{name}")
    switch = page.get_by_label("Show the names that programs use")
    expect(switch).not_to_be_checked()
    main = page.locator("main")
    expect(main).not_to_contain_text(re.compile(r"\((ruling|ours)|backticks|digest"))
    assert page.locator(".fields code").count() == 0
    few = page.locator(".rule code").count()
    switch.check()
    expect(page.locator(".fields code").first).to_be_attached()
    assert page.locator(".rule code").count() > few


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_every_sentence_action_and_option(windows: Open, name: str) -> None:
    shown = ruleset_view(newest_edition(name))
    page = windows(LAPTOP).open(f"/rulesets/{name}")
    expect(page.get_by_role("heading", level=1)).to_have_text(shown.title)
    expect(page.get_by_role("heading", name="Odds in typical situations")).to_be_visible()
    page.get_by_label("Show the names that programs use").check()
    for summary in page.locator("details > summary").all():
        summary.click()
    for number, said in re.findall(r"^- (\d+\.\d+) (.+)$", shown.rules, re.MULTILINE):
        rule = page.locator(f"[id='rule-{number}']").inner_text()
        plain = re.sub(r"\bRULES (\d+\.\d+)", r"rule \1", re.sub(r"[`*]", "", said))
        plain = re.sub(r"\bRULES (\d+)", r"chapter \1", plain)
        assert " ".join(rule.split()) == f"{number} {' '.join(plain.split())}"
    text = " ".join(page.locator("main").inner_text().split())
    for schema in shown.commands.values():
        assert " ".join(schema["description"].split()) in text
    fields = {field for schema in shown.commands.values() for field in schema["properties"]}
    codes = set(page.locator(".fields dt code").all_inner_texts())
    assert (fields - {"kind"}) | set(shown.options["properties"]) == codes
    situations = typical_odds.situations(newest_edition(name))
    assert page.locator("[aria-labelledby=odds] details").count() == len(situations) > 0
    for each in situations:
        assert all(line in text for line in each.before)
    anchors = page.eval_on_selector_all(
        "main a[href^='#']", "links => links.map(each => each.getAttribute('href').slice(1))"
    )
    ids = page.eval_on_selector_all("[id]", "all => all.map(each => each.id)")
    assert set(anchors) <= set(ids)


def test_the_status_says_whether_all_is_well(windows: Open) -> None:
    page = windows(LAPTOP).open("/status")
    expect(page.get_by_role("heading", level=1)).to_have_text("Is the server working?")
    expect(page.locator("main")).to_contain_text("The operator has something to do")


@pytest.mark.smoke
def test_a_stranger_reads_what_to_do_and_enters_with_a_link(windows: Open, url: str) -> None:
    evening = Evening(url)
    window = windows(PHONE)
    page = window.open(f"/s/{evening.session}", 401)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Only people with a seat see this session"
    )
    page.get_by_label("Your personal link").fill(
        f"{url}/s/{evening.session}/seat#{evening.tokens['p1']}"
    )
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".live")).to_have_text("Live")


def test_the_settings_say_what_was_chosen_and_change_the_colours(windows: Open, url: str) -> None:
    evening = Evening(url)
    page = evening.page(windows, "gm")
    open_settings(page)
    found = page.get_by_role("dialog")
    expect(found).to_contain_text("All options are as usual.")
    found.get_by_label("dark").check()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    page.reload()
    expect(page.locator(".live")).to_have_text("Live")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    open_settings(page)
    page.get_by_role("dialog").get_by_label("Like this device").check()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light dark"


def test_the_gm_adds_and_deletes_a_webhook(windows: Open, url: str) -> None:
    page = Evening(url).page(windows, "gm")
    open_settings(page)
    found = page.get_by_role("dialog")
    found.locator("summary", has_text="For the curious").click()
    found.locator("summary", has_text="Webhooks").click()
    found.get_by_label("Address").fill("https://example.org/hook")
    found.get_by_role("button", name="Add the webhook").click()
    expect(found).to_contain_text("Store it now")
    found.get_by_role("button", name="Delete the webhook to https://example.org/hook").click()
    expect(found.locator(".lines")).to_have_count(0)


def open_settings(page: Page) -> None:
    menu_button(page).click()
    page.get_by_role("dialog").get_by_role("button", name="Settings", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("heading", name="Settings")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_axe_finds_nothing_and_it_fits(windows: Open, url: str, look: Look) -> None:
    evening = Evening(url)
    window = windows(look)
    for path, status in (
        (f"/rulesets/{NAMES[0]}", 200),
        ("/status", 200),
        (UNKNOWN, 401),
        ("settings", 200),
    ):
        if path == "settings":
            page = evening.page(windows, "gm", look)
            open_settings(page)
            for summary in page.get_by_role("dialog").locator("summary").all():
                summary.click()
        else:
            page = window.open(path, status)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
        found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        page.set_viewport_size({"width": 320, "height": 800})
        assert page.evaluate(WIDER) == 0
        page.set_viewport_size({"width": look.width, "height": 844})
