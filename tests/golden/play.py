"""A room's own evening, played as its script says: the same bytes from the same seed on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec

from domain import bundle
from domain.decider import Refused, Role
from domain.proof import note, tree
from domain.ruleset import Message, Room
from domain.session.messages import Close, Narrate, Rewind
from domain.session.telling import fill, names, tell
from tests.evenings import Evening


def script_of(room: Room) -> dict[str, Any]:
    """The room's evening as it stands in its folder."""
    script: dict[str, Any] = json.loads((files(f"domain.rulesets.{room.name}") / "evening.json").read_text())
    return script


class Play:
    """One evening at a table without a server; AssertionError where a step goes otherwise than the script says."""

    def __init__(self, room: Room, seed: int = 2026) -> None:
        self.room, self.script = room, script_of(room)
        seats = [(seat["seat"], Role(seat["role"]), seat["name"]) for seat in self.script["seats"]]
        options, title = self.script["options"], self.script["title"]
        self.evening = Evening(seed, room, options, title=title, seats=seats)
        self.refused: list[str] = []
        self._marks: dict[str, int] = {}
        for step in self.script["steps"]:
            self._step(step)

    def exported(self) -> list[bytes]:
        """The lines of its .fairlog file."""
        evening, room = self.evening, self.room
        key = note.vkey_text(note.Vkey(evening.origin, note.ED25519, evening.log_key.public))
        size = evening.session.version
        root = tree.root(evening.head.frontier, size)
        signed = note.sign_checkpoint(evening.origin, size, root, evening.log_key.public, evening.log_key.sign)
        manifest = bundle.Manifest(room.edition, key, evening.origin, room.name, evening.id, 1)
        return list(bundle.write(manifest, evening.facts, [signed]))

    def told(self) -> Iterator[str]:
        """The told lines, by version."""
        shown = names(self.evening.session)
        return (f"{fact.version:4} {fill(tell(self.room, fact), shown)}" for fact in self.evening.facts)

    def _step(self, step: dict[str, Any]) -> None:
        if "mark" in step:
            self._marks[step["mark"]] = self.evening.session.version
            return
        said = self._said(step["by"], self._command(step), step.get("faces"))
        assert said == step.get("refused"), (step, said)
        if said is not None:
            self.refused.append(said)

    def _said(self, seat: str, command: Message, faces: list[int] | None) -> str | None:
        """The rule that refused the command, if one did."""
        try:
            self.evening.do(seat, command, None if faces is None else tuple(faces))
        except Refused as refused:
            return refused.rule
        return None

    def _command(self, step: dict[str, Any]) -> Message:
        match step:
            case {"do": {"kind": kind, **fields}}:
                of = next(command for command in self.room.commands if command.__struct_config__.tag == kind)
                return msgspec.convert({"kind": kind, **fields}, of)
            case {"rewind": mark, "reason": reason}:
                return Rewind(self._marks[mark], reason)
            case {"narrate": text}:
                return Narrate(text)
            case {"close": {"carry": carry}}:
                return Close(carry)
        raise TypeError(step)
