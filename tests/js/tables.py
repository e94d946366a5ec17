"""A table's evening, made by hand of the documents alone: every seat with its chain, and the tools to bend it.

table = Table()                                   # opened, the house and three seats with their chains
table.draw("p1")                                  # declared, everyone gives, the house draws
file = table.file()
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from domain.proof import hash_chain, merkle_tree
from domain.proof.signed_note import ED25519, Vkey, sign_checkpoint, vkey_text
from service.platform.keys import Signer

SESSION = bytes(range(16))
ORIGIN = f"test.example/sessions/{SESSION.hex()}"
LOG = Signer(hashlib.sha256(b"log").digest())
LENGTH = 20
B = bytes(range(32))
"""What blinds secret draws."""

Body = dict[str, Any]


def jcs(told: object) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def random(*parts: object) -> bytes:
    return hashlib.sha256(jcs([str(part) for part in parts])).digest()


class Seat:
    """A seat with its key, its chain in use and the position that comes next."""

    def __init__(self, name: str, role: str) -> None:
        self.name, self.role, self.nth = name, role, 0
        self.signer = Signer(random("key", name))
        self.chain, self.position = -1, 1
        self.links: tuple[bytes, ...] = ()

    def next_chain(self, length: int = LENGTH) -> Body:
        """Its fields in SeatTaken and ChainAnchored."""
        self.chain, self.position = self.chain + 1, 1
        last = random("link", self.name, self.chain)
        self.links = hash_chain.links(SESSION, self.name, self.chain, last, length)
        return {
            "anchor": self.links[0].hex(),
            "chain": self.chain,
            "length": length,
            "seat": self.name,
        }

    def signed(self, body: Body) -> Body:
        message = hash_chain.seat_message(jcs(body | {"session": SESSION.hex()}))
        return body | {"signature": self.signer.sign(message).hex()}

    def moved(self, kind: str, **fields: object) -> Body:
        self.nth += 1
        return {"kind": f"session.{kind}", "nth": self.nth, "seat": self.name, **fields}


class Table:
    """The log so far: (turn, seat, body) of each event, and its leaves."""

    def __init__(
        self, draws: str = "table", roles: Mapping[str, str] | None = None, length: int = LENGTH
    ) -> None:
        self.events: list[tuple[int, str, Body]] = []
        self.leaves: list[str] = []
        self.turn, self.k, self.length = 0, 0, length
        self.vkey = vkey_text(Vkey(ORIGIN, ED25519, LOG.public))
        self.seats = {"house": Seat("house", "house")}
        opened = {
            "kind": "session.Opened",
            "draws": draws,
            "edition": "1",
            "log_key": self.vkey,
            "options": {},
        }
        self.add("house", opened | {"ruleset": "nowhere", "title": "a table"})
        self.sit("house")
        for name, role in (roles or {"gm": "gm", "p1": "player", "p2": "player"}).items():
            self.seats[name] = Seat(name, role)
            self.sit(name)

    @property
    def version(self) -> int:
        return len(self.leaves)

    def add(self, seat: str, body: Body, turn: int | None = None) -> int:
        """One more event, in a turn of its own or in that one: its version."""
        self.turn = self.turn + 1 if turn is None else max(turn, self.turn)
        self.events.append((turn or self.turn, seat, body))
        salt, version = self.salt(self.version + 1), self.version + 1
        leaf = {
            "at": 1000 * version,
            "body": hash_chain.labelled_hash("body", salt, jcs(body)).hex(),
            "seat": seat,
            "session": SESSION.hex(),
            "turn": turn or self.turn,
            "v": 1,
            "version": version,
        }
        self.leaves.append(jcs(leaf).decode())
        return version

    @staticmethod
    def salt(version: int) -> bytes:
        return random("salt", version)

    def sit(self, name: str, **fields: object) -> int:
        """A seat takes its place with its next chain."""
        seat = self.seats[name]
        taken = {
            "kind": "session.SeatTaken",
            "public_key": seat.signer.public.hex(),
            "role": seat.role,
        }
        return self.add(name, seat.signed(taken | seat.next_chain(self.length) | fields))

    def anchor(self, name: str, shows: bool = True) -> int:
        """A seat's next chain, with the old one's next link."""
        seat = self.seats[name]
        shown = {"previous_link": seat.links[seat.position].hex()} if shows else {}
        return self.add(
            name,
            seat.signed({"kind": "session.ChainAnchored", **shown, **seat.next_chain(self.length)}),
        )

    def move(self, name: str, kind: str, by: str | None = None, **fields: object) -> int:
        """SeatLeft or PresenceSet: signed, or by another seat without a signature."""
        seat = self.seats[name]
        body = seat.moved(kind, **fields)
        return self.add(by or name, body if by else seat.signed(body))

    def declare(
        self,
        by: str,
        names: Iterable[str] | None = None,
        secret: bool = False,
        turn: int | None = None,
    ) -> Body:
        """A wish that waits for these seats, all if not said: its draw."""
        given = sorted(self.seats if names is None else names)
        draw: Body = {
            "contributors": [
                [name, self.seats[name].chain, self.seats[name].position] for name in given
            ]
        }
        draw["k"] = self.k
        wish: Body = {"command": self.command}
        if secret:
            draw["blind"] = hash_chain.blind_commitment(SESSION, self.k, B).hex()
            wish = {
                "audience": "gm",
                "command_commitment": hash_chain.command_commitment(B, jcs(self.command)).hex(),
            }
        self.k += 1
        self.add(by, {"kind": "session.Declared", "draw": draw, **wish}, turn)
        for name in given:
            self.seats[name].position += 1
        return draw | {"version": self.version, "turn": self.turn}

    command: ClassVar[Body] = {"kind": "nowhere.Roll", "sides": 6}

    def give(self, draw: Body, name: str, **fields: object) -> Body:
        """A seat's contribution, signed as it is."""
        number, position = next((nth, at) for seat, nth, at in draw["contributors"] if seat == name)
        hashes = [merkle_tree.leaf_hash(leaf.encode()) for leaf in self.leaves[: draw["version"]]]
        given: Body = {
            "chain": number,
            "link": self.links_of(name, number)[position].hex(),
            "position": position,
            "seat": name,
            "seen_root": merkle_tree.root_of(hashes).hex(),
            "seen_size": len(hashes),
            **fields,
        }
        bound = {"draw": draw["k"], "request": hashes[-1].hex(), "session": SESSION.hex()}
        message = hash_chain.contribution_message(jcs(given | bound))
        return given | {"signature": self.seats[name].signer.sign(message).hex()}

    def receipt(self, draw: Body, name: str, by: str = "house", /, **fields: object) -> Body:
        """What a seat keeps of a contribution: the signed object, and the house's signature."""
        given = self.give(draw, name)
        given.pop("signature")
        request = merkle_tree.leaf_hash(self.leaves[draw["version"] - 1].encode()).hex()
        signed = given | {"draw": draw["k"], "request": request, "session": SESSION.hex(), **fields}
        return {
            "contribution": signed,
            "receipt": self.seats[by].signer.sign(hash_chain.receipt_message(jcs(signed))).hex(),
        }

    def end(
        self, draw: Body, silent: Sequence[str] = (), values: object = None, **fields: object
    ) -> int:
        """Drawn, or DrawVoided where a seat is missing."""
        came = [self.give(draw, name) for name, _, _ in draw["contributors"] if name not in silent]
        ended: Body = {"contributions": came, "k": draw["k"]}
        if silent:
            ended |= {"kind": "session.DrawVoided", "missing": sorted(silent)}
        else:
            drawn = [] if "blind" in draw else self.values(draw)
            ended |= {"kind": "session.Drawn", "values": drawn if values is None else values}
        return self.add("house", ended | fields, draw["turn"])

    def seed(self, draw: Body) -> bytes:
        """What all links of a draw make."""
        links = [
            (name, nth, at, self.links_of(name, nth)[at]) for name, nth, at in draw["contributors"]
        ]
        return hash_chain.seed(SESSION, draw["k"], links, B if "blind" in draw else b"")

    def links_of(self, name: str, nth: int) -> tuple[bytes, ...]:
        return hash_chain.links(SESSION, name, nth, random("link", name, nth), self.length)

    def values(self, draw: Body) -> list[list[int]]:
        return [[6, hash_chain.value(self.seed(draw), 0, 6)]]

    def draw(
        self,
        by: str,
        names: Iterable[str] | None = None,
        missing: Sequence[str] = (),
        secret: bool = False,
    ) -> Body:
        """A whole draw with its fact, where it was not given up."""
        draw = self.declare(by, names, secret)
        self.end(draw, missing)
        if not missing:
            self.add(by, {"kind": "nowhere.Rolled", "k": draw["k"]}, draw["turn"])
        return draw

    def open_seal(self, draw: Body, **fields: object) -> int:
        """The opening of a secret draw; of one that was given up with `values` []."""
        opened = {
            "blind": B.hex(),
            "command": self.command,
            "k": draw["k"],
            "kind": "session.SealOpened",
        }
        return self.add("gm", opened | {"salt": B.hex(), "values": self.values(draw)} | fields)

    def file(self, hidden: Iterable[int] = ()) -> bytes:
        """The file, without the openings of some versions."""
        manifest = {"edition": "1", "log_key": self.vkey, "origin": ORIGIN, "ruleset": "nowhere"}
        lines = [jcs(manifest | {"session": SESSION.hex(), "v": 1})]
        for version, (leaf, (_, _, body)) in enumerate(
            zip(self.leaves, self.events, strict=True), 1
        ):
            opening = {"opening": {"body": body, "salt": self.salt(version).hex()}}
            lines.append(jcs({"leaf": leaf} | ({} if version in hidden else opening)))
        root = merkle_tree.root_of([merkle_tree.leaf_hash(leaf.encode()) for leaf in self.leaves])
        note = sign_checkpoint(ORIGIN, self.version, root, LOG.public, LOG.sign)
        return b"".join(line + b"\n" for line in [*lines, jcs({"checkpoint": note})])
