"""Statistics through the one filter: a viewer's are of the events that are open to that viewer, now as well as then."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw
from msgspec.json import Decoder

from domain.codec import encode
from domain.ruleset import AnyRuleset, Message
from domain.rulesets import RULESETS
from domain.session.messages import Declare, HandOver, OpenSeal
from domain.session.state import Session
from domain.visibility import PUBLIC_VIEWER, Viewer, is_visible, select_visible, turns_hidden_from
from projections.results import STATISTICS, JobResult, range_name
from projections.runner import catch_up
from projections.statistics_model import DRAWN, SecretRolls, SessionReport
from projections.tallies import SessionTallies, session_tallies
from tests.domain.secret_sessions import Intrigue, intrigue
from tests.projections.contract import results_of
from tests.support.example import EXAMPLE, brought, of, seated, to_draw
from tests.support.scale import SCALED_RULESETS, scale
from tests.support.sessions import MemoryLog, ScriptedSession
from tests.workers.recomputation import chosen_seats
from tests.workers.stand_ins import StandIn, stand_in
from workers.jobs import compute_range, compute_statistics
from workers.session_statistics import view_of
from workers.statistics.report import Chosen, compute_report
from workers.viewpoints import viewers_by_hidden_turns

SEATS = ("gm", "ana", "ben", "sam", "eve")
VIEWERS = [
    PUBLIC_VIEWER,
    *map(Viewer, SEATS),
    Viewer("gm", "ana"),
    Viewer("gm", "ben"),
    Viewer("eve", "gm"),
]
EVENTS = scale(160, 800)
read = Decoder(SessionReport).decode

rulesets = pytest.mark.parametrize("ruleset", SCALED_RULESETS, ids=lambda ruleset: ruleset.name)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[StandIn]:
    app = stand_in(tmp_path)
    yield app
    app.read_models.close()


def figures_for(evening: Intrigue, viewer: Viewer) -> SessionReport:
    hidden = turns_hidden_from(evening.session, viewer)
    return report_of(
        evening, session_tallies(evening.ruleset, evening.facts).open_to(hidden), hidden
    )


def report_of(
    evening: Intrigue, shown: SessionTallies, hidden: Collection[int], version: int | None = None
) -> SessionReport:
    """Return the report of tallies without the hidden turns, as of a version."""
    session = evening.session if version is None else evening.log.at(evening.id, version)
    chosen = chosen_seats(evening.facts[: session.version], session, hidden)
    return compute_report(
        shown,
        chosen=[Chosen(*each) for each in chosen],
        hidden=hidden,
        is_final=session.info.closed,
    )


@rulesets
def test_a_viewers_figures_are_those_of_the_open_facts(ruleset: AnyRuleset) -> None:
    """As if there were no others."""
    evening = intrigue(ruleset, 5, EVENTS)
    for viewer in VIEWERS:
        alone = session_tallies(
            ruleset, select_visible(evening.session, viewer, evening.facts), evening.past.state
        )
        hidden = turns_hidden_from(evening.session, viewer)
        assert figures_for(evening, viewer) == report_of(
            evening, alone._replace(version=evening.session.version), hidden
        )


@rulesets
def test_the_seats_that_may_have_chosen_what_is_seen(ruleset: AnyRuleset, app: StandIn) -> None:
    """The jobs find them by the tallies as the recomputation does by the events."""
    evening = intrigue(ruleset, 5, EVENTS)
    app.log.append(evening.facts)
    catch_up(app.log, app.read_models.tallies)
    found = set[tuple[str, str]]()
    for version in range(EVENTS // 4, EVENTS + 1, EVENTS // 8):
        session = evening.log.at(evening.id, version)
        for hidden in viewers_by_hidden_turns(session):
            view = view_of(app.read_models.tallies, session, hidden)
            assert view.hidden == {turn: session.secrets.seals[turn].version for turn in hidden}
            assert view.chosen == chosen_seats(evening.facts[:version], session, hidden)
            found |= view.chosen
    assert {origin for origin, _ in found} == {"drawn", "declared"}


@rulesets
def test_every_viewer_is_thought_of(ruleset: AnyRuleset) -> None:
    evening = intrigue(ruleset, 6, EVENTS)
    gm = next(seat for seat, held in evening.session.info.seats.items() if held.role.value == "gm")
    looking = [
        Viewer(seat, through) for seat in (gm, "eve") for through in evening.session.info.seats
    ]
    wanted = {
        turns_hidden_from(evening.session, viewer)
        for viewer in (PUBLIC_VIEWER, *map(Viewer, evening.session.info.seats), *looking)
    }
    found = list(viewers_by_hidden_turns(evening.session))
    assert set(found) == wanted
    assert len(found) == len(wanted), "each once"


SECRETS = [
    # asker, of whom, audience; who sees it
    ("ana", "ana", "gm", {"gm", "ana", "eve"}),
    ("ben", "ben", "self", {"ben", "eve"}),
    ("ben", "ben", "blind", {"gm", "eve"}),
    ("gm", "rat", "gm", {"gm", "eve"}),
    ("gm", "rat", "self", {"gm", "eve"}),
]


OWNERS = (("ana", "ana"), ("ben", "ben"), ("gm", "rat"))


def asked(evening: Intrigue, seat: str, command: Message, audience: Any) -> int:
    """The turn that it became."""
    evening.ask(Declare(Raw(encode(command)), audience=audience), seat)
    return evening.session.turn


@pytest.fixture
def table() -> Intrigue:
    """Ana and Ben have sat down with theirs, and the GM has a rat; each may draw."""
    evening = Intrigue(RULESETS[0], seed=7)
    for by, command in (
        ("ana", EXAMPLE.bring),
        ("ben", brought("ben", "Ben")),
        ("gm", EXAMPLE.guest),
        *(step for seat, entity in OWNERS for step in seated(EXAMPLE.ready, seat, entity)),
    ):
        evening.ask(Declare(Raw(encode(command))), by)
    return evening


def seen(figure: SessionReport) -> int:
    """How many dice have been seen."""
    return sum(faces.draws for faces in figure.faces[DRAWN].values())


def dice_of_a_draw() -> int:
    """As many as are counted."""
    evening = ScriptedSession()
    for seat, command in (("p1", EXAMPLE.bring), *to_draw()):
        evening.do(seat, command)
    counted = seen(compute_report(session_tallies(evening.ruleset, evening.facts)))
    assert counted > 0
    return counted


@pytest.mark.parametrize(("asker", "entity", "audience", "seers"), SECRETS)
def test_a_secret_counts_for_its_audience_alone(
    table: Intrigue, asker: str, entity: str, audience: Any, seers: set[str]
) -> None:
    before = figures_for(table, PUBLIC_VIEWER)
    draw = asked(table, asker, of(entity, EXAMPLE.draw), audience)
    plain = asked(table, asker, of(entity, EXAMPLE.plain), audience)
    for seat in SEATS:
        figure, sees = figures_for(table, Viewer(seat)), seat in seers
        assert seen(figure) == seen(before) + sees * dice_of_a_draw(), seat
        # That there was a draw, everyone sees; the other turn's wish is under seal as well.
        assert figure.tempo.turns == before.tempo.turns + 1 + sees
    assert figures_for(table, PUBLIC_VIEWER) == figures_for(table, Viewer("sam"))
    opener = "gm" if "gm" in seers else asker
    for turn in (draw, plain):
        table.ask(OpenSeal(turn), opener)
    assert len({encode(figures_for(table, viewer)) for viewer in VIEWERS}) == 1, "once it is open"
    assert seen(figures_for(table, PUBLIC_VIEWER)) == seen(before) + dice_of_a_draw()


def test_of_some_secrets_of_a_seat_nothing_is_compared(table: Intrigue) -> None:
    """Ben's draws are open to the GM in part, to ben and the auditor in full, and to others not at all."""
    before = figures_for(table, PUBLIC_VIEWER)
    for audience in ("gm", "self", "gm"):
        asked(table, "ben", of("ben", EXAMPLE.draw), audience)
        for command in seated(EXAMPLE.over, "ben", "ben"):
            table.ask(Declare(Raw(encode(command[1]))), command[0])
    figures = {seat: figures_for(table, Viewer(seat)) for seat in SEATS}
    assert {seat: figure.secret for seat, figure in figures.items()} == {
        "gm": {"ben": SecretRolls(3, 2)},
        "ana": {"ben": SecretRolls(3, 0)},
        "ben": {},
        "sam": {"ben": SecretRolls(3, 0)},
        "eve": {},
    }
    more = {seat: seen(figure) - seen(before) for seat, figure in figures.items()}
    assert more == {
        "gm": 0,
        "ana": 0,
        "ben": 3 * dice_of_a_draw(),
        "sam": 0,
        "eve": 3 * dice_of_a_draw(),
    }


