"""Statistics that jobs continue step by step are those that are computed from the beginning.

This holds after rewinds, for every viewpoint, and after secrets were opened.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from domain.ruleset import AnyRuleset
from projections.results import STATISTICS
from projections.statistics_model import SessionReport
from projections.statistics_states import NEAR
from tests.domain.secret_sessions import STEPS, Intrigue, _try
from tests.projections.contract import results_of
from tests.support.scale import SCALED_RULESETS, scale
from tests.workers.stand_ins import StandIn, stand_in
from workers.jobs import compute_statistics
from workers.session_statistics import view_of
from workers.statistics.report import compute_report
from workers.viewpoints import viewers_by_hidden_turns

EVENTS = scale(240, 1_500)
JOB_SHARE = 0.2
read = msgspec.json.Decoder(SessionReport).decode


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.read_models.close()


def from_the_beginning(app: StandIn, evening: Intrigue) -> dict[tuple[int, ...], SessionReport]:
    tallies = app.read_models.tallies.of(evening.id)
    found = {}
    for hidden in viewers_by_hidden_turns(evening.session):
        view = view_of(app.read_models.tallies, evening.session, hidden)
        report = compute_report(
            tallies.open_to(hidden),
            is_final=evening.session.info.closed,
            chosen=view.chosen,
            hidden=hidden,
        )
        found[tuple(sorted(hidden))] = report
    return found


@pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)
def test_continued_statistics_are_those_from_the_beginning(
    app: StandIn, ruleset: AnyRuleset
) -> None:
    evening = Intrigue(ruleset, 11, app.log, length=EVENTS)
    chosen, jobs = random.Random(1), 0
    while evening.session.version < EVENTS:
        [step] = evening.random.choices(list(STEPS), list(STEPS.values()))
        _try(evening, step)
        if chosen.random() < 0.06:
            compute_statistics(app, evening.id)
            jobs += 1
            compare(app, evening)
    rewinds = app.read_models.tallies.rewinds_after(evening.id, 0)
    secrets = max(map(len, from_the_beginning(app, evening)))
    assert jobs > 4
    assert rewinds
    assert secrets


def compare(app: StandIn, evening: Intrigue) -> None:
    stored = {
        result.hidden: read(result.body)
        for result in results_of(app.read_models, evening.id, STATISTICS)
    }
    expected = from_the_beginning(app, evening)
    assert stored.keys() == expected.keys()
    for hidden, report in expected.items():
        found, wanted = (msgspec.to_builtins(each) for each in (stored[hidden], report))
        for each in (found, wanted):
            each["draws"].pop("voids", None)  # those need the log, and have tests of their own
            each["draws"].pop("biases", None)
        for name in wanted:
            assert found[name] == nearly(wanted[name]), name


def nearly(value: object) -> object:
    """Return what equals the value, also if the order of additions changes its last digit.

    Numbers have six decimals or six digits.
    """
    match value:
        case dict():
            return {key: nearly(each) for key, each in value.items()}
        case list():
            return [nearly(each) for each in value]
        case tuple():
            return tuple(map(nearly, value))
        case float():
            return pytest.approx(value, rel=1e-5, abs=1.01e-6)
    return value


def test_few_states_are_stored_of_a_long_session(app: StandIn) -> None:
    evening = Intrigue(SCALED_RULESETS[0], 12, app.log, length=EVENTS)
    while evening.session.version < EVENTS:
        [step] = evening.random.choices(list(STEPS), list(STEPS.values()))
        _try(evening, step)
        if evening.random.random() < JOB_SHARE:
            compute_statistics(app, evening.id)
    compute_statistics(app, evening.id)
    views = len(viewers_by_hidden_turns(evening.session))
    states = app.read_models.statistics_states.of(evening.id)
    print(f"{len(states)} states of {evening.session.version} versions and {views} viewpoints")
    assert len(states) <= views * (2 + (EVENTS // NEAR).bit_length())
