"""The page of a ruleset: every sentence, command and option, odds of those who play, and what no rulebook is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from service.http.routes.rulesets import ruleset_view
from service.web.rulebook import rulebook, rulebook_or_text
from tests.service.web.test_pages import PEOPLE
from tests.service.web.test_review_pages import IDS, words
from tests.support.server import TestServer, settings_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestServer]:
    served = TestServer(settings_in(tmp_path))
    yield served
    served.close()


@pytest.mark.parametrize("ruleset", RULESETS, ids=IDS)
def test_the_page_of_a_ruleset_has_every_sentence_command_and_option(
    house: TestServer, ruleset: object
) -> None:
    shown = ruleset_view(ruleset)
    answer = house.client.get(f"/rulesets/{shown.name}", headers=PEOPLE)
    page = words(answer)
    for number, said in re.findall(r"^- (\d+\.\d+) (.+)$", shown.rules, re.MULTILINE):
        assert f"{number} {said.replace('`', '').replace('*', '')}" in page
        assert f'id="rule-{number}"' in answer.text
    for kind, schema in shown.commands.items():
        assert f"{kind.partition('.')[2]}: {' '.join(schema['description'].split())}" in page
        assert all(
            f"<code>{field}</code>" in answer.text
            for field in schema["properties"]
            if field != "kind"
        )
    assert all(f"<code>{name}</code>" in answer.text for name in shown.options["properties"])
    assert re.findall(r'href="#(rule-[^"]+)"', answer.text)
    assert set(re.findall(r'href="#([^"]+)"', answer.text)) <= set(
        re.findall(r'id="([^"]+)"', answer.text)
    )


CHANCES = [
    (Fraction(1, 5), "20.00 %"),
    (Fraction(1, 3), "33.33 %"),
    (Fraction(1, 20_000), "under 0.01 %"),
]


UNKNOWN = [
    "no title",
    "# T\n\n## 1 A\n\n* x",
    "# T\n\n## 1 A\n\n- no number",
    "# T\n\n## 1 A\n\n- 1.1 a *b",
    "# T\n\n> q",
]
UNKNOWN += ["# T\n\n## 1 A\n\n| a |\n| b |", "# T\n\n## 1 A\n\n- 1.1 a\n  b", "# T\n\n- 1.1 a"]


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_rulebook_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        rulebook(text)
    book = rulebook_or_text(f"{text}\n\n<a>")
    assert book.lead[-1] == "&lt;a&gt;"
    assert not book.chapters


def test_a_rulebook_is_escaped() -> None:
    book = rulebook("# T\n\n<a>\n\n## 1 A & B\n\n- 1.1 `<b>` *c* <i>\n\n| x |\n|---|\n| `<y>` |")
    [chapter] = book.chapters
    said, grid = chapter.parts
    assert (book.lead, chapter.title) == (["&lt;a&gt;"], "A &amp; B")
    assert said[1] == "<code>&lt;b&gt;</code> <em>c</em> &lt;i&gt;"
    assert grid[1] == [["<code>&lt;y&gt;</code>"]]