def begun(session: Session, viewer: Viewer) -> dict[int, int]:
    """The turns hidden from the viewer with the versions that they began at."""
    return {
        turn: session.secrets.seals[turn].version for turn in turns_hidden_from(session, viewer)
    }


def stored_for(app: StandIn, session: Session, viewer: Viewer) -> JobResult | None:
    return app.read_models.results.get(
        session.id, STATISTICS, session.version, begun(session, viewer)
    )


def test_who_is_no_longer_gm_does_not_get_what_the_gm_got(table: Intrigue, app: StandIn) -> None:
    asked(table, "ana", EXAMPLE.draw, "gm")
    app.log.append(table.facts)
    compute_statistics(app, table.id)  # type: ignore[arg-type]
    then, wanted = table.session, {viewer: figures_for(table, viewer) for viewer in VIEWERS}
    assert wanted[Viewer("gm")] != wanted[Viewer("ben")]
    table.ask(HandOver("ben"), "gm")
    app.log.append(table.facts[then.version :])
    for session, gm in ((then, "gm"), (table.session, "ben")):
        for viewer in map(Viewer, SEATS):
            found = stored_for(app, session, viewer)
            assert found is not None
            told = (
                viewer
                if viewer.seat not in ("gm", "ben")
                else Viewer("gm" if viewer.seat == gm else "ben")
            )
            assert read(found.body) == wanted[told], (gm, viewer)


