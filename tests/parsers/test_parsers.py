"""Every parser of the house under hypothesis: a value or its own no, never anything else, never late, never growing."""

from __future__ import annotations

import pytest

from tests.parsers import file_parsers, log_parsers
from tests.parsers.law import Parser, holds
from tests.support.scale import LONG, scale

PARSERS = [*log_parsers.parsers(), *file_parsers.parsers()]
EXAMPLES = scale(2, 100)
SECONDS = scale(0, 240) / len(PARSERS)


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@pytest.mark.timeout(0 if LONG else 120)
@pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)
def test_a_value_or_its_own_no(parser: Parser) -> None:
    told = holds(parser, SECONDS, EXAMPLES)
    assert told.total() >= EXAMPLES
