"""A refusal in words: the sentence of the rulebook that names its rule, where that stands, and the facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from flask import url_for
from markupsafe import Markup

from domain.decider import Detail
from domain.ruleset import Room
from service.console.rulebook import Sentence, rulebook, spans
from service.http.rulesets import described

_LINE = re.compile(r"(\d+)\. (.+)")
_CHAPTER = re.compile(r"## (\d+) ")


class Said(NamedTuple):
    """`link` leads to the sentence; "" where no page has it, as of the rules that every game has."""

    number: str
    words: Markup
    link: str


class No(NamedTuple):
    """The rule's slug, the sentences that speak of it, and the facts as name and value."""

    rule: str
    said: list[Said]
    facts: list[tuple[str, str]]

    @property
    def short(self) -> str:
        """In a few words."""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts)
        return self.rule.replace("-", " ") + (f" ({facts})" if facts else "")


def no_of(room: Room, rule: str, facts: Mapping[str, Detail], names: Mapping[str, str]) -> No:
    """Of the room's own rule, or else of the frame's; ids among the facts are told by their names."""
    own = [_linked(room, sentence) for sentence in _sentences(room) if f"<code>{rule}</code>" in sentence.words]
    told = [(name.replace("_", " "), _fact(value, names)) for name, value in facts.items()]
    return No(rule, own[:2] or _of_frame().get(rule, []), told)


def _linked(room: Room, sentence: Sentence) -> Said:
    link = url_for("Rules.ruleset", ruleset=room.name, _anchor=f"rule-{sentence.number}")
    return Said(sentence.number, sentence.words, link)


def _sentences(room: Room) -> Iterator[Sentence]:
    for chapter in rulebook(described(room).rules).chapters:
        yield from (part for part in chapter.parts if isinstance(part, Sentence))


def _fact(value: Detail, names: Mapping[str, str]) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return names.get(value, names.get(f"@{value}", value))
        case int():
            return str(value)
    return ", ".join(names.get(each, each) for each in value) or "none"


@lru_cache
def _of_frame() -> dict[str, list[Said]]:
    """By slug, the sentences of the rules that every session has."""
    text = resources.files("domain.session").joinpath("RULES.md").read_text("utf-8")
    found: dict[str, list[Said]] = {}
    chapter = ""
    for line in text.splitlines():
        if begun := _CHAPTER.match(line):
            chapter = begun[1]
        elif sentence := _LINE.fullmatch(line):
            for slug in re.findall(r"`([a-z-]+)`", line):
                found.setdefault(slug, []).append(Said(f"{chapter}.{sentence[1]}", spans(sentence[2]), ""))
    return {slug: said[:1] for slug, said in found.items()}
