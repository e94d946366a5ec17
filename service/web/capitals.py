"""Names of commands, fields and rules as the rulebook writes their words: `ap max` as `AP max`."""

from __future__ import annotations

import re
from functools import lru_cache

from domain.ruleset import AnyRuleset
from service.http.routes.rulesets import ruleset_view

_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"[A-Za-z]{2,}")


def capitals(ruleset: AnyRuleset, words: str) -> str:
    """The words with those in capitals that the rules never write otherwise."""
    known = _always_so(ruleset_view(ruleset).rules)
    return _WORD.sub(lambda word: word[0].upper() if word[0].upper() in known else word[0], words)


@lru_cache
def _always_so(rules: str) -> frozenset[str]:
    words = set(_WORD.findall(_CODE.sub("", rules)))
    return frozenset(
        word for word in words if word.isupper() and not {word.lower(), word.title()} & words
    )
