"""Where a command would lead a token, held against what it does."""

from __future__ import annotations

import msgspec
import pytest

from domain.available_commands import available_commands
from domain.codec import decode_command
from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from domain.session.messages import Declared
from service.http.routes.rulesets import ruleset_view
from service.web.effects import effects
from service.web.fields import fields
from tests.browser.table_states import played

EVERY, RARELY = 7, 60  # versions: of a game with a ring, of another


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_number_leads_to_the_point_that_it_says(ruleset: AnyRuleset) -> None:
    evening, seen = played(ruleset).evening, 0
    for fact in evening.facts[:: EVERY if has_ring(ruleset) else RARELY]:
        before = evening.then(fact.version)
        if "gm" not in before.info.seats or before.info.closed or before.pending is not None:
            continue
        by = before.by("gm")
        for choice in available_commands(before, by):
            if choice.example is msgspec.UNSET:
                continue
            schema = ruleset_view(ruleset).commands[choice.kind]
            example = msgspec.to_builtins(choice.example)
            for each in effects(before, by, type(choice.example), list(fields(schema)), example):
                assert each.refused is None or each.refused.rule
                assert (
                    before.ruleset.show(before.table).boards[each.board].points[each.point]
                    in each.said
                )
                seen += 1
    assert (seen > 0) == has_ring(ruleset)


def has_ring(ruleset: AnyRuleset) -> bool:
    boards = ruleset.show(ruleset.decider.initial(ruleset.options())).boards
    return any(board.shape == "ring" for board in boards.values())


def test_what_was_done_led_where_it_was_said() -> None:
    checked = 0
    for ruleset in RULESETS:
        evening = played(ruleset).evening
        for fact in evening.facts:
            if not isinstance(fact.body, Declared) or not fact.body.command:
                continue
            before, wish = (
                evening.then(fact.version - 1),
                decode_command(ruleset, fact.body.command),
            )
            schema = ruleset_view(ruleset).commands[str(type(wish).__struct_config__.tag)]
            if not any(field.sort == "number" for field in fields(schema)):
                continue
            example = msgspec.to_builtins(wish)
            for each in effects(
                before, before.by(fact.seat), type(wish), list(fields(schema)), example
            ):
                if each.value == example[each.field]:
                    after = evening.then(_end(evening.facts, fact.version))
                    assert after.ruleset.show(after.table).boards[each.board].at == each.point
                    checked += 1
    assert (checked > 5) == any(map(has_ring, RULESETS))


def _end(facts: list[object], version: int) -> int:
    """The last version of a version's turn."""
    turn = facts[version - 1].turn  # type: ignore[attr-defined]
    return max(fact.version for fact in facts[version - 1 : version + 12] if fact.turn == turn)  # type: ignore[attr-defined]
