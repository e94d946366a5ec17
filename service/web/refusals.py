"""A refusal at the table, in words: with the sentences of the rulebook that name its rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import resources

from flask import url_for

from domain.decider import Detail
from domain.ruleset import AnyRuleset
from service.http.routes.rulesets import ruleset_view
from service.sessions.refusal_texts import refusal_text
from service.web.rulebook import Sentence, rulebook_or_text, spans
from service.web.saying import No, Said

_LINE = re.compile(r"(\d+)\. (.+)")
_CHAPTER = re.compile(r"## (\d+) ")


def no_of(
    ruleset: AnyRuleset, rule: str, facts: Mapping[str, Detail], names: Mapping[str, str]
) -> No:
    """Of the room's own rule, or else of the frame's; ids among the facts are told by their names."""
    own = [
        _linked(ruleset, sentence)
        for sentence in _sentences(ruleset)
        if f"<code>{rule}</code>" in sentence.words
    ]
    told = refusal_text(rule, facts, names, ruleset.refusals)
    return No(rule, *told, tuple(own[:2] or _of_frame().get(rule, ())))


def _linked(ruleset: AnyRuleset, sentence: Sentence) -> Said:
    link = url_for("Rules.ruleset", ruleset=ruleset.name, _anchor=f"rule-{sentence.number}")
    return Said(sentence.number, sentence.words, link)


def _sentences(ruleset: AnyRuleset) -> Iterator[Sentence]:
    for chapter in rulebook_or_text(ruleset_view(ruleset).rules).chapters:
        yield from (part for part in chapter.parts if isinstance(part, Sentence))


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
                found.setdefault(slug, []).append(
                    Said(f"{chapter}.{sentence[1]}", spans(sentence[2]), "")
                )
    return {slug: said[:1] for slug, said in found.items()}
