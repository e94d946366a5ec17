"""Labels for charts: seat and entity names, slugs, and formatted numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import UNSET, UnsetType

from domain.session.descriptions import fill
from projections.statistics_model import ChanceTest, Verdict

SLUG = r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?"
"""The pattern for a chart's slug."""
VERDICTS: Mapping[Verdict, str] = {
    "fair": "consistent with chance",
    "lucky": "lucky beyond chance",
    "unlucky": "unlucky beyond chance",
    "uneven": "uneven beyond chance",
    "few": "too few draws to say",
}
_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")


class Names:
    """Labels for seats and entities: the name, followed by the id if the name is ambiguous."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """Store the names, keyed by entity id or by seat id prefixed with "@"."""
        self._names = names
        self._times = Counter(names.values())

    def seat(self, seat: str) -> str:
        return self._label(f"@{seat}", seat)

    def entity(self, entity: str) -> str:
        """Return the entity's label.

        An id that consists of "@" and a seat id stands for that seat.
        """
        if entity.startswith("@"):
            return f"{self.seat(entity[1:])} (seat)"
        return self._label(entity, entity)

    def fill(self, line: str) -> str:
        return fill(line, self._names)

    def _label(self, key: str, bare: str) -> str:
        name = self._names.get(key, bare)
        if name == bare or name.endswith(f" ({bare})"):  # `display_names` has added the id already
            return name
        # A name could be another seat's id, or end like a label with an id.
        in_doubt = self._times[name] > 1 or name.endswith(")") or _ID.fullmatch(name)
        return f"{name} ({bare})" if in_doubt else name


def slug(*words: str) -> str:
    joined = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")
    return joined[:76].strip("-")


def natural_key(word: str) -> tuple[int, float, str]:
    """Return a sort key that orders numbers by value and puts them before words."""
    return (0, float(word), "") if re.fullmatch(r"-?\d{1,9}(\.\d{1,6})?", word) else (1, 0.0, word)


def describe_test(test: ChanceTest | UnsetType) -> str:
    """Return the test's verdict with its raw and corrected p-values.

    The correction accounts for the number of tests.
    """
    if test is UNSET:
        return "not tested"
    if test.verdict == "few":
        return VERDICTS["few"]
    p, adjusted = format_p(test.p), format_p(test.adjusted)
    return f"{VERDICTS[test.verdict]} (p {p}, corrected {adjusted})"


def format_p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def join(items: Iterable[str], limit: int = 6) -> str:
    """Join the first `limit` items, and append the number of items that were left out."""
    every = list(items)
    more = len(every) - limit
    return "; ".join(every[:limit]) + (f"; and {more} more" if more > 0 else "")
