"""The rooms: one explicit tuple. A ruleset is one folder and one name here."""

from __future__ import annotations

from domain.ruleset import Room
from domain.rulesets import deckahedron, dhextiny, fansys, kingdoms, pentola

RULESETS: tuple[Room, ...] = (
    dhextiny.ruleset,
    pentola.ruleset,
    deckahedron.ruleset,
    kingdoms.ruleset,
    fansys.ruleset,
)
ROOMS: dict[tuple[str, str], Room] = {(room.name, room.edition): room for room in RULESETS}
