"""A table that no game lays: names that are markup, ids that objects have, counts beyond their bounds."""

from __future__ import annotations

from typing import Any

from service.web.picture import Ahead
from service.web.ring import Way

WAYS = (Way("ring", 4, 6, face=6), Way("ring", 4, 2, price="4 AP"), Way("ring", 0, 1, price="0 AP"))
AHEAD = (
    Ahead("ring", 2, "alter 1 -> PS, 1 AP"),
    Ahead("ring", 3, "alter 2 -> S, 4 AP", "Only 3 AP are left."),
)
CARDS = {"D06": {"says": "success"}, "D07": {"says": "<b>"}}
ODD: dict[str, Any] = {
    "entities": {
        "constructor": {
            "name": "{{ana}} <b>",
            "seat": "p9",
            "kind": "thing",
            "status": "ok",
            "sheet": {
                "10": "b",
                "9": "a",
                "__proto__": "x",
                "Ä": "1",
                "Z": "2",
                "\U0001f600": "3",
                "\uff5e": "4",
            },
        },
        "ana": {"name": "Ana", "seat": "p1", "kind": "PC", "status": "ok"},
    },
    "boards": {
        "ring": {"shape": "ring", "points": ["F", "PF", "PS", "S", "PS", "PF"], "at": 1},
        "eight": {"shape": "ring", "points": list("abcdefgh"), "at": 7},
    },
    "pools": {
        "ana.ap": {"entity": "ana", "label": "AP", "now": -2, "max": 12},
        "ana.hp": {"entity": "ana", "label": "HP", "now": 7, "max": 30},
        "ana.x": {"entity": "ana", "label": "X", "now": 3},
        "ana.none": {"entity": "ana", "label": "None", "now": 0, "max": 0},
        "pot": {"entity": "", "label": "Pot", "now": 14, "max": 12},
    },
    "decks": {
        "ana": {"left": 1, "up": ["D05", *CARDS], "discard": ["D01"]},
        **{
            f"ana.{edge}": {"left": 2, "up": ["D05"], "edge": edge}
            for edge in ("top", "right", "bottom", "left")
        },
        "constructor": {"left": 20},
        "house": {"left": 0, "discard": ["a", "b"]},
    },
    "dice": {"ana.oil.lamp": {"sides": 0}, "ana.rope": {"sides": 4, "chain": [4]}},
    "conditions": {
        "ana.wet": {"entity": "ana", "label": "Wet", "rounds": 1},
        "ana.b": {"entity": "ana", "label": "Blind"},
    },
    "order": {"moment": {"ids": ["ana", "toString"], "at": "ana"}, "none": {"ids": []}},
    "tasks": {
        "check": {"seat": "p1", "label": "check", "waits": "roll"},
        "x": {
            "seat": "valueOf",
            "label": "flip",
            "waits": "you",
            "sheet": {"entity": "ana", "card": "D05"},
        },
    },
}
BEFORE: dict[str, Any] = ODD | {
    "boards": {"ring": ODD["boards"]["ring"] | {"at": 4}},
    "conditions": {
        "ana.wet": {"entity": "ana", "label": "Wet"},
        "lost": {"entity": "gone", "label": "Lost"},
    },
    "order": {"moment": {"ids": ["ana", "ben"], "at": "ben"}},
    "pools": {
        "ana.hp": {"entity": "ana", "label": "HP", "now": 9, "max": 30},
        "ana.x": {"entity": "ana", "label": "X", "now": 3, "max": 3},
    },
    "dice": {"ana.oil.lamp": {"sides": 4, "chain": [4]}},
    "tasks": {"old": {"seat": "p1", "label": "old", "waits": "roll"}},
}
