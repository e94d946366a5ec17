"""A server in process for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service import sources
from tests.example import to_draw
from tests.service.http.contributing import Circle, Clock, ask
from tests.service.http.playing import Evening, House, laid, settings_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    served = House(settings_in(tmp_path))
    yield served
    served.close()


@pytest.fixture
def evening(house: House) -> Evening:
    return laid(house)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(sources, "now_ms", moved.now_ms)
    return moved


@pytest.fixture
def circle(house: House) -> Circle:
    """A table that draws together, in front of its first draw."""
    table = Circle(house)
    table.evening.go(*to_draw()[:-1])
    return table


@pytest.fixture
def asked(circle: Circle) -> Circle:
    """The same behind the declaration of p1's draw, which waits."""
    assert ask(circle).status_code == 202
    return circle
