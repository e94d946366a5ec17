"""Every version of a random evening against brute force: the house's table, and the table of everyone who may look."""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from itertools import product

import pytest
from msgspec import UNSET

from domain.ruleset import AnyRuleset
from domain.session.messages import Rewound
from tests.domain.replay import Replay
from tests.domain.secret_sessions import Intrigue, intrigue
from tests.support.scale import SCALED_RULESETS, scale

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
BATCHES = 10
SCRIPTS, EVENTS = scale(2, 30 // BATCHES), scale(150, 300)


@pytest.mark.parametrize("batch", range(scale(1, BATCHES)))
@every_ruleset
def test_every_version_is_the_replay_of_its_lineage(ruleset: AnyRuleset, batch: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(batch * SCRIPTS, (batch + 1) * SCRIPTS):
        evening = intrigue(ruleset, seed, EVENTS)
        replay = Replay(ruleset, evening.facts)
        for version in range(1, evening.session.version + 1):
            check_version(evening, replay, version)
        met.update(type(fact.body).__name__ for fact in evening.facts)
        met["into what was undone"] += redone(replay, evening)
    assert not {"Rewound", "SealOpened", "SeatLeft", "into what was undone"} - met.keys(), met


def check_version(evening: Intrigue, replay: Replay, version: int) -> None:
    """What the house has at a version, and what each seat, nobody, and a GM who looks as each seat sees."""
    session, hidden, table = (
        evening.past.state(version),
        replay.hidden(version),
        cache(partial(replay.table, version)),
    )
    assert session.table == table(frozenset())
    assert bool(session.tables_by_seat) == any(
        table(hides) != session.table for hides in hidden.values()
    )
    for seat, hides in hidden.items():
        assert evening.seen(seat or UNSET, at=version) == table(hides), (version, seat)
    for looking, seat in product(hidden.keys() & {"gm", "eve"}, hidden.keys() - {""}):
        seen = evening.seen(looking, seat, version)
        assert seen == table(hidden[looking] | hidden[seat]), (version, looking, seat)


def redone(replay: Replay, evening: Intrigue) -> int:
    """How many rewinds lead to what was undone before them."""
    rewinds = [
        (fact.version, fact.body.to) for fact in evening.facts if isinstance(fact.body, Rewound)
    ]
    return sum(to not in {fact.version for fact in replay.lineage(at - 1)} for at, to in rewinds)
