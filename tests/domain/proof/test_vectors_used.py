"""The vectors as a whole: every value of fairlog.json is used by a test, and its session holds on rung 3."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec import UNSET

from domain.codec import decode
from domain.decider import Refused
from domain.fact import Fact
from domain.proof.chain import receipt_message
from domain.session.giving import check_link, contribution_json, contribution_of, seat_event_of
from domain.session.messages import Declared, Drawn, DrawVoided, SealOpened, SeatTaken
from domain.session.state import Chain
from domain.verify.chains import Chains
from domain.verify.draws import Draws
from domain.verify.leaves import Line, Sealed
from domain.verify.report import Fault
from service.ed25519 import verify as ed25519
from tests.domain.proof.test_vectors import EVENTS, LEAVES, LINKS, PLAYED, ROOTS, SESSION, VECTORS

HERE = Path(__file__).parent
DATA = {"in", "body", "contribution"}
"""Keys below these are a message's own."""
NOTES = {"protocol", "warning"}
"""What says what the file is."""


class Seen(dict[str, Any]):
    """An object of the file that notes which of its keys were asked for."""

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)


def reloaded(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, Seen]:
    """A test file that reads objects which note what they are asked for."""
    read = json.loads
    with monkeypatch.context() as patched:
        patched.setattr(json, "loads", lambda raw: read(raw, object_hook=Seen))
        spec = importlib.util.spec_from_file_location(f"again_{name}", HERE / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    vectors: Seen = module.VECTORS
    return module, vectors


def cases(test: Callable[..., None]) -> Iterator[dict[str, Any]]:
    """What a test is called with, of all that its marks say."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    named = [[{mark.args[0]: value} for value in mark.args[1]] for mark in marks]
    for chosen in product(*named):
        yield {name: value for each in chosen for name, value in each.items()}


def unused(value: object, path: str = "", *, asked: bool = True) -> Iterator[str]:
    """Where the values stand that nothing asked for; what is null says nothing."""
    if isinstance(value, list):
        for nth, each in enumerate(value):
            yield from unused(each, f"{path}/{nth}", asked=asked)
    elif isinstance(value, Seen):
        for key, held in value.items():
            if key not in NOTES and not (asked and key in value.asked and key in DATA):
                yield from unused(held, f"{path}/{key}", asked=asked and key in value.asked)
    elif not asked and value is not None:
        yield path


def test_every_value_is_used_by_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    left: set[str] | None = None
    for name in ("test_chain", "test_vectors"):
        module, vectors = reloaded(name, monkeypatch)
        for test in [held for said, held in vars(module).items() if said.startswith("test_")]:
            if not hasattr(test, "hypothesis") and "VECTORS" in reads(test, module):
                for case in cases(test):
                    test(**case)
        not_here = set(unused(vectors))
        left = not_here if left is None else left & not_here
    assert left == set()


def reads(test: Callable[..., None], module: ModuleType) -> set[str]:
    """VECTORS where the test takes anything from the file, itself or by what the file's names hold."""
    from_file = {"VECTORS", *(name for name in vars(module) if name.isupper())}
    called, names = [test], set[str]()
    while called:
        code = called.pop().__code__
        for name in set(code.co_names) - names:
            names.add(name)
            helper = vars(module).get(name)
            if (
                callable(helper)
                and hasattr(helper, "__code__")
                and helper.__module__ == module.__name__
            ):
                called.append(helper)
    return {"VECTORS"} if names & from_file else set()


def line_of(nth: int) -> Line:
    told, opening = json.loads(EVENTS[nth]["leaf"]), EVENTS[nth]["opening"]
    if opening is None:
        return Sealed(told["version"], told["turn"], told["seat"])
    raw = json.dumps(
        opening["body"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
    salt = bytes.fromhex(opening["salt"])
    try:
        body = decode(raw)
    except ValueError:  # of a room that is not here
        return Sealed(told["version"], told["turn"], told["seat"])
    return Fact(
        SESSION.hex(), told["version"], told["turn"], told["at"], told["seat"], salt, body, raw
    )


FACTS = [line for line in map(line_of, range(len(EVENTS))) if isinstance(line, Fact)]


def draws_of(lines: list[Line]) -> Draws:
    draws = Draws(SESSION.hex(), LEAVES, dict(enumerate(ROOTS)), ed25519)
    for line in lines:
        draws.read(line)
    return draws


def test_the_session_holds_on_the_rung_of_draws() -> None:
    draws = draws_of([line_of(nth) for nth in range(len(EVENTS))])
    assert draws.end() is None
    assert {k: type(fact.body) for k, fact in draws.ended.items()} == {
        0: Drawn,
        1: Drawn,
        2: DrawVoided,
        3: Drawn,
    }
    assert [type(fact.body) for fact in FACTS].count(SealOpened) == 1


def test_what_was_given_up_is_known_once_the_next_link_is_shown() -> None:
    draws = draws_of([line_of(nth) for nth in range(len(EVENTS))])
    (void,) = draws.voids.by_draw.values()
    made = draws.voids.seed(void)
    assert made is not None
    told = VECTORS["void_shadow"]
    assert void.draw.k != told["k"]  # the shadow of the file is a single case of its own
    assert set(void.links) == {"gm", "house", "p1", "p2"}


def test_the_messages_that_are_signed_are_those_of_the_session() -> None:
    keys = {
        fact.body.seat: bytes.fromhex(str(fact.body.public_key))
        for fact in FACTS
        if isinstance(fact.body, SeatTaken)
    }
    for fact in FACTS:
        if isinstance(fact.body, SeatTaken):
            assert ed25519(
                keys[fact.body.seat],
                seat_event_of(SESSION.hex(), fact.body),
                signature_of(fact.body),
            )
        if isinstance(fact.body, Drawn | DrawVoided):
            k = fact.body.k
            request = LEAVES[declared_at(k) - 1].hex()
            for given in fact.body.contributions:
                message = contribution_of(SESSION.hex(), k, request, given)
                assert ed25519(keys[given.seat], message, bytes.fromhex(given.signature))


def signature_of(taken: SeatTaken) -> bytes:
    return bytes.fromhex(str(taken.signature))


def declared_at(k: int) -> int:
    return next(
        fact.version
        for fact in FACTS
        if isinstance(fact.body, Declared) and fact.body.draw is not UNSET and fact.body.draw.k == k
    )


def test_the_receipts_are_over_what_the_session_holds() -> None:
    drawn = next(fact.body for fact in FACTS if isinstance(fact.body, Drawn) and fact.body.k == 0)
    given = {each.seat: each for each in drawn.contributions}
    request = LEAVES[declared_at(0) - 1].hex()
    for told in PLAYED["receipts_draw_0"]:
        signed = contribution_json(SESSION.hex(), 0, request, given[told["contribution"]["seat"]])
        assert json.loads(signed) == told["contribution"]
        key = bytes.fromhex(PLAYED["house_public_key"])
        assert ed25519(key, receipt_message(signed), bytes.fromhex(told["receipt"]))


@pytest.mark.parametrize("seat", ["gm", "house", "p1", "p2"])
def test_every_link_of_a_chain_leads_down_to_any_below_and_no_other_does(seat: str) -> None:
    shown = LINKS[seat, 0]
    for at, below in ((1, 0), (3, 1), (8, 0), (8, 7)):
        chain = Chain(0, 8, below, shown[below], below)
        check_link(SESSION.hex(), seat, chain, at, shown[at])
        for wrong in (shown[at - 1], shown[(at + 1) % 9]):
            with pytest.raises(Refused, match="link-wrong"):
                check_link(SESSION.hex(), seat, chain, at, wrong)


def test_a_chain_of_the_file_is_not_anchored_twice() -> None:
    chains = Chains(SESSION.hex(), ed25519)
    taken = [fact for fact in FACTS if isinstance(fact.body, SeatTaken)]
    for fact in taken:
        assert isinstance(fact.body, SeatTaken)
        chains.seated(fact, fact.body)
    assert chains.contributors(table=True) == {"gm", "house", "p1", "p2"}
    for fact in taken:
        assert isinstance(fact.body, SeatTaken)
        with pytest.raises(Fault) as fault:
            chains.seated(fact, fact.body)
        assert fault.value.code == "E_ANCHOR"