def test_a_secret_that_is_hidden_takes_the_seats_other_secrets_out_of_the_comparison(
    table: Intrigue, app: StandIn
) -> None:
    """Also those that a job has counted before; when it is opened, they are all counted."""
    turns, counted = [], []
    for audience in ("gm", "self", ""):
        if audience:
            turns.append(asked(table, "ben", of("ben", EXAMPLE.draw), audience))
            for by, command in seated(EXAMPLE.over, "ben", "ben"):
                table.ask(Declare(Raw(encode(command))), by)
        else:
            table.ask(OpenSeal(turns[1]), "ben")
        app.log.append(table.facts[app.log.end() :])
        compute_statistics(app, table.id)  # type: ignore[arg-type]
        for viewer in map(Viewer, SEATS):
            found = stored_for(app, table.session, viewer)
            assert found is not None
            assert read(found.body) == figures_for(table, viewer), (audience, viewer)
        counted.append(seen(figures_for(table, Viewer("gm"))))
    dice = dice_of_a_draw()
    assert [number - counted[0] for number in counted] == [0, -dice, dice]


@rulesets
def test_nothing_stored_shows_what_is_hidden_by_now(ruleset: AnyRuleset, app: StandIn) -> None:
    evening = intrigue(ruleset, 8, EVENTS)
    for version in evening.random.sample(range(10, EVENTS), scale(3, 6)):
        growing = MemoryLog()
        growing.append(evening.facts[:version])
        app.read_models.results.drop()
        app.read_models.rebuild(growing, "tallies")
        compute_statistics(app._replace(log=growing), evening.id)  # type: ignore[arg-type]
        later = evening.random.sample(range(version, EVENTS), min(6, EVENTS - version))
        used = set[JobResult]()
        for session in [evening.log.at(evening.id, at) for at in (version, *later)]:
            used |= {assert_fits(evening, app, session, viewer) for viewer in VIEWERS}
        for each in used:
            counted = session_tallies(ruleset, evening.facts[:version]).open_to(each.hidden)
            assert read(each.body) == report_of(evening, counted, each.hidden, version)


def test_statistics_of_some_versions_are_each_viewers_own(app: StandIn) -> None:
    evening = intrigue(SCALED_RULESETS[0], 9, EVENTS)
    app.log.append(evening.facts)
    first, last = EVENTS // 3, 2 * EVENTS // 3
    compute_range(app, evening.id, first, last)  # type: ignore[arg-type]
    stored = results_of(app.read_models, evening.id, range_name(first, last))
    assert {frozenset(each.hidden) for each in stored} == set(
        viewers_by_hidden_turns(evening.session)
    )
    for each in stored:
        chosen = chosen_seats(evening.facts, evening.session, each.hidden)
        assert read(each.body) == compute_report(
            session_tallies(evening.ruleset, evening.facts).open_to(each.hidden),
            versions=(first, last),
            chosen=[Chosen(*seat) for seat in chosen],
            hidden=each.hidden,
        )
    assert len({each.body for each in stored}) > 1


def assert_fits(evening: Intrigue, app: StandIn, session: Session, viewer: Viewer) -> JobResult:
    """What is stored for the viewer is made of open facts and, where it is as of the session's version, of all."""
    found = stored_for(app, session, viewer)
    assert found is not None, "what everyone may see is for everyone"
    counted = session_tallies(evening.ruleset, evening.facts[: found.version]).open_to(found.hidden)
    assert all(
        is_visible(session, viewer, evening.facts[tally.version - 1]) for tally in counted.tallies
    )
    assert all(
        is_visible(session, viewer, evening.facts[turn.first - 1])
        for turn in counted.turns
        if turn.kind
    )
    if found.version == session.version:
        assert set(found.hidden) == turns_hidden_from(session, viewer)
    return found
