"""The door of a session's pages, as a browser goes through it: by https or this machine, and over plain http."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.served import Served, served

pytestmark = pytest.mark.long

HOSTS = ("127.0.0.1", "table.test")
"""The first one is trusted and gets Sec-Fetch-Site; at the other one a form's Origin is all that there is."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("door"), steps=0) as running:
        yield running


def at(house: Served, host: str) -> str:
    return house.url.replace("127.0.0.1", host)


def entered(page: Page, token: str) -> None:
    page.get_by_label("Token of your seat").fill(token)
    page.get_by_role("button", name="Enter").click()
    page.wait_for_load_state()


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("javascript", [True, False])
def test_a_seat_enters_and_leaves(house: Served, window: Open, host: str, javascript: bool) -> None:
    opened = window(url=at(house, host), javascript=javascript)
    path = f"/s/{house.hidden}/stats"
    page = opened.open(path, 401)
    page.get_by_label("Token of your seat").fill(house.hidden_token)
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("heading", name="Behind closed doors").wait_for()
    assert page.url == f"{opened.url}/s/{house.hidden}"
    assert house.hidden_token not in page.content() + page.url
    assert page.evaluate("() => document.cookie") == ""
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("heading", name="Enter with your seat").wait_for()
    opened.open(path, 401)


def test_a_wrong_token_is_said_beside_its_field(house: Served, window: Open) -> None:
    opened = window()
    path = f"/s/{house.hidden}/enter"
    page = opened.open(path)
    opened.expect(path)
    entered(page, "flt_wrong")
    field = page.get_by_label("Token of your seat")
    assert field.get_attribute("aria-invalid") == "true"
    described = [
        page.locator(f"#{each}") for each in str(field.get_attribute("aria-describedby")).split()
    ]
    assert any("no token of a seat" in each.inner_text() for each in described)
    assert field.input_value() == ""


def test_the_token_of_one_session_opens_no_other(house: Served, window: Open) -> None:
    opened = window()
    path = f"/s/{house.hidden}/enter"
    page = opened.open(path)
    opened.expect(path)
    entered(page, house.tokens["gm"])
    assert "no token of a seat" in page.content()
    opened.open(f"/s/{house.hidden}/stats", 401)


@pytest.mark.parametrize("host", HOSTS)
def test_a_form_on_another_site_is_refused(house: Served, window: Open, host: str) -> None:
    opened = window(url=at(house, host))
    path = f"/s/{house.hidden}/enter"
    opened.expect(path)
    opened.page.set_content(
        f'<form method="post" action="{opened.url}{path}"><input name="token" value="{house.hidden_token}">'
        "<button>Win</button></form>"
    )
    with opened.page.expect_response(f"**{path}") as answer:
        opened.page.get_by_role("button").click()
    opened.page.get_by_role("heading", name="The form was sent from another site").wait_for()
    assert answer.value.status == 403
    opened.open(f"/s/{house.hidden}/stats", 401)
