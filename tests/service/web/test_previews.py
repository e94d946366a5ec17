"""Link previews: title, description and a picture of the roll, and nothing that not everyone may see."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from service.web.roll_picture import PictureCard, draw_picture
from tests.support.example import EXAMPLE, over
from tests.support.server import SessionClient, TestServer, laid, settings_in

TITLE = 'Mint & "Co" <b>'


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


def page_of(evening: SessionClient, path: str, seat: str | None = None) -> str:
    answer = evening.house.client.get(
        f"/s/{evening.session}{path}", headers=evening.headers(seat) if seat else {}
    )
    return answer.text if answer.status_code == 200 else str(answer.status_code)


def tags(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', page))


def test_a_roll_of_a_public_session_has_a_picture(house: TestServer) -> None:
    evening = laid(house, title=TITLE, options={"listed": True})
    page = page_of(evening, "/draws/0")
    found = tags(page)
    assert found["og:title"].startswith("Ana makes a check: ")
    assert "Logged: the server drew it" in found["og:description"]
    assert "Mint &amp; &#34;Co&#34; &lt;b&gt;" in found["og:description"]
    assert TITLE not in page
    assert found["og:image"].endswith(f"/s/{evening.session}/draws/0.png")
    answer = house.client.get(f"/s/{evening.session}/draws/0.png")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    with Image.open(io.BytesIO(answer.data)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
    again = house.client.get(
        f"/s/{evening.session}/draws/0.png", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304
    assert tags(page_of(evening, ""))["og:title"].endswith("· Fairlog")
    assert "og:image" not in tags(page_of(evening, "/draws/99"))
    assert house.client.get(f"/s/{evening.session}/draws/99.png").status_code == 404


def test_a_private_session_shows_nothing(house: TestServer) -> None:
    evening = laid(house, title="The hidden mint")
    for seat in (None, "p1", "gm"):
        for path in ("/draws/0", "", "/proof"):
            page = page_of(evening, path, seat)
            assert "hidden" not in page
            assert "Ana" not in page
            assert seat is None or tags(page)["og:title"] == "Fairlog"
        address = f"/s/{evening.session}/draws/0.png"
        assert house.client.get(address, headers=evening.headers(seat)).status_code in (401, 404)


def test_a_secret_roll_of_a_public_session_has_no_picture(house: TestServer) -> None:
    evening = laid(house, options={"listed": True})
    evening.go(*over("p1"))
    turn = evening.secretly("p1", EXAMPLE.draw, "gm")["turn"]
    draws = range(1, evening.get("gm", "").json["next_draw"])
    assert list(draws)
    for seat in (None, "p2", "gm"):
        for k in draws:
            assert "og:image" not in tags(page_of(evening, f"/draws/{k}", seat))
            address = f"/s/{evening.session}/draws/{k}.png"
            assert house.client.get(address, headers=evening.headers(seat)).status_code == 404
    evening.post("gm", "/open-secret", {"turn": turn})
    assert house.client.get(f"/s/{evening.session}/draws/{draws[-1]}.png").status_code == 200


def test_the_picture_writes_any_name() -> None:
    card = PictureCard(
        "Ω" * 200, "Łukasz 🐢 王", "x" * 300, "1,000,000", "", "{}" * 90, 4, "Fair", True
    )
    for each in (card, card._replace(big="", result="", actor="", is_fair=False)):
        with Image.open(io.BytesIO(draw_picture(each))) as picture:
            assert picture.size == (1200, 630)
