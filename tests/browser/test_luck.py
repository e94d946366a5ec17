"""The page of luck in a real browser: who was lucky, whether anything is suspicious, and what was memorable."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from service.client.api import ApiConnection
from tests.browser.conftest import Open
from tests.browser.pages import RULES, WIDER
from tests.browser.played_server import Served
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG

pytestmark = pytest.mark.long

LIKELY = 0.8
"""LIKELY in web/src/text/luck.ts: the power at which a loaded die is said to show."""


@pytest.mark.smoke
@pytest.mark.parametrize("look", LOOKS if LONG else (PHONE,), ids=str)
def test_it_names_the_luckiest_first_and_axe_finds_nothing(
    server: Served, window: Open, look: Look
) -> None:
    api = ApiConnection(server.url)
    figures = api.get(f"/v1/sessions/{server.session}/statistics").json["figures"]
    names = api.get(f"/v1/sessions/{server.session}").json["names"]
    api.close()
    headline = re.split(r"\.(?: |$)", figures["headline"])[0]
    people = figures["luck"]["drawn"]["seats"].values()
    judged = [each for each in people if "percentile" in each]
    page = window(look).open(f"/s/{server.session}/luck")
    rows = page.locator(".luck-row:not(.axis)")
    expect(rows).to_have_count(len(judged))
    for nth, each in enumerate(sorted(judged, key=lambda of: -of["percentile"])):
        expect(rows.nth(nth).locator(".verdict small")).to_have_text(each["text"])
    expect(page.locator(".title")).to_have_text(
        re.sub(r"\{(\S+?)\}", lambda found: names[found[1]], headline)
    )
    calm = page.locator(".calm").first
    power = figures["verdicts"]["drawn"]["power"]
    if max(power["weights"].values()) >= LIKELY:
        expect(calm).to_contain_text("Nothing suspicious")
        expect(calm).to_contain_text(f"With {power['draws']} dice")
    else:
        expect(calm).to_contain_text("Too few rolls to judge the dice.")
        expect(calm).not_to_contain_text("Nothing suspicious")
    expect(calm).to_contain_text("Each roll drawn by Fairlog is proven fair")
    expect(page.locator(".best")).to_have_count(len(figures["highlights"]))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    page.get_by_text("All charts and numbers").click()
    expect(page.locator(".chart").last).to_be_visible()
    page.locator(".chart summary").first.click()
    expect(page.locator(".chart td").first).to_be_visible()
    found = Axe().run(page, options={"runOnly": RULES, "resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate(WIDER) == 0
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate(WIDER) == 0


def test_a_moment_tells_the_outcome_in_words_and_leads_to_its_place_in_the_log(
    server: Served, window: Open
) -> None:
    """The dice decide whether the session has moments, so the answer is given one of its rolls."""
    path = f"/v1/sessions/{server.session}"
    api = ApiConnection(server.url)
    turns = api.get(f"{path}/turns?limit=100").json["turns"]
    answer = api.get(f"{path}/statistics").json
    api.close()
    turn, card = next(
        (turn, card)
        for turn in turns
        for card in turn.get("cards", [])[:1]
        if card.get("big") and card.get("result") and card["drawings"][0]["shape"] == "path"
    )
    answer["figures"]["highlights"] = [
        {
            "kind": "decisive",
            "seat": turn["seat"],
            "entity": card["entity"],
            "first": turn["last"],
            "last": turn["last"],
            "chance": 1 / 6,
            "text": "The text of the API, with a code of the outcome (1 in 6).",
        }
    ]
    opened = window(LAPTOP)
    opened.page.route(f"**{path}/statistics", lambda route: route.fulfill(json=answer))
    page = opened.open(f"/s/{server.session}/luck")
    moment = page.locator(".best")
    expect(moment.locator("b")).to_contain_text(f": {card['result'].lower()}")
    expect(moment.locator(".die")).to_have_text(card["drawings"][0]["points"][-1])
    expect(moment.locator(".die")).to_have_class(re.compile(r"\br-"))
    expect(moment.locator(".at")).to_contain_text(f"Turn {turn['turn']} · ")
    moment.click()
    expect(page).to_have_url(re.compile(rf"/at/{turn['last']}$"))


def test_it_waits_for_figures_that_are_being_computed(server: Served, window: Open) -> None:
    opened = window(LAPTOP)
    page = opened.open(f"/s/{server.fresh}/luck")
    expect(page.get_by_role("status")).to_contain_text("being computed")


def test_every_chart_has_its_picture_its_numbers_and_its_files(
    server: Served, window: Open
) -> None:
    page = window(LAPTOP).open(f"/s/{server.session}/luck")
    page.get_by_text("All charts and numbers").click()
    api = ApiConnection(server.url)
    listed = api.get(f"/v1/sessions/{server.session}/statistics/plots").json["plots"]
    api.close()
    charts = page.locator(".chart")
    expect(charts).to_have_count(len(listed))
    for nth, chart in enumerate(listed):
        shown = charts.nth(nth)
        expect(shown.locator("h3")).to_have_text(chart["title"])
        expect(shown.locator(".files a")).to_have_count(len(chart["formats"]))
        if "svg" in chart["formats"]:
            shown.locator("img").scroll_into_view_if_needed()
            page.wait_for_function(
                "img => img.naturalWidth > 0", arg=shown.locator("img").element_handle()
            )
