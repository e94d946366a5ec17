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
ENOUGH = 5
"""A chart needs at least so many draws."""
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


def secretly_often(table: SessionClient, asker: str, audience: str) -> None:
    """Draw as often as a chart needs at least. All but the last draw are undone, and faces show those, too."""
    version = table.version()
    for nth in range(ENOUGH):
        if nth:
            rewound = table.post("gm", "/rewind", {"to": version, "reason": "once more"})
            assert rewound.status_code == 201, rewound.text
        secretly(table, asker, audience)
    compute(table)


@pytest.mark.parametrize(("audience", "asker"), SEES, ids=lambda each: str(each))
def test_secrets_are_drawn_for_those_who_see_them(
    table: SessionClient, audience: str, asker: str
) -> None:
    assert {pictured(table, seat) for seat in SEATS} == {0}
    public = draws(table, "p1")
    secretly_often(table, asker, audience)
    for seat in SEATS:
        sees = seat in SEES[audience, asker]
        assert pictured(table, seat) == (public + ENOUGH if sees else 0)
        assert draws(table, seat) == public + ENOUGH * sees
    hidden = {
        seat: re.sub(r"\d+", "", everything(table, seat))
        for seat in SEATS
        if seat not in SEES[audience, asker]
    }
    assert len(set(hidden.values())) == 1


def test_secrets_of_which_a_viewer_may_not_see_all_are_not_drawn(table: SessionClient) -> None:
    public, version = draws(table, "p1"), table.version()
    secretly_often(table, "p2", "gm")
    assert table.post("gm", "/rewind", {"to": version, "reason": "again"}).status_code == 201
    secretly(table, "p2", "self")  # which the GM does not see
    compute(table)
    assert {seat: pictured(table, seat) for seat in SEATS if pictured(table, seat)} == {
        "p2": public + ENOUGH + 1,
        "judge": public + ENOUGH + 1,
    }


def pictured(table: SessionClient, seat: str | None, query: str = "") -> float:
    """How many draws the plots of faces show."""
    found = [
        name
        for name in names(table, seat, query)
        if name.startswith("faces-") and not name.endswith("-seats")
    ]
    return sum(int(row["seen"]) for name in found for row in rows(table, seat, name, query)) / DICE


def test_looking_as_a_seat_shows_its_plots(table: SessionClient) -> None:
    public = draws(table, "p1")
    secretly_often(table, "gm", "self")
    assert (pictured(table, "gm"), pictured(table, "p1")) == (public + ENOUGH, 0)
    assert pictured(table, "gm", "?as=p1") == 0
    refused = table.get("p1", f"{PLOTS}/spotlight.svg?as=p2")
    assert (refused.status_code, refused.json["rule"]) == (409, "gm-only")


def test_undone_draws_are_drawn_and_compared_with_the_next_ones(table: SessionClient) -> None:
    secretly_often(table, "gm", "gm")
    undone = rows(table, "gm", "rewinds")
    assert len(undone) == ENOUGH - 1
    assert "rewinds" not in names(table, "p1")


@pytest.mark.parametrize("ending", ["", "/spotlight.svg", "/tempo.csv"])
def test_without_figures_the_job_is_named(house: Any, ending: str) -> None:
    fresh: SessionClient = house.open(options={"listed": True})
    answer = fresh.get("gm", f"{PLOTS}{ending}")
    assert (answer.status_code, answer.json["head"]) == (202, fresh.version())
    assert answer.headers["Location"].startswith("/v1/jobs/")


@pytest.mark.parametrize(
    "ending",
    [
        "/nothing.svg",
        "/nothing.csv",
        "/tempo.png",
        "/grades.svg",
        "/../tempo.svg",
        "/Spotlight.svg",
    ],
)
def test_what_is_no_plot_is_not_found(table: SessionClient, ending: str) -> None:
    answer = table.get("gm", f"{PLOTS}{ending}")
    assert (answer.status_code, answer.json["code"]) == (404, "not-found")


@pytest.mark.parametrize("ending", ["", "/spotlight.svg", "/tempo.csv"])
def test_an_unlisted_sessions_plots_are_unknown_from_outside(house: Any, ending: str) -> None:
    closed: SessionClient = house.open()
    assert closed.get(None, f"{PLOTS}{ending}").status_code == 401
    assert closed.get("gm", f"{PLOTS}{ending}?from=perhaps").status_code == 422
