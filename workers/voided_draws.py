"""The results that voided draws would have given, and the seats' next rolls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import UNSET

from domain.chance import Values
from domain.recorded_event import RecordedEvent
from domain.session.messages import (
    ChainAnchored,
    Contribution,
    Declared,
    Drawn,
    DrawVoided,
    Inherited,
    LogFormat,
    Opened,
    Rewound,
    SealOpened,
    SeatTaken,
)
from domain.session.secrets import SESSION_EVENT_TYPES
from domain.session.state import Session
from domain.verify import report
from domain.verify.draws_check import VoidedDraw, VoidedDraws
from domain.verify.voided_draws import NextRoll, decide_void
from projections.statistics_model import PossibleValue, VoidedResult, VoidedValues

StateAt = Callable[[int], Session]
"""Returns the session's state after a given version."""


def voided_results(
    facts: Iterable[RecordedEvent],
    at: StateAt,
    hidden: Collection[int] = (),
    *,
    log_format: LogFormat | None = None,
    is_known: bool = True,
) -> dict[int, VoidedResult]:
    """Return the results that voided draws would have given, by draw number.

    `facts` contains the session's events in order. If they do not begin with the first one,
    `log_format` is the format of the log, and `is_known` tells whether the viewer can see the whole
    table before them. Values that depend on secrets from the `hidden` turns are omitted.
    """
    every = tuple(facts)
    if not any(isinstance(fact.body, DrawVoided) for fact in every):
        return {}
    opened = [fact for fact in every if not _is_hidden(fact, hidden)]
    voids, again = _voids(opened, log_format), NextRoll(opened)
    known = _known(every, hidden, is_known=is_known)
    return {k: _voided_result(void, voids, again, known, at) for k, void in voids.by_draw.items()}


def reported_voided_results(voids: Iterable[report.VoidReport]) -> Mapping[int, VoidedResult]:
    return {
        void.k: VoidedResult(
            UNSET if void.values is UNSET else _values(void.values, void.told or ()), void.again
        )
        for void in voids
    }


def _is_hidden(fact: RecordedEvent, hidden: Collection[int]) -> bool:
    return fact.sealed and fact.turn in hidden


def _values(values: Values, texts: tuple[str, ...]) -> VoidedValues:
    return VoidedValues(tuple(PossibleValue(*each) for each in values), texts)


def _voids(facts: Iterable[RecordedEvent], log_format: LogFormat | None) -> VoidedDraws:
    """Collect the voided draws and all contributions to draws.

    domain.verify.draws_check collects them in the same way.
    """
    found: VoidedDraws | None = None
    declared: dict[int, RecordedEvent] = {}
    for fact in facts:
        found = found or _new_voids(fact.session, log_format)
        match fact.body:
            case Declared(draw=draw) if draw is not UNSET:
                declared[draw.k] = fact
            case Drawn(contributions=contributions):
                _add_contributions(found, contributions)
            case DrawVoided(k=k, contributions=contributions):
                _add_contributions(found, contributions)
                if k in declared:  # otherwise, it was declared before these events
                    _add_void(found, fact, fact.body, declared[k])
            case SeatTaken() | ChainAnchored():
                found.learn_previous_link(fact.body)
            case Opened(format=int(log_format)):
                found.log_format = log_format
            case SealOpened():
                found.opened(fact.body)
    return found or VoidedDraws("")


def _new_voids(session: str, log_format: LogFormat | None) -> VoidedDraws:
    voids = VoidedDraws(session)
    if log_format is not None:
        voids.log_format = log_format
    return voids


def _add_contributions(voids: VoidedDraws, contributions: Iterable[Contribution]) -> None:
    for given in contributions:
        voids.learn_link(given)


def _add_void(
    voids: VoidedDraws, fact: RecordedEvent, body: DrawVoided, declared: RecordedEvent
) -> None:
    assert isinstance(declared.body, Declared)
    assert declared.body.draw is not UNSET
    voids.add(fact, body, declared, declared.body.draw)


def _known(
    facts: Sequence[RecordedEvent], hidden: Collection[int], *, is_known: bool
) -> dict[int, bool]:
    """Map each version to whether the viewer can see the whole table after it.

    The version before the first event is included.
    """
    before = facts[0].version - 1
    known = {before: is_known}
    for fact in facts:
        if isinstance(fact.body, Rewound):
            known[fact.version] = known.get(fact.body.to, is_known)
        else:
            hides = _is_hidden(fact, hidden) and _is_of_the_table(fact)
            known[fact.version] = known[fact.version - 1] and not hides
    return known


def _is_of_the_table(fact: RecordedEvent) -> bool:
    return type(fact.body) not in SESSION_EVENT_TYPES or isinstance(fact.body, Declared | Inherited)


def _voided_result(
    void: VoidedDraw, voids: VoidedDraws, again: NextRoll, known: Mapping[int, bool], at: StateAt
) -> VoidedResult:
    found, seed, before = again.after(void), voids.seed(void), void.declared.version - 1
    values = None if seed is None or not known[before] else decide_void(void, at(before), seed)
    return VoidedResult(
        UNSET if values is None else _values(*values),
        UNSET if found is None else found.version,
    )
