"""The registry of playable rulesets.

To add a ruleset, add its package's `ruleset` object to `RULESETS`. If a rule changes, give the
ruleset a new edition and add the previous edition to `EARLIER_EDITIONS`.

A ruleset that is not part of Fairlog needs no change here. Its distribution names its rulesets as
entry points of the group `fairlog.rulesets`, its earlier editions included
(docs/writing-rulesets.md).
"""

from __future__ import annotations

from importlib.metadata import entry_points

from domain.ruleset import AnyRuleset
from domain.rulesets import deckahedron, dhextiny, fansys, kingdoms, open as open_table, pentola

GROUP = "fairlog.rulesets"
_BUILT_IN: tuple[AnyRuleset, ...] = (
    dhextiny.ruleset,
    pentola.ruleset,
    deckahedron.ruleset,
    kingdoms.ruleset,
    fansys.ruleset,
    open_table.ruleset,
)
_INSTALLED: tuple[AnyRuleset, ...] = tuple(point.load() for point in entry_points(group=GROUP))
RULESETS: tuple[AnyRuleset, ...] = (*_BUILT_IN, *_INSTALLED)
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
