"""The results that voided draws would have given, and the seats' next rolls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import UNSET

from domain.recorded_event import RecordedEvent
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Drawn,
    DrawVoided,
    Inherited,
    Opened,
    Rewound,
    SealOpened,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import Session
from domain.tally import Voided
from domain.verify import report
from domain.verify.draws_check import VoidedDraw, VoidedDraws
from domain.verify.voided_draws import NextRoll, decide_void
from projections.statistics_model import VoidedValues
from projections.tallies import SessionTallies
from workers.statistics.rewinds import VoidedResult

StateAt = Callable[[int], Session]
"""Returns the session's state after a given version."""


def voided_results(
    facts: Iterable[RecordedEvent], at: StateAt, hidden: Collection[int] = ()
) -> dict[int, VoidedResult]:
    """Return the results that voided draws would have given, by draw number.

    `facts` must contain all events of the session in order. Values that depend on secrets from the
    `hidden` turns are omitted.
    """
    every = tuple(facts)
    if not any(isinstance(fact.body, DrawVoided) for fact in every):
        return {}
    opened = [fact for fact in every if not _is_hidden(fact, hidden)]
    voids, again, known = _voids(opened), NextRoll(opened), _known(every, hidden)
    return {k: _voided_result(void, voids, again, known, at) for k, void in voids.by_draw.items()}


def voided_results_of_session(
    tallies: SessionTallies,
    facts: Callable[[], Iterable[RecordedEvent]],
    at: StateAt,
    hidden: Collection[int] = (),
) -> dict[int, VoidedResult]:
    """Return the results that voided draws would have given, by draw number.

    The events are read only if the session has a voided draw.
    """
    if not any(isinstance(tally.of, Voided) for tally in tallies.tallies):
        return {}
    return voided_results(facts(), at, hidden)


def reported_voided_results(voids: Iterable[report.VoidReport]) -> Mapping[int, VoidedResult]:
    return {
        void.k: VoidedResult(
            UNSET if void.values is UNSET else VoidedValues(void.values, void.told or ()),
            void.again,
        )
        for void in voids
    }


def _is_hidden(fact: RecordedEvent, hidden: Collection[int]) -> bool:
    return fact.sealed and fact.turn in hidden


def _voids(facts: Iterable[RecordedEvent]) -> VoidedDraws:
    """Collect the voided draws and all contributions to draws.

    domain.verify.draws_check collects them in the same way.
    """
    found: VoidedDraws | None = None
    declared: dict[int, RecordedEvent] = {}
    for fact in facts:
        found = found or VoidedDraws(fact.session)
        match fact.body:
            case Declared(draw=draw) if draw is not UNSET:
                declared[draw.k] = fact
            case Drawn(contributions=contributions):
                _add_contributions(found, contributions)
            case DrawVoided(k=k, contributions=contributions):
                _add_contributions(found, contributions)
                _add_void(found, fact, fact.body, declared[k])
            case SeatTaken() | ChainAnchored():
                found.learn_previous_link(fact.body)
            case Opened(format=int(log_format)):
                found.log_format = log_format
            case SealOpened():
                found.opened(fact.body)
    return found or VoidedDraws("")


def _add_contributions(voids: VoidedDraws, contributions: Iterable[Contribution]) -> None:
    for given in contributions:
        voids.learn_link(given)


def _add_void(
    voids: VoidedDraws, fact: RecordedEvent, body: DrawVoided, declared: RecordedEvent
) -> None:
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    voids.add(fact, body, declared, declared.body.draw)


def _known(facts: Iterable[RecordedEvent], hidden: Collection[int]) -> list[bool]:
    """List, for each version starting at 0, whether the viewer can see the whole table."""
    known = [True]
    for fact in facts:
        if isinstance(fact.body, Rewound):
            known.append(known[fact.body.to])
        else:
            known.append(known[-1] and not (_is_hidden(fact, hidden) and _is_of_the_table(fact)))
    return known


def _is_of_the_table(fact: RecordedEvent) -> bool:
    return type(fact.body) not in SESSION_EVENT_TYPES or isinstance(fact.body, Declared | Inherited)


def _voided_result(
    void: VoidedDraw, voids: VoidedDraws, again: NextRoll, known: list[bool], at: StateAt
) -> VoidedResult:
    found, seed, before = again.after(void), voids.seed(void), void.declared.version - 1
    values = None if seed is None or not known[before] else decide_void(void, at(before), seed)
    return VoidedResult(
        UNSET if values is None else VoidedValues(*values),
        UNSET if found is None else found.version,
    )
