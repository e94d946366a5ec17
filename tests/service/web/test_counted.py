"""The pages of what the workers made: a session's figures, as of when, and the state of the queue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.jobs import definitions, inspection
from tests.support.example import EXAMPLE, brought, over, to_draw
from tests.support.queue_server import fail, queue_of, serving
from tests.support.server import SessionClient, TestServer, settings_in
from workers.jobs import compute_statistics

PEOPLE = {"Accept": "text/html"}
NAME = "<b>Ana & co</b>"


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[SessionClient]:
    """A listed evening with a draw that is over, counted."""
    house = TestServer(settings_in(tmp_path))
    evening = house.open(options={"listed": True}, title=NAME)
    evening.seat("p1", name=NAME)
    evening.go(("p1", brought("ana", NAME)), ("gm", EXAMPLE.guest), *to_draw(), *over())
    compute_statistics(house.app, evening.session)
    yield evening
    house.close()


def stats(evening: SessionClient, query: str = "") -> str:
    answer = evening.house.client.get(f"/s/{evening.session}/stats{query}", headers=PEOPLE)
    assert answer.status_code == 200
    return answer.text


def test_of_older_figures_it_says_as_of_when(evening: SessionClient) -> None:
    counted = evening.version()
    evening.post("gm", "/narrate", {"text": "It rains."})
    page = stats(evening)
    assert f"as of version {counted} of {counted + 1}" in page
    assert "Newer events are being counted." in page


def test_every_plot_has_its_picture_its_numbers_and_its_files(evening: SessionClient) -> None:
    page = stats(evening)
    figures = re.findall("<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) >= 3
    for figure in figures:
        assert ("/stats/" in figure and ".svg" in figure) == ("<svg" in figure)
        assert "<svg" not in figure or re.search("<svg.*<title.*<desc", figure)
        assert "<table>" in figure
        for address in re.findall(r'href="([^#"]*)"', figure):
            answer = evening.house.client.get(address, headers=PEOPLE)
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")


def test_what_people_write_is_text(evening: SessionClient) -> None:
    assert NAME not in stats(evening)
    assert "&lt;b&gt;Ana &amp; co&lt;/b&gt;" in stats(evening)


def test_failed_jobs_are_told_with_what_to_do(tmp_path: Path) -> None:
    with serving(tmp_path / "queue") as server, queue_of(server):
        house = TestServer(settings_in(tmp_path / "data", REDIS_URL=server.address))
        listed, unlisted = (house.open(options={"listed": each}).session for each in (True, False))
        house.follow()
        for session in (listed, unlisted):
            house.app.queue.enqueue(definitions.audit(session, 3))
        fail(server, *(job.name for job in inspection.waiting_jobs(house.app.queue)))
        page = house.client.get("/status", headers=PEOPLE).text
        house.close()
    assert "Check of a session&#39;s log: 2" in page
    assert f"/s/{listed}/stats" in page
    assert unlisted[:8] not in page
    assert "<code>fairlog jobs --retry all</code>" in page
