"""Players take back the own last wish, where the option allows it, as long as something of it waits to be finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

import pytest
from msgspec import UNSET, UnsetType

from domain.decider import Refused, Role
from domain.ruleset import AnyRuleset
from domain.session.decider import decide
from domain.session.messages import Audience, Declared, Narrate, Rewind, Rewound
from tests.domain.replay import Replay
from tests.domain.secret_sessions import Intrigue, by_chance, intrigue
from tests.support.scale import SCALED_RULESETS, scale

every_ruleset = pytest.mark.parametrize(
    "ruleset", SCALED_RULESETS, ids=lambda ruleset: f"{ruleset.name}-{ruleset.edition}"
)
OOPS = "a slip of the tongue"


def unsettled(ruleset: AnyRuleset, audience: Audience | UnsetType = UNSET) -> tuple[Intrigue, int]:
    """An evening whose last wish was ana's and waits to be finished; the version before it."""
    for seed in count():
        evening = Intrigue(ruleset, seed)
        while evening.session.version < 60:
            before, waited = evening.session.version, waiting(evening)
            seat = evening.random.choice(("gm", "ana", "ana"))
            made = by_chance(evening, seat, audience if seat == "ana" else UNSET)
            if made and seat == "ana" and waiting(evening) - waited:
                return evening, before
    raise AssertionError


def waiting(evening: Intrigue) -> set[tuple[str, str]]:
    """What waits for ana, as she sees it, and for what."""
    tasks = evening.ruleset.show(evening.seen("ana")).tasks
    return {(name, str(task)) for name, task in tasks.items() if task.seat == "ana"}


def is_refused(evening: Intrigue, to: int, seat: str, at: int | None = None) -> str | None:
    """By which rule."""
    session = evening.session if at is None else evening.past.state(at)
    try:
        decide(session, Rewind(to, OOPS), session.by(seat), evening.past)
    except Refused as refused:
        return refused.rule
    return None


@pytest.mark.parametrize("audience", [UNSET, "gm", "self"])
@every_ruleset
def test_a_take_back_is_a_rewind_of_that_seat(
    ruleset: AnyRuleset, audience: Audience | UnsetType
) -> None:
    evening, before = unsettled(ruleset, audience)
    then = evening.past.state(before)
    [rewound] = evening.ask(Rewind(before, OOPS), "ana")
    assert (rewound.seat, rewound.body) == ("ana", Rewound(OOPS, before))
    assert (evening.session.table, evening.session.last_command) == (then.table, then.last_command)


@every_ruleset
def test_words_between_do_not_settle_it(ruleset: AnyRuleset) -> None:
    evening, before = unsettled(ruleset)
    evening.ask(Narrate("Wait!"), "ben")
    evening.ask(Narrate("No, I meant the other one.", audience="gm"), "ana")
    assert is_refused(evening, before, "ana") is None
    assert is_refused(evening, before, "ben") == "take-back-not-yours"


@every_ruleset
def test_the_wish_that_counts_is_the_one_that_led_to_the_table(ruleset: AnyRuleset) -> None:
    evening, before = unsettled(ruleset)
    done = evening.session.version
    while not by_chance(evening, "gm"):
        pass
    assert is_refused(evening, before, "ana") == "take-back-not-yours"
    evening.ask(Rewind(done, "never mind the GM"), "gm")
    assert is_refused(evening, before, "ana") is None
    evening.ask(Rewind(before, OOPS), "ana")
    assert is_refused(evening, before, "ana") == "take-back-not-yours"


def test_what_may_be_taken_back_is_what_the_log_says() -> None:
    answers = Counter(
        answer for ruleset in SCALED_RULESETS for answer in compared(ruleset, scale(3, 40))
    )
    assert set(answers) == {None, "take-back-not-yours", "take-back-settled"}, answers


def compared(ruleset: AnyRuleset, scripts: int) -> Iterator[str | None]:
    """What the players of random evenings are answered after every turn, the same as by brute force."""
    for evening in (intrigue(ruleset, seed, 150) for seed in range(scripts)):
        replay, ends = (
            Replay(ruleset, evening.facts),
            {fact.turn: fact.version for fact in evening.facts},
        )
        for version in ends.values():
            session = evening.past.state(version)
            for seat, held in session.info.seats.items():
                if held.role is Role.PLAYER and held.present:
                    to, expected = last_wish(replay, version, seat)
                    answer = is_refused(evening, to, seat, version)
                    assert answer == expected, (version, seat)
                    yield answer


def last_wish(replay: Replay, version: int, seat: str) -> tuple[int, str | None]:
    """The version before the last wish that led to a version, and what a player who takes it back is to hear."""
    wishes = [fact for fact in replay.lineage(version) if isinstance(fact.body, Declared)]
    before = wishes[-1].version - 1 if wishes else 1
    if not wishes or wishes[-1].seat != seat:
        return before, "take-back-not-yours"
    then, now = (
        {name: task for name, task in replay.shown(at, seat).tasks.items() if task.seat == seat}
        for at in (before, version)
    )
    return before, None if any(
        then.get(name) != task for name, task in now.items()
    ) else "take-back-settled"
