"""What things are called in plots: ids with their display names, slugs, and numbers in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec import UNSET, UnsetType

from domain.session.telling import fill
from projections.figures import Test, Verdict

SLUG = r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?"
"""What a plot's name looks like."""
_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")
VERDICTS: dict[Verdict, str] = {
    "fair": "as chance gives",
    "lucky": "lucky beyond chance",
    "unlucky": "unlucky beyond chance",
    "uneven": "uneven beyond chance",
    "few": "too few draws to say",
}


class Names:
    """What seats and entities are called, no two of them alike: by display name, with the id where that is in doubt."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` as domain.session.telling has them: entities by id, seats by id under @."""
        self._names = names
        self._times = Counter(names.values())

    def seat(self, seat: str) -> str:
        return self._called(f"@{seat}", seat)

    def entity(self, entity: str) -> str:
        """Of the frame's counts, a seat under @."""
        return (
            f"{self.seat(entity[1:])} (seat)"
            if entity.startswith("@")
            else self._called(entity, entity)
        )

    def fill(self, line: str) -> str:
        """A told line with the names in it."""
        return fill(line, self._names)

    def _called(self, key: str, bare: str) -> str:
        """Its name alone, unless others have it, or it could be an id or a name with one behind it."""
        name = self._names.get(key, bare)
        if name == bare:
            return name
        in_doubt = self._times[name] > 1 or name.endswith(")") or _ID.fullmatch(name)
        return f"{name} ({bare})" if in_doubt else name


def slug(*words: str) -> str:
    """The words as a plot's name."""
    joined = re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")
    return joined[:76].strip("-")


def natural(word: str) -> tuple[int, float, str]:
    """To sort by: numbers as numbers, before words."""
    return (0, float(word), "") if re.fullmatch(r"-?\d{1,9}(\.\d{1,6})?", word) else (1, 0.0, word)


def tested(test: Test | UnsetType) -> str:
    """What a test found, with its p alone and as corrected for all tests of the report."""
    if test is UNSET:
        return "not tested"
    if test.verdict == "few":
        return VERDICTS["few"]
    return f"{VERDICTS[test.verdict]} (p {chance(test.p)}, corrected {chance(test.adjusted)})"


def chance(p: float) -> str:
    return "below 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def listed(said: Iterable[str], most: int = 6) -> str:
    """The first of them, and how many more there are."""
    every = list(said)
    more = len(every) - most
    return "; ".join(every[:most]) + (f"; and {more} more" if more > 0 else "")
