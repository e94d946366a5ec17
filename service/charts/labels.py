"""Labels for charts: seat and entity names, slugs, and formatted numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import UNSET

from domain.session.descriptions import fill
from projections.statistics_model import ALPHA, DECLARED, ChanceTest, TestName, Verdict

SLUG = r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?"
"""The pattern for a chart's slug."""
VERDICTS: Mapping[Verdict, str] = {
    "fair": "consistent with chance",
    "few": "too few draws to say",
    "lucky": "lucky",
    "unlucky": "unlucky",
    "uneven": "uneven",
    "even": "too even",
    "repeating": "too many repetitions",
    "changing": "too few repetitions",
}
TESTS: Mapping[TestName, str] = {
    "luck": "luck",
    "streak": "the longest streak",
    "faces": "all values together",
    "even": "evenness",
    "mean": "the mean",
    "repeats": "repetitions",
}
TYPED_IN = "Typed-in dice"
NO_VERDICT_ON_RANGE = "A range of versions has no verdict, because it can be chosen by its results."
LEGEND = (
    "Compared with fair dice and the same rolls. How good a success was counts, too. The line is "
    "the average, and half of all sessions end in the shaded part."
)
"""What the scale from unlucky to lucky shows."""
EXPLANATION = (
    "z measures luck: 0 is average and positive is lucky. Chance alone takes z beyond -2 or +2 in "
    "about 5 of 100 sessions. p says how often chance alone gives at least what was seen: with p "
    "0.05, in 5 of 100 sessions. Of many tests, some have a small p by chance, so p is corrected "
    f"for the number of tests. Only a corrected p below {ALPHA} is suspicious. The tests cover "
    "every roll, also those that were undone."
)
"""What z and p mean, for readers without statistics."""
_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")
_NUMBER = re.compile(r"(-?\d{1,9}(?:\.\d{1,6})?)(?: to -?\d{1,9})?")


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
    """Return a sort key that orders numbers by value and puts them before words.

    A range such as "11 to 20" is ordered by its first number.
    """
    number = _NUMBER.fullmatch(word)
    return (0, float(number[1]), "") if number else (1, 0.0, word)


def apart(origin: str) -> tuple[str, ...]:
    """Return the words that tell a chart's slug from that of drawn values."""
    return (origin,) if origin == DECLARED else ()


def titled(title: str, origin: str) -> str:
    """Return the title, with a note if the chart shows typed-in values."""
    return f"{title}, {TYPED_IN.lower()}" if origin == DECLARED else title


def describe_tests(tests: Mapping[TestName, ChanceTest]) -> str:
    """Return the name and the result of each test."""
    return "; ".join(f"{TESTS[name]}: {describe_test(test)}" for name, test in tests.items())


def describe_test(test: ChanceTest) -> str:
    """Return the test's verdict with its p-value and the one corrected for the number of tests."""
    if test.p is UNSET:
        return VERDICTS[test.verdict]
    corrected = "" if test.adjusted is UNSET else f", corrected {format_p(test.adjusted)}"
    return f"{VERDICTS[test.verdict]} (p {format_p(test.p)}{corrected})"


def format_p(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def join(items: Iterable[str], limit: int = 6) -> str:
    """Join the first `limit` items, and append the number of items that were left out."""
    every = list(items)
    more = len(every) - limit
    return "; ".join(every[:limit]) + (f"; and {more} more" if more > 0 else "")
