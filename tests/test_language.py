"""The language of the repository: private terms do not come back, and docstrings begin with a verb."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("domain", "projections", "service", "workers")

REMOVED = {
    "room": "ruleset",
    "evening": "session",
    "wish": "command",
    "sight": "table of a seat",
    "nudge": "enqueue",
    "spine": "command handler",
    "rung": "level",
    "shadow": "voided result",
    "deed": "last command",
    "nobody": "no one",
    "somebody": "the role that is meant",
    "whoever": "the role that is meant",
    "mend": "fix",
}
"""Private terms of earlier versions, and what to write instead."""

NAMES_ALONE = {"beside": "side rows"}
"""Ordinary words that may be written in a sentence, but do not name anything in the code."""

ALLOWED = {
    "rung": ["domain/verify/*"],  # a key of the JSON report, until 1.0
    "nobody": ["domain/rulesets/pentola/*"],  # the slug of a refusal
    "room": ["service/charts/svg/*"],  # space on a page
    "deed": ["domain/session/state.py", "domain/rulesets/pentola/*"],  # keys of stored snapshots
}
"""Files in which a removed term is the name of something stored or published."""

EXEMPT = (
    "domain/rulesets/*/RULES.md",  # the rulebooks' own words
    "domain/rulesets/*/presentation.py",  # texts of golden logs
    "domain/session/descriptions.py",  # texts of golden logs
)

NO_VERB = (
    " a all an and any as at back both by down each either every everything for from how if in it "
    "its neither no none of on once one only or same so such that the their then there these they "
    "this those to until what when where whether which while who whose why with "
)
"""First words of docstrings that show that no verb is coming."""


def sources(*suffixes: str) -> Iterator[Path]:
    """Yield the files of the packages and the documents that are held to the language."""
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*")]
    files += [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").rglob("*.md")]
    for path in sorted(files):
        name = str(path.relative_to(ROOT))
        if path.suffix in suffixes and not any(fnmatch(name, pattern) for pattern in EXEMPT):
            yield path


def parts(text: str) -> set[str]:
    """Return the words of a text in lower case, identifiers taken apart, plurals as singulars."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)
    lowered = {word.lower() for word in words}
    return (
        lowered
        | {word.removesuffix("s") for word in lowered}
        | {word.removesuffix("es") for word in lowered}
    )


def is_allowed(word: str, path: Path) -> bool:
    name = str(path.relative_to(ROOT))
    return any(fnmatch(name, pattern) for pattern in ALLOWED.get(word, ()))


def test_removed_terms_do_not_come_back() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {word} -> {REMOVED[word]}"
        for path in sources(".py", ".md", ".toml")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for word in sorted(REMOVED.keys() & parts(line))
        if not is_allowed(word, path)
    ]
    assert found == []


def test_removed_names_do_not_come_back() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string} -> {NAMES_ALONE[word]}"
        for path in sources(".py")
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.NAME
        for word in NAMES_ALONE.keys() & set(token.string.lower().split("_"))
        if not is_allowed(word, path)
    ]
    assert found == []


def test_a_removed_term_is_seen() -> None:
    assert {"room", "rung"} <= parts("def climb_rungs(theRoom)")


def test_nine_of_ten_public_functions_begin_with_a_verb_or_say_nothing() -> None:
    """Ruff's D401 checks the form of the verb; this counts what it does not recognise as one."""
    total, without = 0, []
    for path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            total += 1
            first = re.match(r"\W*(\w+)", ast.get_docstring(node) or "")
            if first and f" {first[1].lower()} " in NO_VERB:
                without.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    print(f"{len(without)} of {total} public functions have a docstring without a verb")
    assert len(without) <= total / 10, without


def test_no_module_is_beside_the_ten_packages_of_the_service() -> None:
    modules = {path.name for path in (ROOT / "service").glob("*.py")}
    assert modules == {"__init__.py", "__main__.py", "wsgi.py"}
