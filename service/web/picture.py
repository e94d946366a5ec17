"""What the template of the table asks: whose a part is, what it is called, what changed; static/page/parts.js alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.web.ring import Ring, Way, fixed, pip

Part = dict[str, Any]  # a part of domain.table.Table, as JSON
Row = tuple[str, Part]
Kinds = Mapping[str, Mapping[str, Part]]

WATCHED = {
    "boards": "index",
    "conditions": "rounds",
    "decks": "remaining",
    "dice": "sides",
    "entities": "status",
    "order": "current",
    "pools": "now",
    "tasks": "waits",
}
COUNTED = ("conditions", "decks", "pools")
PIPS = 12


class Pips(NamedTuple):
    """A pool's points as two lines of circles; a meter, so wide of 166, for more than 12."""

    is_meter: bool
    width: str
    full: str
    void: str


class Ahead(NamedTuple):
    """A point that can be reached, as a button: what it would be, and why it cannot."""

    board: str
    point: int
    label: str
    refused: str | None = None


class Hint(NamedTuple):
    """What no part of the table says: how the token went, what cards show ({card: {says}}), what is ahead."""

    ways: tuple[Way, ...] = ()
    cards: Mapping[str, Mapping[str, str]] = {}
    ahead: tuple[Ahead, ...] = ()


class Picture(NamedTuple):
    """A table as JSON, the names of ids and of seats (@gm), and the table before, to mark what changed."""

    table: Kinds
    names: Mapping[str, str]
    before: Kinds | None = None
    hint: Hint = Hint()

    def rows(self, kind: str) -> list[Row]:
        """The parts of a kind, by id."""
        return sorted_rows(self.table.get(kind, {}))

    def cast(self) -> list[Row]:
        """The entities, player characters first."""
        return sorted(self.rows("entities"), key=lambda row: row[1]["kind"] != "PC")

    def with_gone(self, kind: str) -> list[Row]:
        """The same with those that are gone since."""
        return sorted_rows({**(self.before or {}).get(kind, {}), **self.table.get(kind, {})})

    def boards(self, between: bool) -> list[Row]:
        """Those of the table, or those that lie between entities."""
        return [
            row
            for row in self.rows("boards")
            if self.has("entities", row[0].split(".")[0]) == between
        ]

    def of(self, rows: list[Row], who: str | None) -> list[Row]:
        """Those that belong to the entity, or for None to nobody."""
        return [(name, part) for name, part in rows if self._owner(name, part) == who]

    def has(self, kind: str, name: str) -> bool:
        return name in self.table.get(kind, {})

    def name(self, name: str) -> str:
        """Of an entity; anything else stays as it is."""
        entity = self.table.get("entities", {}).get(name)
        return str(entity["name"]) if entity else self.names.get(name, name)

    def seat(self, seat: str) -> str:
        return self.names.get(f"@{seat}", seat)

    def label(self, name: str, called: str | None = None) -> str:
        """`belfry.vesna.distance` in words: `The belfry, Vesna: distance`, or what it is called."""
        words = name.split(".")
        who = [each for each in words if self.has("entities", each)]
        what = called or " ".join(each for each in words if each not in who)
        return ": ".join(filter(None, (", ".join(map(self.name, who)), what)))

    def change(self, kind: str, name: str) -> str:
        """What changed, in a word or two: `+2`, `was PS`, `new`; empty where nothing did."""
        if self.before is None:
            return ""
        old, now = self.before.get(kind, {}).get(name), self.table.get(kind, {}).get(name)
        if now is None:
            return "gone"
        if old is None:
            return "" if self._is_of_new(kind, name, now) else "new"
        was, now_is = old.get(WATCHED[kind]), now.get(WATCHED[kind])
        if was == now_is or was is None or now_is is None:
            return "" if old == now else "changed"
        return _signed(now_is - was) if kind in COUNTED else f"was {self._said(kind, old)}"

    def was(self, entity: str, line: str, value: str) -> str:
        """The same of a line of an entity's sheet."""
        old = {} if self.before is None else self.before.get("entities", {})
        before = old[entity].get("sheet", {}).get(line) if entity in old else value
        return "" if before == value else "new" if before is None else f"was {before}"

    def counting(self, entity: str) -> list[str]:
        """The cards that count for what is open."""
        sheets = (task.get("sheet", {}) for task in self.table.get("tasks", {}).values())
        return [
            sheet["card"] for sheet in sheets if sheet.get("entity") == entity and "card" in sheet
        ]

    def ways(self, name: str) -> tuple[Way, ...]:
        """How the token of a board came to where it is: its last three ways at most; others are of another time."""
        board = self.table["boards"][name]
        found = tuple(way for way in self.hint.ways if way.board == name)[-3:]
        return found if found and found[-1].end % len(board["points"]) == board["index"] else ()

    def ring(self, board: Part) -> Ring:
        return Ring(len(board["points"]))

    def sorted(self, lines: Mapping[str, str]) -> list[tuple[str, str]]:
        return sorted_rows(lines)

    def chain(self, die: Part) -> list[int]:
        """The sides of a usage die now, and what it goes down to."""
        return [die["sides"], *die.get("chain", ())[1:]]

    def pips(self, pool: Part) -> Pips:
        full = max(0, pool["now"])
        most = max(full, pool.get("max", 0))
        circles = [pip(nth) for nth in range(most)] if most <= PIPS else []
        width = fixed(166 * full / most) if most else ""
        return Pips(most > PIPS, width, "".join(circles[:full]), "".join(circles[full:]))

    def ahead(self, name: str) -> list[Ahead]:
        return [each for each in self.hint.ahead if each.board == name]

    def _owner(self, name: str, part: Part) -> str | None:
        owner = part.get("entity", name.split(".")[0])
        return owner if self.has("entities", owner) else None

    def _is_of_new(self, kind: str, name: str, part: Part) -> bool:
        """Whether a part came with its entity, which is marked itself."""
        owner = self._owner(name, part)
        return (
            kind != "entities"
            and owner is not None
            and owner not in (self.before or {}).get("entities", {})
        )

    def _said(self, kind: str, old: Part) -> str:
        match kind:
            case "boards":
                return str(old["points"][old["index"]])
            case "dice":
                return f"d{old['sides']}"
            case "order":
                return self.name(old["current"])
        return str(old[WATCHED[kind]])


def sorted_rows(parts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """By name, in JavaScript's order."""
    return sorted(parts.items(), key=lambda row: row[0].encode("utf-16-be"))


def _signed(number: int) -> str:
    return f"\N{MINUS SIGN}{-number}" if number < 0 else f"+{number}"
