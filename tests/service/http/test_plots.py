"""Plots over HTTP: the viewer's own, each as a picture and as a table, and nothing that is hidden in any."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from base64 import b64encode
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from tests.service.http.test_statistics import DICE, SEATS, SEES, compute, draws, listed, secretly
from tests.support.server import SessionClient

PLOTS = "/statistics/plots"
STYLE = "{http://www.w3.org/2000/svg}style"


@pytest.fixture
def table(house: Any) -> SessionClient:
    return listed(house)


def names(table: SessionClient, seat: str | None = None, query: str = "") -> list[str]:
    answer = table.get(seat, f"{PLOTS}{query}")
    assert answer.status_code == 200, answer.text
    return [plot["name"] for plot in answer.json["plots"]]


def rows(
    table: SessionClient, seat: str | None, name: str, query: str = ""
) -> list[dict[str, str]]:
    answer = table.get(seat, f"{PLOTS}/{name}.csv{query}")
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(io.StringIO(answer.text, newline=""), strict=True))


def everything(table: SessionClient, seat: str | None) -> str:
    """What a viewer gets of all plots."""
    listed_ones = table.get(seat, PLOTS).text
    return listed_ones + "".join(
        table.get(seat, f"{PLOTS}/{plot['name']}.{ending}").text
        for plot in table.get(seat, PLOTS).json["plots"]
        for ending in plot["formats"]
    )


def test_the_list_says_what_each_shows(table: SessionClient) -> None:
    answer = table.get(None, PLOTS)
    assert (answer.json["version"], answer.json["current"]) == (table.version(), True)
    for plot in answer.json["plots"]:
        picture = table.get(None, f"{PLOTS}/{plot['name']}.svg")
        if "svg" not in plot["formats"]:
            assert picture.status_code == 404
            continue
        title, description = fromstring(picture.text)[:2]
        assert (title.text, description.text) == (plot["title"], plot["description"])


def test_a_picture_may_use_its_own_style_and_nothing_else(table: SessionClient) -> None:
    picture = table.get(None, f"{PLOTS}/spotlight.svg")
    assert picture.content_type == "image/svg+xml; charset=utf-8"
    style = fromstring(picture.text).findtext(STYLE) or ""
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = picture.headers["Content-Security-Policy"]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    assert picture.headers["Cache-Control"] == "no-store"


def test_a_table_is_kept_as_a_file(table: SessionClient) -> None:
    answer = table.get(None, f"{PLOTS}/spotlight.csv")
    assert answer.content_type == "text/csv; charset=utf-8; header=present"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="spotlight.csv"'
    assert answer.text.startswith("seat,turns,share,minutes the table waited\r\n")
    assert {row["seat"] for row in rows(table, None, "spotlight")} <= set(called(table))


def called(table: SessionClient) -> list[str]:
    """The seats' names, or their ids."""
    seats = table.get("gm", "").json["seats"]
    return [shown.get("name", seat) for seat, shown in seats.items()]


@pytest.mark.parametrize(("audience", "asker"), SEES, ids=lambda each: str(each))
def test_a_secret_is_drawn_for_those_who_see_it(
    table: SessionClient, audience: str, asker: str
) -> None:
    before = {seat: pictured(table, seat) for seat in SEATS}
    secretly(table, asker, audience)
    compute(table)
    for seat in SEATS:
        assert pictured(table, seat) - before[seat] == (seat in SEES[audience, asker])
        assert pictured(table, seat) == draws(table, seat)
    hidden = {
        seat: re.sub(r"\d+", "", everything(table, seat))
        for seat in SEATS
        if seat not in SEES[audience, asker]
    }
    assert len(set(hidden.values())) == 1


def pictured(table: SessionClient, seat: str | None, query: str = "") -> float:
    """How many draws the plots of faces show."""
    found = [
        name
        for name in names(table, seat, query)
        if name.startswith("faces-") and not name.endswith("-seats")
    ]
    return sum(int(row["seen"]) for name in found for row in rows(table, seat, name, query)) / DICE


def test_looking_as_a_seat_shows_its_plots(table: SessionClient) -> None:
    secretly(table, "gm", "self")
    compute(table)
    assert pictured(table, "gm") == pictured(table, "p1") + 1
    assert pictured(table, "gm", "?as=p1") == pictured(table, "p1")
    refused = table.get("p1", f"{PLOTS}/spotlight.svg?as=p2")
    assert (refused.status_code, refused.json["rule"]) == (409, "gm-only")


def test_undone_branches_are_drawn_when_asked_for(table: SessionClient) -> None:
    version = table.version()
    secretly(table, "gm", "gm")
    assert table.post("gm", "/rewind", {"to": version, "reason": "again"}).status_code == 201
    compute(table)
    assert pictured(table, "gm", "?undone=true") == pictured(table, "gm") + 1
    assert "rewinds" in names(table, "gm")


@pytest.mark.parametrize("ending", ["", "/spotlight.svg", "/turns.csv"])
def test_without_figures_the_job_is_named(house: Any, ending: str) -> None:
    fresh: SessionClient = house.open(options={"listed": True})
    answer = fresh.get("gm", f"{PLOTS}{ending}")
    assert (answer.status_code, answer.json["head"]) == (202, fresh.version())
    assert answer.headers["Location"].startswith("/v1/jobs/")


@pytest.mark.parametrize(
    "ending",
    ["/nothing.svg", "/nothing.csv", "/turns.png", "/turns.svg", "/../turns.svg", "/Spotlight.svg"],
)
def test_what_is_no_plot_is_not_found(table: SessionClient, ending: str) -> None:
    answer = table.get("gm", f"{PLOTS}{ending}")
    assert (answer.status_code, answer.json["code"]) == (404, "not-found")


@pytest.mark.parametrize("ending", ["", "/spotlight.svg", "/turns.csv"])
def test_an_unlisted_sessions_plots_are_unknown_from_outside(house: Any, ending: str) -> None:
    closed: SessionClient = house.open()
    assert closed.get(None, f"{PLOTS}{ending}").status_code == 401
    assert closed.get("gm", f"{PLOTS}{ending}?undone=perhaps").status_code == 422
