"""A file system that is really full: reads and health go on, turns answer 503, and all goes on when there is room."""

from __future__ import annotations

import pytest

from tests.support.databases.finding import LEGS
from tests.support.file_systems import run_in_namespace

MODULE = "tests.service.ops.on_full_disk"


@pytest.mark.timeout(600)
@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", *LEGS])
def test_a_full_disk_stops_turns_alone_and_loses_nothing(database: str) -> None:
    ran = run_in_namespace(MODULE, database, seconds=500)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout
