"""A server that lies to a seat: whatever it bends, the seat sees it by itself, and gives nothing more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.codec import decode, encode
from domain.proof import ProofError
from domain.proof.signed_note import parse_vkey, succession_line, succession_message
from domain.session.contributions import seat_event_of
from domain.session.messages import SeatTaken
from domain.session.state import HOUSE
from service.client.api import (
    ApiConnection,
    RequestRefusedError,
    UnexpectedResponseError,
    UnreachableError,
)
from service.client.join import RequestedLink, _requested_link, resume, sit
from service.client.log_tree import ReceivedEvent
from service.client.seat import BlindMissingError, DrawPendingError, SeatClient
from service.client.seat_file import SeatFile, SentCommand
from service.platform.keys import Signer, read_keys
from tests.client.lying_server import (
    Bend,
    Liar,
    honest,
    lying,
    of_events,
    of_the_draw,
    signed,
)
from tests.client.tables import Table, served
from tests.support.example import FIRST, as_json, brought

pytestmark = pytest.mark.long

STRANGER, NEXT = Signer(b"\1" * 32), Signer(b"\3" * 32)
OTHER = b"\2" * 32


def flipped(text: str) -> str:
    return ("1" if text[0] == "0" else "0") + text[1:]


def another_key(answer: Any) -> None:
    answer["checkpoint"] = signed(answer["checkpoint"], STRANGER)


def bad_signature(answer: Any) -> None:
    head, _, line = answer["checkpoint"].rpartition(" ")
    answer["checkpoint"] = f"{head} {line[:20]}{'A' if line[20] != 'A' else 'B'}{line[21:]}"


def another_salt(event: Any) -> None:
    event["salt"] = flipped(event["salt"])


def sealed(event: Any) -> None:
    del event["body"]
    event["sealed"] = True


def another_index(event: Any) -> None:
    event["body"]["draw"]["k"] += 1


def the_same_position(event: Any) -> None:
    for place in event["body"]["draw"]["contributors"]:
        place[2] = 1


def a_skipped_position(event: Any) -> None:
    for place in event["body"]["draw"]["contributors"]:
        place[2] += place[0] == "p2"


def without_me(event: Any) -> None:
    draw = event["body"]["draw"]
    draw["contributors"] = [place for place in draw["contributors"] if place[0] != "p2"]


def another_command(event: Any) -> None:
    event["body"]["command"]["entity"] = "ben"


def by_another(event: Any) -> None:
    event["seat"] = "gm"


def in_another_turn(event: Any) -> None:
    event["turn"] += 1


BEFORE: list[tuple[str, Bend, str]] = [
    ("a checkpoint by another key", of_the_draw(another_key), "E_UNTRUSTED_LOG"),
    ("a checkpoint with a bad signature", of_the_draw(bad_signature), "E_CHECKPOINT_SIG"),
    ("another k", of_events("Declared", another_index), "E_DRAW_INDEX"),
    ("another salt", of_events("Declared", another_salt, keep_leaf=True), "E_BODY"),
    ("another command", of_events("Declared", another_command, keep_leaf=True), "E_BODY"),
    ("another command with its leaf", of_events("Declared", another_command), "E_ROOT"),
    ("another asker", of_events("Declared", by_another, keep_leaf=True), "E_BODY"),
    ("another asker with its leaf", of_events("Declared", by_another), "E_ROOT"),
    ("another turn with its leaf", of_events("Declared", in_another_turn), "E_ROOT"),
    ("a position again", of_events("Declared", the_same_position), "E_POSITION"),
    ("a position skipped", of_events("Declared", a_skipped_position), "E_POSITION"),
    ("left out while present", of_events("Declared", without_me), "E_CONTRIBUTORS"),
]
"""Bent while the second draw waits."""


def other_values(event: Any) -> None:
    event["body"]["values"] = [[sides, 1 + face % sides] for sides, face in event["body"]["values"]]


def dropped(event: Any) -> None:
    drawn = event["body"]
    came = [given for given in drawn["contributions"] if given["seat"] != "p2"]
    event["kind"] = "session.DrawVoided"
    event["body"] = {
        "contributions": came,
        "k": drawn["k"],
        "kind": event["kind"],
        "missing": ["p2"],
        "next_blind": drawn["next_blind"],
    }


def left_out(event: Any) -> None:
    event["body"]["contributions"] = [
        each for each in event["body"]["contributions"] if each["seat"] != "p1"
    ]


def other_link(event: Any) -> None:
    for given in event["body"]["contributions"]:
        given["link"] = flipped(given["link"]) if given["seat"] == "p1" else given["link"]


def other_signature(event: Any) -> None:
    for given in event["body"]["contributions"]:
        given["signature"] = (
            flipped(given["signature"]) if given["seat"] == "p1" else given["signature"]
        )


AFTER: list[tuple[str, Bend, str]] = [
    ("other values", of_events("Drawn", other_values), "E_VALUES"),
    ("dropped in spite of the receipt", of_events("Drawn", dropped), "E_ORDER"),
    ("another's contribution left out", of_events("Drawn", left_out), "E_CONTRIBUTORS"),
    ("another's link replaced", of_events("Drawn", other_link), "E_CHAIN"),
    ("another's signature replaced", of_events("Drawn", other_signature), "E_SIGNATURE"),
]
"""Bent when the second draw has been made."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lies")


@pytest.fixture(scope="module")
def truth(folder: Path) -> Iterator[str]:
    with served(folder) as url:
        yield url


@pytest.fixture
def liar(truth: str) -> Iterator[Liar]:
    with lying(truth) as server:
        yield server


@pytest.fixture
def table(truth: str, liar: Liar, tmp_path: Path) -> Iterator[Table]:
    """p1 is told the truth, p2 by the liar. One draw was made."""
    with closing(Table(truth, tmp_path, deadline=60)) as laid:
        laid.join("p1")
        laid.join("p2", liar.url)
        laid.bring()
        laid.ask()
        for sitting in laid.sittings.values():
            assert sitting.poll()
        laid.settle()
        yield laid


def given(table: Table, k: int) -> set[str]:
    return set(table.state(k)["contributed"])


@pytest.mark.parametrize(
    ("bend", "code"), [row[1:] for row in BEFORE], ids=[row[0] for row in BEFORE]
)
def test_before_it_gives_it_checks(table: Table, liar: Liar, bend: Bend, code: str) -> None:
    table.ask()
    liar.bend = bend
    with pytest.raises(ProofError) as caught:
        table.sittings["p2"].poll()
    assert caught.value.code == code
    assert "p2" not in given(table, 1)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("bend", "code"), [row[1:] for row in AFTER], ids=[row[0] for row in AFTER]
)
def test_what_was_drawn_is_held_against_what_it_gave(
    table: Table, liar: Liar, bend: Bend, code: str
) -> None:
    table.ask()
    for seat in ("p2", "p1", "gm"):
        assert table.sittings[seat].poll()
    liar.bend = bend
    with pytest.raises(ProofError) as caught:
        table.sittings["p2"].poll()
    assert caught.value.code == code
    assert 1 in [receipt.contribution.draw for receipt in table.sittings["p2"].data.receipts]


def test_a_truncated_log(table: Table, liar: Liar) -> None:
    """The draw that waits is that of an older backup: all of it is signed, and shorter than what was seen."""
    victim, older = table.sittings["p2"], dict[str, Any]()
    liar.bend = of_the_draw(older.update)
    table.ask()
    for seat in ("p2", "p1", "gm"):
        table.sittings[seat].poll()
    table.settle()
    victim.check_checkpoint()
    liar.bend = of_the_draw(lambda answer: answer.update(older))
    table.ask()
    with pytest.raises(ProofError) as caught:
        victim.poll()
    assert caught.value.code == "E_TRUNCATED"


def test_two_logs_of_one_size_both_signed(table: Table, liar: Liar, folder: Path) -> None:
    victim, key = table.sittings["p2"], read_keys(folder / "keys").log
    victim.check_checkpoint()

    def fork(path: str, answer: Any) -> None:
        if path.endswith("/checkpoint"):
            answer["note"] = signed(answer["note"], key, OTHER)

    liar.bend = fork
    with pytest.raises(ProofError) as caught:
        victim.check_checkpoint()
    assert caught.value.code == "E_SPLIT_VIEW"


def test_a_key_that_was_followed_is_not_trusted_again(
    table: Table, liar: Liar, folder: Path
) -> None:
    """A thief of the old key can sign nothing that a seat accepts after it has seen the new one."""
    victim, old = table.sittings["p2"], read_keys(folder / "keys").log

    def followed(path: str, answer: Any) -> None:
        if path.endswith("/checkpoint"):
            name = parse_vkey(victim.data.log_key).name
            signature = old.sign(succession_message(old.public, NEXT.public))
            answer["note"] = signed(answer["note"], NEXT) + succession_line(
                name, old.public, NEXT.public, signature
            )

    liar.bend = followed
    victim.check_checkpoint()
    assert parse_vkey(victim.data.log_key).public_key == NEXT.public
    victim.check_checkpoint()
    liar.bend = honest
    with pytest.raises(ProofError) as caught:
        victim.check_checkpoint()
    assert caught.value.code == "E_UNTRUSTED_LOG"
    assert SeatFile.read(victim.file.path).data.log_key == victim.data.log_key


def test_a_fork_that_the_log_signed(table: Table, liar: Liar, folder: Path) -> None:
    key = read_keys(folder / "keys").log
    table.ask()
    liar.bend = of_the_draw(
        lambda answer: answer.update(checkpoint=signed(answer["checkpoint"], key, OTHER))
    )
    with pytest.raises(ProofError) as caught:
        table.sittings["p2"].poll()
    assert caught.value.code == "E_ROOT"


def test_a_checkpoint_that_does_not_cover_the_draw(table: Table, liar: Liar) -> None:
    victim = table.sittings["p2"]
    victim.check_checkpoint()
    note = victim.data.note
    table.ask()
    liar.bend = of_the_draw(lambda answer: answer.update(checkpoint=note))
    with pytest.raises(ProofError) as caught:
        victim.poll()
    assert caught.value.code == "E_UNSIGNED"
    assert "p2" not in given(table, 1)


def test_another_log_after_a_restart(table: Table) -> None:
    """The server shows a log that is whole and signed, and not the one that the seat saw."""
    victim = table.sittings["p2"]
    victim.data.root = OTHER.hex()
    victim.close()
    assert code_at_restart(victim) == "E_INCONSISTENT"


def test_a_key_of_the_house_that_is_not_in_the_log(table: Table, liar: Liar) -> None:
    """With it, anybody between seat and server could sign receipts."""

    def by_a_stranger(event: Any) -> None:
        if event["body"]["seat"] != HOUSE:
            return
        taken = decode(json.dumps(event["body"]).encode())
        assert isinstance(taken, SeatTaken)
        taken = replace(taken, public_key=STRANGER.public.hex())
        message = seat_event_of(victim.data.session, taken)
        taken = replace(taken, signature=STRANGER.sign(message).hex())
        event["body"] = json.loads(encode(taken))

    victim = table.sittings["p2"]
    victim.close()
    liar.bend = of_events("SeatTaken", by_a_stranger)
    victim.data.size = 0
    victim.file.save()
    assert code_at_restart(victim) == "E_ROOT"


def test_a_command_in_its_name_that_it_never_sent(table: Table) -> None:
    victim = table.sittings["p2"]
    house = ApiConnection(table.url, victim.data.token)
    house.post(f"{victim.path}/commands", {"command": as_json(brought("ben", "Ben"))})
    house.close()
    with pytest.raises(ProofError) as caught:
        victim.poll()
    assert caught.value.code == "E_ROLE"


def test_a_secret_command_that_it_never_sent(table: Table) -> None:
    """The seat asks for one roll in secret, and the server declares another one.

    The log has commitments only. The client compares that to its command, by the salt that it sent.
    """
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    house = ApiConnection(table.url, victim.data.token)
    roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
    k = victim.watcher.k
    secret = {"audience": "self", "salt": "cd" * 32}
    other = SentCommand(
        victim.watcher.canonical_command(roll | {"entity": "ana"}), "self", k, "cd" * 32
    )
    victim.data.asked.append(other)
    body = {"command": roll, "entropy": victim.file.entropy_for(k), "draw": k} | secret
    assert house.post(f"{victim.path}/commands", body).status == 202
    house.close()
    with pytest.raises(ProofError) as caught:
        victim.poll()
    assert caught.value.code == "E_ROLE"
    assert "p2" not in given(table, k)


def test_a_command_that_the_server_shows_in_its_response_only(table: Table, liar: Liar) -> None:
    """The server records other bytes, and shows the log as it was before."""
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    note = victim.data.note

    def stale(path: str, answer: Any) -> None:
        if path.endswith("/checkpoint"):
            answer["note"] = note
        elif path.endswith("/events"):
            answer.update(events=[], next=None)

    liar.bend = stale
    with pytest.raises(ProofError) as caught:
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"})
    assert caught.value.code == "E_ROLE"


def test_a_command_whose_event_no_checkpoint_covers(table: Table, liar: Liar) -> None:
    """The server shows the event, and signs only what was before it."""
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    table.gm.narrate("The door is locked.")
    table.gm.check_checkpoint()
    before = table.gm.data.note

    def unsigned(path: str, answer: Any) -> None:
        if path.endswith("/checkpoint"):
            answer["note"] = before

    liar.bend = unsigned
    with pytest.raises(ProofError) as caught:
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"})
    assert caught.value.code == "E_ROLE"
    assert victim.data.asked  # a restarted client looks for it again


def test_a_command_that_the_server_shows_as_another_seats_secret(table: Table, liar: Liar) -> None:
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    liar.bend = of_events("Declared", sealed, keep_leaf=True)
    with pytest.raises(ProofError) as caught:
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"})
    assert caught.value.code == "E_ROLE"


def test_a_roll_that_the_server_records_as_physical_dice(
    truth: str, liar: Liar, tmp_path: Path
) -> None:
    with closing(Table(truth, tmp_path, declared_dice=True)) as table:
        victim = table.join("p2")
        victim.command(as_json(brought("ben", "Ben")))
        house = ApiConnection(truth, victim.data.token)
        roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
        victim.data.asked.append(
            SentCommand(victim.watcher.canonical_command(roll), "", victim.watcher.k)
        )
        assert house.post(f"{victim.path}/commands", {"command": roll, "faces": [6]}).status == 201
        house.close()
        with pytest.raises(ProofError) as caught:
            victim.poll()
        assert caught.value.code == "E_ROLE"


def test_physical_dice_are_those_that_the_seat_sent(truth: str, tmp_path: Path) -> None:
    with closing(Table(truth, tmp_path, declared_dice=True)) as table:
        seat = table.join("p2")
        seat.command(as_json(brought("ben", "Ben")))
        roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
        seat.command(roll, faces=[6])
        assert not seat.data.asked


def test_named_dice_are_those_that_the_seat_named(truth: str, tmp_path: Path) -> None:
    with closing(Table(truth, tmp_path, declared_dice=True)) as table:
        seat = table.join("p2")
        seat.command(as_json(brought("ben", "Ben")))
        roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
        turn = seat.command(roll, faces=[6], dice_name="Jose\u0301's d6")
        assert turn["events"][0]["body"]["dice_name"] == "Jos\u00e9's d6"
        assert not seat.data.asked


@pytest.mark.parametrize("recorded", [{}, {"dice_name": "the blue d6"}])
def test_dice_that_the_server_records_under_another_name(
    recorded: dict[str, str], truth: str, tmp_path: Path
) -> None:
    with closing(Table(truth, tmp_path, declared_dice=True)) as table:
        victim = table.join("p2")
        victim.command(as_json(brought("ben", "Ben")))
        house = ApiConnection(truth, victim.data.token)
        roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
        canonical = victim.watcher.canonical_command(roll)
        victim.data.asked.append(
            SentCommand(canonical, faces=(6,), target=-1, dice_name="the red d6")
        )
        body = {"command": roll, "faces": [6]} | recorded
        assert house.post(f"{victim.path}/commands", body).status == 201
        house.close()
        with pytest.raises(ProofError) as caught:
            victim.poll()
        assert caught.value.code == "E_ROLE"


def test_an_event_of_the_server_that_is_sealed(table: Table, liar: Liar) -> None:
    """The server could open the one of several anchors that suits it."""
    victim = table.sittings["p2"]
    table.ask()
    for seat in ("p2", "p1", "gm"):
        assert table.sittings[seat].poll()
    liar.bend = of_events("Drawn", sealed, keep_leaf=True)
    with pytest.raises(ProofError) as caught:
        victim.catch_up()
    assert caught.value.code == "E_FORMAT"


def test_no_secret_roll_without_a_commitment_to_its_blind(table: Table) -> None:
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    victim.watcher._blinds._next = UNSET  # as in a log without next_blind
    with pytest.raises(BlindMissingError):
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}, audience="self")
    assert not victim.data.asked


def test_a_command_from_on_event_may_see_a_newer_checkpoint(table: Table) -> None:
    """`on_event` runs while a checkpoint is checked, and its command checks the next one."""
    victim = table.sittings["p2"]
    answered: list[int] = []

    def answer(event: ReceivedEvent) -> None:
        if event.kind == "session.Narrated" and not answered:
            answered.append(event.version)
            victim.command(as_json(brought("ben", "Ben")))

    victim.on_event = answer
    table.gm.narrate("It rains.")
    victim.check_checkpoint()
    assert answered
    assert not victim.data.asked


def test_no_entropy_leaves_before_the_server_has_a_chain(table: Table, liar: Liar) -> None:
    """A server that appends its seat later could choose its chain by the bytes."""
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    victim.watcher.last_end = 0  # as if the log had no seat of the server
    sent: list[str] = []
    liar.bend = lambda path, answer: sent.append(path)
    with pytest.raises(ProofError) as caught:
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"})
    assert caught.value.code == "E_ANCHOR"
    assert not [path for path in sent if path.endswith("/commands")]


def test_no_entropy_leaves_before_the_draw_before_it_has_ended_under_a_checkpoint(
    table: Table, liar: Liar
) -> None:
    """The end of a draw commits the server to its part of the next one."""
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    old = victim.data.note
    sent: list[str] = []

    def note(path: str, answer: Any) -> None:
        sent.append(path)
        if path.endswith("/checkpoint"):
            answer["note"] = old

    table.ask()
    victim.catch_up()
    roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
    liar.bend = lambda path, answer: sent.append(path)
    with pytest.raises(DrawPendingError):
        victim.command(roll)
    liar.bend = honest
    for seat in ("p2", "p1", "gm"):
        assert table.sittings[seat].poll()
    old = victim.data.note
    liar.bend = note
    with pytest.raises(ProofError) as caught:
        victim.command(roll)
    assert caught.value.code == "E_UNSIGNED"
    assert not [path for path in sent if path.endswith("/commands")]


@pytest.mark.parametrize(
    ("bent", "code"),
    [({"entropy": "00" * 32}, "E_VALUES"), ({"entropy": ""}, "E_FORMAT"), ({"k": 2}, "E_VALUES")],
    ids=["other bytes", "no bytes", "another draw"],
)
def test_entropy_that_is_not_what_it_sent(
    table: Table, liar: Liar, bent: dict[str, Any], code: str
) -> None:
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))

    def another(path: str, answer: Any) -> None:
        if path.endswith("/commands"):
            answer["events"][-1]["body"]["draw"].update(bent)

    liar.bend = another
    with pytest.raises(ProofError) as caught:
        victim.command({"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"})
    assert caught.value.code == code


def test_entropy_is_the_same_for_one_draw_whatever_the_server_answers(
    table: Table, liar: Liar
) -> None:
    """Else a server could refuse commands, or not answer, until it likes the values."""
    victim = table.sittings["p2"]
    victim.command(as_json(brought("ben", "Ben")))
    roll = {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}
    with pytest.raises(RequestRefusedError):
        victim.command(roll | {"entity": "nobody"})
    k = victim.watcher.k
    sent = victim.file.entropy_for(k)
    liar.is_away = True
    with pytest.raises(UnreachableError):
        victim.command(roll)
    liar.is_away = False
    assert SeatFile.read(victim.file.path).entropy_for(k) == sent
    victim.command(roll)
    assert table.state(k)["events"][0]["body"]["draw"]["entropy"] == sent
    assert victim.file.entropy_for(k + 1) != sent


def roll_by_another_program(table: Table, victim: SeatClient) -> None:
    """A roll in the seat's name, with bytes that its client did not send."""
    house = ApiConnection(table.url, victim.data.token)
    body = {"command": as_json(brought("ben", "Ben"))}
    assert house.post(f"{victim.path}/commands", body).status == 201
    roll = {"command": {"kind": f"{FIRST.name}.RollAbilities", "entity": "ben"}}
    entropy = {"entropy": "ab" * 32, "draw": victim.watcher.k}
    assert house.post(f"{victim.path}/commands", roll | entropy).status == 202
    house.close()


def code_at_restart(victim: SeatClient) -> str:
    with pytest.raises(ProofError) as caught:
        resume(victim.file.path)
    return caught.value.code


def test_another_link_of_a_contributor_is_noticed_after_a_restart(table: Table) -> None:
    """The server opens another of the anchors that a seat has recorded in secret.

    Here, the file has another link than the log. For the client, that is the same.
    """
    victim = table.sittings["p2"]
    table.ask()
    assert victim.poll()
    contributed = victim.data.contributed
    assert contributed is not None
    assert contributed.links.keys() == {"gm", "house", "p1"}
    victim.close()
    resume(victim.file.path).close()
    contributed.links["p1"] = OTHER.hex()
    victim.file.save()
    assert code_at_restart(victim) == "E_ANCHOR"


def test_other_bytes_are_noticed_after_a_restart(table: Table) -> None:
    """Invented sealed events had let the client believe that it had read this far."""
    victim = table.sittings["p2"]
    roll_by_another_program(table, victim)
    victim.data.watched += 20
    victim.close()
    assert code_at_restart(victim) == "E_VALUES"


def as_opening(event: Any) -> None:
    """A narration shown as an opening in format 1, in which a client sends no bytes."""
    opening = {"edition": "1", "kind": "session.Opened", "options": {}, "ruleset": FIRST.name}
    event.update(kind="session.Opened", body=opening | {"log_key": "x+1+2", "title": "T"})


def in_format_1(event: Any) -> None:
    event["body"].pop("format")


def test_the_format_cannot_change_after_the_opening(table: Table, liar: Liar) -> None:
    victim = table.sittings["p2"]
    liar.bend = of_events("Narrated", as_opening)
    table.gm.narrate("It rains.")
    with pytest.raises(ProofError) as caught:
        victim.catch_up()
    assert caught.value.code == "E_FORMAT"


@pytest.mark.parametrize("bend", [in_format_1, sealed])
def test_the_format_cannot_change_at_a_restart(
    table: Table, liar: Liar, bend: Callable[[Any], None]
) -> None:
    victim = table.sittings["p2"]
    victim.close()
    liar.bend = of_events("Opened", bend)
    assert code_at_restart(victim) == "E_FORMAT"


def test_a_log_that_is_shorter_after_a_restart(table: Table) -> None:
    victim = table.sittings["p2"]
    victim.catch_up()
    victim.data.watched = victim.watcher.version + 1
    victim.close()
    assert code_at_restart(victim) == "E_TRUNCATED"


def test_another_program_of_the_seat_is_no_lie_after_a_restart(table: Table) -> None:
    victim = table.sittings["p2"]
    victim.close()
    with closing(resume(victim.file.path, allow_other_clients=True)) as patient:
        roll_by_another_program(table, patient)
        patient.catch_up()
    with closing(resume(victim.file.path)) as again:
        assert again.watcher.version == patient.watcher.version


