"""A seat that others have held, or whose file is not the one: a plain refusal at most, and nobody is accused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.proof import ProofError
from service.client.api import ApiConnection
from service.client.join import join, resume, sit
from service.client.seat_file import WrongSeatFileError
from tests.client.tables import Table, served
from tests.support.example import as_json, brought
from tests.support.processes import run

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("held")) as served_at:
        yield served_at


@pytest.fixture
def table(url: str, tmp_path: Path) -> Iterator[Table]:
    with closing(Table(url, tmp_path, deadline=1)) as laid:
        laid.join("p1")
        laid.bring()
        yield laid


def taken(table: Table, seat: str = "p2") -> Any:
    """The ticket of a seat that is taken without a file."""
    with closing(ApiConnection(table.url)) as plain:
        return plain.post("/v1/seats", {"code": table.invite(seat)}).json


def acted(table: Table, ticket: Any, entity: str = "ben") -> None:
    """The holder of that ticket commands something."""
    with closing(ApiConnection(table.url, ticket["token"])) as holder:
        path = f"/v1/sessions/{ticket['session']}/commands"
        holder.post(path, {"command": as_json(brought(entity, entity.title()))})


@pytest.mark.smoke
def test_a_seat_that_has_acted_is_taken_over(table: Table) -> None:
    acted(table, taken(table))
    seat = table.join("p2")
    table.ask()
    assert all(table.sittings[each].poll() for each in ("gm", "p1", "p2"))
    table.settle()
    acted(table, {"token": seat.data.token, "session": seat.data.session}, "cleo")
    with pytest.raises(ProofError, match="E_ROLE"):
        seat.poll()


def test_a_seat_that_has_acted_goes_on_by_its_ticket(table: Table) -> None:
    ticket = taken(table)
    acted(table, ticket)
    table.sittings["p2"] = seat = sit(table.url, ticket, table.file("p2"))
    seat.close()
    table.sittings["p2"] = again = resume(table.file("p2"))
    assert again.watcher.chains.state_of("p2").can_contribute


def test_a_seat_comes_back_to_its_file_behind_another_holder(table: Table) -> None:
    table.join("p2").close()
    acted(table, taken(table))
    table.sittings["p2"] = seat = join(table.url, table.invite("p2"), table.file("p2"))
    table.ask()
    assert seat.poll()


def test_a_file_of_another_session_takes_no_seat_here(table: Table, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with (
        closing(Table(table.url, tmp_path / "other")) as other,
        pytest.raises(WrongSeatFileError, match="different session"),
    ):
        join(other.url, other.invite("p1"), table.file("p1"))


def test_a_seat_whose_key_is_in_another_file(table: Table, tmp_path: Path) -> None:
    table.join("p2")
    file = tmp_path / "new.seat"
    with pytest.raises(WrongSeatFileError, match="ask the GM for a new seat"):
        join(table.url, table.invite("p2"), file)
    assert not file.exists()
    ended = run(tmp_path, "sit", f"{table.url}/join#{table.invite('p2')}", "--file", str(file))
    assert (ended.returncode, "ask the GM for a new seat" in ended.stderr) == (3, True)


CHANGED = [
    # field, another, what is said
    ("key", "11" * 32, "is in another seat file"),
    ("key", "zz", "is not a seat file"),
    ("chains", [], "another copy of this seat file"),
]


@pytest.mark.parametrize(("field", "another", "said"), CHANGED)
def test_a_file_that_is_not_the_seats(
    table: Table, field: str, another: Any, said: str, tmp_path: Path
) -> None:
    file = table.file("p1")
    table.sittings["p1"].close()
    file.write_text(json.dumps(json.loads(file.read_text()) | {field: another}))
    with pytest.raises(ValueError, match=said):
        resume(file)
    assert run(tmp_path, "sit", table.url, "--file", str(file)).returncode == 3


def test_a_bad_place_for_the_file_costs_no_invitation(table: Table, tmp_path: Path) -> None:
    code = table.invite("p2")
    with pytest.raises(FileNotFoundError):
        join(table.url, code, tmp_path / "no" / "such.seat")
    bad = run(
        tmp_path, "sit", f"{table.url}/join#{code}", "--file", str(tmp_path / "no" / "such.seat")
    )
    assert (bad.returncode, "No such file" in bad.stderr) == (3, True)
    table.sittings["p2"] = join(table.url, code, table.file("p2"))
