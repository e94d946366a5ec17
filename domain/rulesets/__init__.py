"""The registry of playable rulesets.

To add a ruleset, add its package's `ruleset` object to `RULESETS`. If a rule changes, give the
ruleset a new edition and add the previous edition to `EARLIER_EDITIONS`.
"""

from __future__ import annotations

from domain.ruleset import AnyRuleset
from domain.rulesets import deckahedron, dhextiny, fansys, kingdoms, open as open_table, pentola

RULESETS: tuple[AnyRuleset, ...] = (
    dhextiny.ruleset,
    pentola.ruleset,
    deckahedron.ruleset,
    kingdoms.ruleset,
    fansys.ruleset,
    open_table.ruleset,
)
"""The newest edition of each ruleset."""
EARLIER_EDITIONS: tuple[AnyRuleset, ...] = (
    dhextiny.edition_1,
    pentola.edition_1,
    deckahedron.edition_1,
    kingdoms.edition_1,
    fansys.edition_1,
)
"""Editions whose sessions can still be played and whose logs can still be verified."""
RULESETS_BY_EDITION: dict[tuple[str, str], AnyRuleset] = {
    (ruleset.name, ruleset.edition): ruleset for ruleset in (*RULESETS, *EARLIER_EDITIONS)
}
