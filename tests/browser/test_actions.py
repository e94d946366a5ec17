"""What a seat does on the page of a session, with JavaScript and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from tests.browser.acting import fill, form, opened, press, tell
from tests.browser.test_pages import SMALL
from tests.browser.windows import LOOKS, Look, Window
from tests.support.scale import LONG

pytestmark = pytest.mark.long

Open = Callable[..., Window]
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WORDS = "It stays dark until the bell."


def told(page: Page) -> str:
    return page.locator("#came").inner_text()


@pytest.mark.parametrize(
    "ruleset", RULESETS if LONG else RULESETS[:1], ids=lambda ruleset: ruleset.name
)
def test_what_is_possible_is_done_without_leaving_the_page(
    url: str, windows: Open, ruleset: AnyRuleset
) -> None:
    evening = opened(url, ruleset)
    page = evening.enter(windows())
    page.evaluate("() => { window.stayed = true }")
    for _ in range(3):
        kind, choice = next(iter(evening.allowed().items()))
        before = evening.version()
        found = form(page, kind)
        fill(found, choice["example"])
        press(found)
        expect(page.locator("#came")).to_contain_text("Done.")
        expect(page.locator(f'#actions form[data-act="{kind}"] [name=version]')).not_to_have_value(
            str(before)
        )
        wish = evening.get(f"/events?after={before}")["events"][0]
        assert wish["body"]["command"] == choice["example"]
        assert wish["told"].split("{")[0] in told(page)
        assert page.evaluate("() => document.activeElement.closest('#actions') !== null")
    assert page.evaluate("() => window.stayed")


def test_two_presses_are_one_act(url: str, windows: Open) -> None:
    evening = opened(url)
    page = evening.enter(windows())
    found = form(page, "narrate")
    found.get_by_label("Words").fill(WORDS)
    before = evening.version()
    found.evaluate("each => { each.requestSubmit(); each.requestSubmit(); }")
    expect(page.locator("#came")).to_contain_text(WORDS)
    assert evening.version() == before + 1
    assert found.get_by_label("Words").input_value() == ""


def test_the_odds_follow_the_fields(url: str, windows: Open) -> None:
    evening = opened(url)
    evening.act("gm", next(iter(evening.allowed())))
    kind, choice = next((kind, each) for kind, each in evening.allowed().items() if "odds" in each)
    page = evening.enter(windows())
    found = form(page, kind)
    rows = found.locator(".odds tr")
    expect(rows).to_have_count(len(choice["odds"]))
    before = found.locator(".odds").inner_text()
    with page.expect_response("**/odds"):
        found.locator("select, input[type=radio]").first.evaluate(
            "each => each.dispatchEvent(new Event('input', { bubbles: true }))"
        )
    expect(rows).to_have_count(len(choice["odds"]))
    assert found.locator(".odds").inner_text() == before


def test_a_malformed_field_says_so_in_place(url: str, windows: Open) -> None:
    evening, window = opened(url), windows()
    page = evening.enter(window)
    kind, choice = next(
        (kind, each) for kind, each in evening.allowed().items() if "entity" in each["example"]
    )
    found = form(page, kind)
    fill(found, choice["example"])
    found.locator('[name="c.entity"]').fill("No id!")
    found.evaluate("each => { each.noValidate = true }")
    window.expect(f"{evening.api}/commands")
    press(found)
    field = found.locator('[name="c.entity"]')
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    described = str(field.get_attribute("aria-describedby")).split()[-1]
    assert "String does not match" in page.locator(f"#{described}").inner_text()
    field.fill("new")
    press(found)
    expect(page.locator("#came")).to_contain_text("Done.")


def test_a_refusal_stands_where_it_arose(url: str, windows: Open) -> None:
    evening, window = opened(url), windows()
    kind = next(iter(evening.allowed()))
    example = evening.allowed()[kind]["example"]
    evening.act("gm", kind)
    page = evening.enter(window)
    found = form(page, kind)
    fill(found, example)
    expect(found.locator(".odds")).to_contain_text("As filled in, it would be refused.")
    window.expect(f"{evening.api}/commands")
    press(found)
    expect(found.get_by_role("alert")).to_contain_text("Refused: nothing was done.")
    link = found.get_by_role("alert").get_by_role("link")
    assert str(link.first.get_attribute("href")).startswith("/rulesets/")
    assert evening.get("/events?last=1")["events"][0]["seat"] == "gm"
    tell(page, WORDS)
    expect(page.locator("#came")).to_contain_text(WORDS)
    expect(found.get_by_role("alert")).to_contain_text("Refused")  # it stays until the next try


def test_a_conflict_says_what_came_in_between(url: str, windows: Open) -> None:
    evening, window = opened(url), windows()
    window.page.route("**/stream?*", lambda route: route.abort())
    window.expect(f"{evening.api}/stream?after={evening.version()}")
    page = evening.enter(window)
    evening.post("p1", "/narrate", {"text": "Meanwhile, a bell."})
    window.expect(f"{evening.api}/narrate")
    tell(page, WORDS)
    found = form(page, "narrate")
    expect(found.get_by_role("alert")).to_contain_text("Meanwhile, a bell.")
    assert found.get_by_label("Words").input_value() == WORDS
    press(found)
    expect(page.locator("#came")).to_contain_text(WORDS)


def test_what_had_no_answer_is_sent_again_and_done_once(url: str, windows: Open) -> None:
    evening, window = opened(url), windows()
    page = evening.enter(window)
    before = evening.version()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    window.expect(f"{evening.api}/narrate")
    page.route("**/narrate", lose)
    tell(page, WORDS)
    found = form(page, "narrate")
    expect(found.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    page.unroute("**/narrate")
    expect(found.locator("[name=version]")).to_have_value(
        str(before + 1)
    )  # the forms were drawn anew meanwhile
    assert found.get_by_label("Words").input_value() == WORDS
    press(found)
    expect(page.locator("#came")).to_contain_text(WORDS)
    assert evening.version() == before + 1


@pytest.mark.parametrize(
    "ruleset", RULESETS if LONG else RULESETS[:1], ids=lambda ruleset: ruleset.name
)
@pytest.mark.parametrize("look", LOOKS if LONG else (LOOKS[0], LOOKS[3]), ids=str)
def test_axe_finds_nothing_with_forms_open(
    url: str, windows: Open, ruleset: AnyRuleset, look: Look
) -> None:
    evening = opened(url, ruleset)
    evening.act("gm", next(iter(evening.allowed())))
    page = evening.enter(windows(look=look))
    page.evaluate(
        "() => { for (const each of document.querySelectorAll('#actions details')) each.open = true }"
    )
    found = Axe().run(
        page, context="#actions", options={"runOnly": RULES, "resultTypes": ["violations"]}
    )
    assert found.violations_count == 0, found.generate_report()
    assert [each for each in page.evaluate(SMALL) if 'id="slider"' not in each] == []
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0
