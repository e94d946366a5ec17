"""A ruleset that only the tests have: registered as the sixth one, played in memory and over HTTP.

Run it in a process of its own (`python -m tests.support.sixth_ruleset`): modules read the list of rulesets
when they are imported, so `main` registers the ruleset before it imports any of them.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from domain import rulesets
from domain.chance import Chance
from domain.decider import By
from domain.ruleset import Decider, Message, Ruleset
from domain.table import Table
from domain.tally import Attempted, Counts, Rolled


class Toss(Message, frozen=True, tag="sixth.Toss"):
    """Toss the coin."""


class Tossed(Message, frozen=True, tag="sixth.Tossed"):
    """The coin shows a side."""

    face: int


class Options(msgspec.Struct, frozen=True):
    """No options."""


class State(msgspec.Struct, frozen=True):
    """The tosses so far."""

    tosses: int = 0


def decide(state: State, command: Toss, by: By, chance: Chance) -> tuple[Tossed, ...]:
    return (Tossed(chance.draw(2)),)


def tally(event: Tossed) -> Counts:
    face = str(event.face)
    attempted = Attempted(
        "the table", "toss", face, face, {"1": (1, 2), "2": (1, 2)}, is_ranked=False
    )
    return Rolled("the table", "d2", face, "toss"), attempted


SIXTH = Ruleset(
    name="sixth",
    edition="1",
    title="Coins",
    package=__name__,
    options=Options,
    state=State,
    commands=(Toss,),
    events=(Tossed,),
    decider=Decider(
        initial=lambda options: State(),
        decide=decide,
        evolve=lambda state, event: State(state.tosses + 1),
    ),
    show=lambda state: Table(),
    describe=lambda event: f"The coin shows {event.face}.",
    refusals={},
    tally=tally,
    odds=lambda state, command: {"1": Fraction(1, 2), "2": Fraction(1, 2)},
    carry=lambda state: {},
)


def main() -> None:
    rulesets.RULESETS += (SIXTH,)
    rulesets.RULESETS_BY_EDITION[SIXTH.name, SIXTH.edition] = SIXTH
    play_in_memory()
    with TemporaryDirectory() as folder:
        play_over_http(Path(folder))


def play_in_memory() -> None:
    from domain.verify import verify
    from domain.verify.report import Level
    from service.platform.ed25519 import verify as ed25519
    from tests.domain.forks import file_of
    from tests.support.sessions import ScriptedSession

    evening = ScriptedSession(ruleset=SIXTH)
    evening.do("p1", Toss())
    report = verify(file_of(evening), ed25519)
    assert report.valid
    assert report.reached is Level.VIEWS


def play_over_http(folder: Path) -> None:
    from tests.support.server import TestServer, settings_in

    house = TestServer(settings_in(folder))
    document = house.client.get("/openapi.json").text
    assert "sixth.Toss" in document
    evening = house.open(ruleset=SIXTH.name)
    tossed = evening.do("gm", Toss())
    assert [event["body"]["kind"] for event in tossed["events"]][-1] == "sixth.Tossed"
    assert "The coin shows" in evening.get("gm", "/events?limit=200").text
    house.close()


if __name__ == "__main__":
    from tests.support import sixth_ruleset  # one class per tag, not a second one of `__main__`

    sixth_ruleset.main()