def test_a_command_whose_answer_was_lost_is_its_own(table: Table, liar: Liar) -> None:
    victim = table.sittings["p2"]
    liar.loses_answers = True
    with pytest.raises(UnreachableError):
        victim.command(as_json(brought("ben", "Ben")))
    liar.loses_answers = False
    victim.catch_up()
    assert victim.data.asked == []


def test_a_page_of_events_that_never_ends(table: Table, liar: Liar) -> None:
    def stuck(path: str, answer: Any) -> None:
        if path.endswith("/events"):
            answer.update(events=[], next=1)

    liar.bend = stuck
    with pytest.raises(UnexpectedResponseError, match="no new events"):
        table.sittings["p2"].catch_up()


@pytest.mark.parametrize("ticket", [None, [], {}, {"session": "x"}, {"session": 7}])
def test_a_ticket_that_is_none(tmp_path: Path, ticket: object) -> None:
    with pytest.raises(UnexpectedResponseError):
        sit("http://127.0.0.1:9", ticket, tmp_path / "seat")
    assert list(tmp_path.iterdir()) == []


def test_a_receipt_that_the_house_did_not_sign(table: Table, liar: Liar) -> None:
    def another(path: str, answer: Any) -> None:
        if path.endswith("/contributions"):
            answer.update(receipt=flipped(answer["receipt"]))

    table.ask()
    liar.bend = another
    with pytest.raises(ProofError) as caught:
        table.sittings["p2"].poll()
    assert caught.value.code == "E_SIGNATURE"


def test_a_position_is_given_to_one_request_alone(table: Table) -> None:
    seat_file = table.sittings["p2"].file
    chain = seat_file.ensure_chain(0)
    assert (chain.position, json.loads(seat_file.path.read_bytes())["chains"][0]["position"]) == (
        1,
        1,
    )
    with pytest.raises(ProofError, match="E_POSITION"):
        seat_file.release_link(chain, 1, "another request")
    assert seat_file.release_link(chain, 1, chain.request) == seat_file.link(chain, 1)


@pytest.mark.parametrize(
    ("chain", "position", "code"),
    [(0, -1, "E_POSITION"), (0, 4097, "E_POSITION"), (1, 1, "E_CHAIN"), (-1, 1, "E_CHAIN")],
)
def test_a_link_that_no_draw_can_have_asked_for(
    table: Table, chain: int, position: int, code: str
) -> None:
    """When the seat comes back, the server says which link of the old chain it needs."""
    seat_file = table.sittings["p2"].file
    before = seat_file.path.read_bytes()
    with pytest.raises(ProofError) as caught:
        _requested_link(seat_file, RequestedLink(chain, position))
    assert caught.value.code == code
    assert seat_file.path.read_bytes() == before


def test_its_secrets_are_its_own(table: Table) -> None:
    assert table.file("p2").stat().st_mode & 0o777 == 0o600


class Endless(BaseHTTPRequestHandler):
    """It answers with one line that does not end."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):  # the client has had enough
            while True:
                self.wfile.write(b"x" * 65536)


class CutOff(BaseHTTPRequestHandler):
    """It ends the connection within its answer."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "9")
        self.end_headers()
        self.wfile.write(b"{}")


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[ApiConnection]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.01,)).start()
    try:
        with closing(
            ApiConnection(f"http://127.0.0.1:{server.server_address[1]}", pauses=())
        ) as api:
            yield api
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("read", [ApiConnection.get, lambda api, path: list(api.lines(path))])
def test_an_answer_without_end_does_not_fill_the_memory(
    read: Callable[[ApiConnection, str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.client.api.MAX_RESPONSE_BYTES", 1 << 20)
    with (
        serving(Endless) as api,
        pytest.raises(UnexpectedResponseError, match="larger than 1 MiB"),
    ):
        read(api, "/v1/sessions")


def test_an_answer_that_was_cut_off_is_none() -> None:
    with serving(CutOff) as api, pytest.raises(UnreachableError, match="IncompleteRead"):
        api.get("/v1/sessions")
