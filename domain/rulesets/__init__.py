"""The registry of playable rulesets.

To add a ruleset, add its package's `ruleset` object to `RULESETS`.
"""

from __future__ import annotations

from domain.ruleset import AnyRuleset
from domain.rulesets import deckahedron, dhextiny, fansys, kingdoms, pentola

RULESETS: tuple[AnyRuleset, ...] = (
    dhextiny.ruleset,
    pentola.ruleset,
    deckahedron.ruleset,
    kingdoms.ruleset,
    fansys.ruleset,
)
RULESETS_BY_EDITION: dict[tuple[str, str], AnyRuleset] = {
    (ruleset.name, ruleset.edition): ruleset for ruleset in RULESETS
}
