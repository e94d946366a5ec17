"""What a player reads beside a command before it is taken: the deck's counts, and the odds of the next flip."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.service.http.playing import House, settings_in

COUNTS = [  # of 20 cards on the edge of that rank, from categorical failure to unconditional success: digest 1
    ("Strength", 1, (8, 4, 6, 2)),
    ("Dexterity", 4, (2, 6, 4, 8)),
]
RESULTS = ("categorical failure", "failure", "success", "unconditional success")


class Table:
    """A GM and one player of Deckahedron over HTTP."""

    def __init__(self, folder: Path) -> None:
        self.client = House(settings_in(folder)).client
        opened = self.post(
            "", {"ruleset": "deckahedron", "title": "Odds", "name": "Mo"}, "", "/v1/sessions"
        )
        self.path, self.gm = f"/v1/sessions/{opened['session']}", opened["token"]
        code = self.post("/invitations", {"role": "player"}, self.gm)["code"]
        self.player = self.post("", {"code": code, "seat": "p1"}, "", "/v1/seats")["token"]

    def post(self, below: str, body: dict[str, Any], token: str, path: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.post((path or self.path) + below, json=body, headers=headers)
        assert answer.status_code == 201, answer.text
        return answer.json

    def do(self, token: str, kind: str, **fields: Any) -> None:
        self.post("/commands", {"command": {"kind": f"deckahedron.{kind}", **fields}}, token)

    def flip(self) -> Any:
        answer = self.client.get(
            f"{self.path}/commands", headers={"Authorization": f"Bearer {self.player}"}
        )
        return next(line for line in answer.json["commands"] if line["kind"] == "deckahedron.Flip")


@pytest.mark.parametrize(("stat", "rank", "counts"), COUNTS)
def test_the_counts_of_a_whole_deck_stand_beside_the_flip(
    tmp_path: Path, stat: str, rank: int, counts: tuple[int, ...]
) -> None:
    table = Table(tmp_path)
    table.do(table.player, "CreateCharacter", entity="ana", name="Ana")
    table.do(table.player, "DistributeRanks", entity="ana", strength=1, dexterity=4, intelligence=1)
    assert table.flip()["allowed"] is False
    table.do(table.gm, "SetDifficulty", entity="ana", stat=stat, difficulty="standard")
    flip = table.flip()
    assert flip["example"]["entity"] == "ana"
    odds = {result: Fraction(*said["chance"]) for result, said in flip["odds"].items()}
    assert odds == {
        result: Fraction(count, 20) for result, count in zip(RESULTS, counts, strict=True)
    }
