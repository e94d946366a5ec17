"""What a data directory still lacks is named, and looking for it makes nothing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from projections.registry import ReadModels
from service.ops.migrate import find_missing, prepare
from service.platform.settings import Settings
from service.sessions.app import build


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.read({"FAIRLOG_DATA": str(tmp_path / "data")})


def test_before_the_first_start_it_is_all_missing(settings: Settings) -> None:
    assert find_missing(settings) == "log.key"
    assert not settings.data.exists()


def test_nothing_is_missing_once_it_is_made(settings: Settings) -> None:
    prepare(settings)
    assert find_missing(settings) == ""
    with closing(build(settings)) as app:
        for view in app.read_models.followed:
            app.read_models.rebuild(app.log, view.name)
    assert find_missing(settings) == ""


@pytest.mark.parametrize("name", ["keys/house.key", "events.db", "views.db"])
def test_a_file_that_is_gone_is_named(settings: Settings, name: str) -> None:
    prepare(settings)
    (settings.data / name).unlink()
    assert Path(name).name in find_missing(settings)
    assert not (settings.data / name).exists()


@pytest.mark.parametrize("table", ["results (session TEXT)", "tallies (session TEXT)"])
def test_a_table_of_an_older_shape_is_named(settings: Settings, table: str) -> None:
    prepare(settings)
    name = table.split()[0]
    with closing(ReadModels(settings.views_file)) as views:
        views.store.write(f"DROP TABLE {name}")
        assert find_missing(settings) == f"{name} in views.db"
        views.store.write(f"CREATE TABLE {table}")
    assert find_missing(settings) == f"{name} in views.db"
    prepare(settings)
    assert find_missing(settings) == ""
