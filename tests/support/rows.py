"""Tables of examples that one test checks whole.

A parametrised test costs milliseconds for each row, most of them outside the test. A table of
hundreds of rows is therefore one test, which reports every row that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from _pytest.outcomes import Failed

Row = TypeVar("Row")


def check_rows(rows: Iterable[Row], check: Callable[[Row], None]) -> None:
    """Check each row, and fail with the number, the row and the error of all that fail."""
    failed = []
    for nth, row in enumerate(rows):
        try:
            check(row)
        except (AssertionError, Failed) as error:
            failed.append(f"row {nth}, {row}: {error}")
    assert not failed, "\n".join(failed)
