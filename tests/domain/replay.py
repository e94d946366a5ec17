"""Brute force: each version's table folded from the first event on, by the facts that led to it and a viewer may see.

It knows the log alone: no session, no view, no lineage of the domain's.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from domain.decider import Role
from domain.recorded_event import RecordedEvent
from domain.ruleset import AnyRuleset
from domain.session.messages import (
    EVENTS,
    Declared,
    Inherited,
    Narrated,
    Opened,
    Rewound,
    SealOpened,
    SeatTaken,
)
from domain.table import Table

Hidden = frozenset[int]
"""The turns whose sealed facts are not seen."""


class Replay:
    """Of one session's facts, from its first."""

    def __init__(self, ruleset: AnyRuleset, facts: Sequence[RecordedEvent]) -> None:
        self._ruleset, self._facts = ruleset, facts

    def lineage(self, version: int) -> list[RecordedEvent]:
        """The facts that led to a version."""
        led = []
        while version:
            fact = self._facts[version - 1]
            led.append(fact)
            version = fact.body.to if isinstance(fact.body, Rewound) else version - 1
        return led[::-1]

    def table(self, version: int, hidden: Hidden = frozenset()) -> object:
        """The table of a version without what is hidden."""
        table: object = ()
        for fact in self.lineage(version):
            match fact.body:
                case Opened(options=options):
                    own = {
                        name: options[name]
                        for name in self._ruleset.options.__struct_fields__
                        if name in options
                    }
                    table = self._ruleset.decider.initial(
                        msgspec.convert(own, self._ruleset.options)
                    )
                case body if isinstance(body, EVENTS) and not isinstance(body, Inherited):
                    continue
                case _ if fact.sealed and fact.turn in hidden:
                    continue
                case Inherited(table=inherited):
                    table = msgspec.json.decode(inherited, type=self._ruleset.state)
                case event:
                    table = self._ruleset.decider.evolve(table, event)
        return table

    def shown(self, version: int, seat: str) -> Table:
        """What a seat was shown at a version."""
        return self._ruleset.show(self.table(version, self.hidden(version)[seat]))

    def hidden(self, version: int) -> dict[str, Hidden]:
        """What each seat may not see at a version, by the roles and the openings up to it; under "" who has no seat."""
        roles: dict[str, Role] = {}
        secrets: dict[int, tuple[str, str]] = {}
        draws: dict[int, int] = {}
        for fact in self._facts[:version]:
            match fact.body:
                case SeatTaken(seat=seat, role=role):
                    roles[seat] = role
                case (
                    Declared(audience=str(audience))
                    | Narrated(audience=str(audience))
                    | Inherited(audience=str(audience))
                ):
                    secrets[fact.turn] = fact.seat, audience
                    if isinstance(fact.body, Declared) and fact.body.draw is not UNSET:
                        draws[fact.body.draw.k] = fact.turn
                case SealOpened(k=k, turn=turn):
                    del secrets[draws[k] if turn is UNSET else turn]
        return {
            seat: frozenset(
                turn
                for turn, (asker, audience) in secrets.items()
                if not _may_see(seat, roles.get(seat), asker, audience)
            )
            for seat in (*roles, "")
        }


def _may_see(seat: str, role: Role | None, asker: str, audience: str) -> bool:
    if role in (Role.HOUSE, Role.AUDITOR):
        return True
    to_gm, to_asker = {"gm": (True, True), "blind": (True, False), "self": (False, True)}[audience]
    return (to_gm and role is Role.GM) or (to_asker and seat == asker)
