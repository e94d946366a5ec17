"""A seat's file, and the addresses that an invitation may come as."""

from __future__ import annotations

from email.message import Message
from pathlib import Path

import click
import msgspec
import pytest

from domain.proof import ProofError
from domain.proof.hash_chain import check_link
from domain.proof.signed_note import ED25519, Vkey, vkey_text
from service.cli.sit import parse_invitation
from service.client.api import ApiResponse, RequestRefusedError
from service.client.seat_file import SeatFile, SeatFileChain, SeatFileData, SentCommand

SESSION = "00112233445566778899aabbccddeeff"


def kept() -> SeatFileData:
    return SeatFileData(
        "http://127.0.0.1:8321",
        SESSION,
        "p1",
        "token",
        vkey_text(Vkey("h", ED25519, b"\1" * 32)),
        "origin",
        "11" * 32,
        "22" * 32,
        [SeatFileChain(0, 90, "33" * 32)],
    )


def test_it_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    seat_file.data.asked.append(SentCommand("{}", "gm", 3, "44" * 32))
    seat_file.save()
    assert SeatFile.read(tmp_path / "seat").data == seat_file.data
    assert [path.name for path in tmp_path.iterdir()] == ["seat"]


def test_its_mode_is_0600_though_it_was_wider(tmp_path: Path) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    seat_file.path.write_text("{}")
    seat_file.path.chmod(0o644)
    seat_file.save()
    assert seat_file.path.stat().st_mode & 0o777 == 0o600


def test_a_link_leaves_behind_the_file_alone(tmp_path: Path) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    chain = seat_file.ensure_chain(0)
    link = seat_file.release_link(chain, 1, "aa")
    assert SeatFile.read(seat_file.path).ensure_chain(0) == SeatFileChain(0, 90, "33" * 32, 1, "aa")
    check_link(bytes.fromhex(SESSION), "p1", 0, 1, link, seat_file.link(chain, 0))


def test_entropy_depends_on_the_draw_the_session_and_the_key_alone(tmp_path: Path) -> None:
    data = kept()
    one = SeatFile(tmp_path / "seat", data)
    first = [one.entropy_for(k) for k in range(100)]
    one.save()
    assert [SeatFile.read(one.path).entropy_for(k) for k in range(100)] == first
    others = [{"session": "00" * 16}, {"key": "44" * 32}]
    changed = [SeatFile(one.path, msgspec.structs.replace(data, **other)) for other in others]
    found = {*first, *(each.entropy_for(k) for each in changed for k in range(100))}
    assert len(found) == 300


@pytest.mark.parametrize("field", ["session", "log_key", "key", "witness", "root"])
def test_a_file_with_a_broken_field_is_none(field: str, tmp_path: Path) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    setattr(seat_file.data, field, "zz")
    seat_file.save()
    with pytest.raises(ValueError, match="is not a seat file"):
        SeatFile.read(seat_file.path)


@pytest.mark.parametrize("place", ["no/such/seat", "."])
def test_what_cannot_be_saved_is_known_before(place: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"No such|Is a directory"):
        SeatFile.prepare(tmp_path / place)


def test_a_place_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    SeatFile.prepare(tmp_path / "seat")
    assert list(tmp_path.iterdir()) == []


def test_a_chain_that_never_came_into_the_log_is_brought_again(tmp_path: Path) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    chain = seat_file.ensure_chain(1)
    assert (
        seat_file.next_number,
        seat_file.mark_anchored(1, b"\0" * 32),
        seat_file.next_number,
    ) == (
        1,
        False,
        1,
    )
    assert seat_file.mark_anchored(1, seat_file.link(chain, 0))
    assert SeatFile.read(seat_file.path).next_number == 2


REFUSED = [
    # given before   asked for
    ((5, "aa"), (5, "bb")),
    ((5, "aa"), (4, "aa")),
    ((5, "aa"), (4, "bb")),
    ((5, "aa"), (91, "bb")),
    ((5, "aa"), (0, "bb")),
]


@pytest.mark.parametrize(("before", "after"), REFUSED)
def test_a_position_goes_to_one_request(
    before: tuple[int, str], after: tuple[int, str], tmp_path: Path
) -> None:
    seat_file = SeatFile(tmp_path / "seat", kept())
    chain = seat_file.ensure_chain(0)
    link = seat_file.release_link(chain, *before)
    with pytest.raises(ProofError) as caught:
        seat_file.release_link(chain, *after)
    assert caught.value.code == "E_POSITION"
    again = SeatFile.read(seat_file.path)
    assert again.release_link(again.ensure_chain(0), *before) == link


ADDRESSES = [
    (("http://h:1/join#CODE", ""), ("http://h:1", "CODE")),
    (("http://h:1/join/CODE", ""), ("http://h:1", "CODE")),
    (("http://h:1/join/CODE/", ""), ("http://h:1", "CODE")),
    (("https://h", "CODE"), ("https://h", "CODE")),
    (("http://h:1/", ""), ("http://h:1", "")),
]


@pytest.mark.parametrize(("given", "read"), ADDRESSES)
def test_addresses_of_invitations(given: tuple[str, str], read: tuple[str, str]) -> None:
    assert parse_invitation(*given) == read


@pytest.mark.parametrize("url", ["h:1/join#CODE", "ftp://h", "http://", "CODE"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(click.BadParameter):
        parse_invitation(url, "")


def test_a_file_of_endless_depth_is_none(tmp_path: Path) -> None:
    (tmp_path / "seat").write_bytes(b'{"more":' + b"[" * 100_000)
    with pytest.raises(ValueError, match="is not a seat file"):
        SeatFile.read(tmp_path / "seat")


@pytest.mark.parametrize(
    "body", [b"{not json", b'{"rule":' + b"[" * 100_000, b"<html>", b"[]", b"", b'{"a":1}']
)
def test_a_no_without_a_problem_document_is_a_refusal_without_a_rule(body: bytes) -> None:
    refused = RequestRefusedError(ApiResponse(502, Message(), body))
    assert (refused.status, refused.rule) == (502, "")
