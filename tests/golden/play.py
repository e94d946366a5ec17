"""A room's own evening, played as its script says: the same bytes from the same seed on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from domain import log_file
from domain.codec import encode
from domain.decider import Refused, Role
from domain.proof import merkle_tree, signed_note
from domain.ruleset import AnyRuleset, Message
from domain.session.descriptions import describe, fill, names
from domain.session.messages import Close, Declare, Fork, Narrate, OpenSeal, Rewind
from tests.support.sessions import ScriptedSession


def script_of(ruleset: AnyRuleset) -> dict[str, Any]:
    """The room's evening as it stands in its folder."""
    script: dict[str, Any] = json.loads(
        (files(f"domain.rulesets.{ruleset.name}") / "example_session.json").read_text()
    )
    return script


class Mark(NamedTuple):
    """What a mark stands for: the version that it was set at, and the turn that had just been taken."""

    version: int
    turn: int


class Play:
    """One evening at a table without a server; AssertionError where a step goes otherwise than the script says."""

    def __init__(self, ruleset: AnyRuleset, seed: int = 2026) -> None:
        self.ruleset, self.script = ruleset, script_of(ruleset)
        seats = [(seat["seat"], Role(seat["role"]), seat["name"]) for seat in self.script["seats"]]
        options, title = self.script["options"], self.script["title"]
        self.evening = ScriptedSession(seed, ruleset, options, title=title, seats=seats)
        self.refused: list[str] = []
        self._marks: dict[str, Mark] = {}
        for step in self.script["steps"]:
            self._step(step)

    def exported(self) -> list[bytes]:
        """The lines of its .fairlog file."""
        evening, ruleset = self.evening, self.ruleset
        key = signed_note.vkey_text(
            signed_note.Vkey(evening.origin, signed_note.ED25519, evening.log_key.public)
        )
        size = evening.session.version
        root = merkle_tree.root(evening.head.frontier, size)
        signed = signed_note.sign_checkpoint(
            evening.origin, size, root, evening.log_key.public, evening.log_key.sign
        )
        manifest = log_file.Manifest(
            ruleset.edition, key, evening.origin, ruleset.name, evening.id, evening.log_format
        )
        return list(log_file.write(manifest, evening.facts, [signed]))

    def told(self) -> Iterator[str]:
        """The told lines, by version."""
        shown = names(self.evening.session)
        return (
            f"{fact.version:4} {fill(describe(self.ruleset, fact, self.evening.then), shown)}"
            for fact in self.evening.facts
        )

    def _step(self, step: dict[str, Any]) -> None:
        if "mark" in step:
            self._marks[step["mark"]] = Mark(
                self.evening.session.version, self.evening.session.turn
            )
            return
        said = self._said(step["by"], self._command(step))
        assert said == step.get("refused"), (step, said)
        if said is not None:
            self.refused.append(said)

    def _said(self, seat: str, command: Message) -> str | None:
        """The rule that refused the command, if one did."""
        try:
            self.evening.do(seat, command)
        except Refused as refused:
            return refused.rule
        return None

    def _command(self, step: dict[str, Any]) -> Message:
        audience = step.get("audience", UNSET)
        match step:
            case {"do": {"kind": kind, **fields}}:
                of = next(
                    command
                    for command in self.ruleset.commands
                    if command.__struct_config__.tag == kind
                )
                wish = msgspec.Raw(encode(msgspec.convert({"kind": kind, **fields}, of)))
                faces = tuple(step["faces"]) if "faces" in step else UNSET
                target = self._marks[step["target"]].version if "target" in step else UNSET
                return Declare(wish, faces, audience, target=target)
            case {"open": mark}:
                turn = self._marks[mark].turn
                return OpenSeal(turn, self.evening.kept.get(turn, UNSET))
            case {"fork": mark}:
                return Fork(self.evening.random.randbytes(16).hex(), self._marks[mark].version)
            case {"rewind": mark, "reason": reason}:
                return Rewind(self._marks[mark].version, reason)
            case {"narrate": text}:
                return Narrate(text, audience=audience)
            case {"close": {"carry_over": carry}}:
                return Close(carry)
        raise TypeError(step)
