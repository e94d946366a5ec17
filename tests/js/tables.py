"""A table's evening, made by hand of the documents alone: every seat with its chain, and the tools to bend it.

table = Table()                                   # opened, the house and three seats with their chains
table.draw("p1")                                  # declared, everyone gives, the house draws
file = table.file()
table = Table(log_format=2, deadline=5)           # of format 2, with another option or field in Opened
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, ClassVar

from domain.proof import hash_chain, merkle_tree
from domain.proof.signed_note import ED25519, Vkey, sign_checkpoint, vkey_text
from service.platform.keys import Signer

SESSION = bytes(range(16))
ORIGIN = f"test.example/sessions/{SESSION.hex()}"
LOG = Signer(hashlib.sha256(b"log").digest())
LENGTH = 20
HOUSE_LENGTH = 256
"""The links of the server's chains in format 2, if not said otherwise: the least that it allows."""
SECOND = 1000
"""Milliseconds between two events; in format 2 also the deadline, so that a void just keeps to it."""
B = bytes(range(32))
"""What blinds secret draws."""

Body = dict[str, Any]


def jcs(told: object) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def random(*parts: object) -> bytes:
    return hashlib.sha256(jcs([str(part) for part in parts])).digest()


@cache
def links_of(name: str, chain: int, length: int) -> tuple[bytes, ...]:
    last = random("link", name, chain)
    return hash_chain.links(SESSION, name, chain, last, length)


def entropy_of(k: int) -> str:
    """What a seat adds to draw k, in hex."""
    return random("entropy", k).hex()


def without_none(body: Body) -> Body:
    """The body without the fields that are to be left out."""
    return {name: value for name, value in body.items() if value is not None}


class Seat:
    """A seat with its key, its chain in use, the position that comes next and the last one shown."""

    def __init__(self, name: str, role: str) -> None:
        self.name, self.role, self.nth = name, role, 0
        self.signer = Signer(random("key", name))
        self.chain, self.position, self.shown = -1, 1, 0
        self.links: tuple[bytes, ...] = ()

    def next_chain(self, length: int = LENGTH, *, later: bool = False) -> Body:
        """Its fields in SeatTaken and ChainAnchored. The seat uses it at once, if not `later`."""
        links = links_of(self.name, self.chain + 1, length)
        fields: Body = {
            "anchor": links[0].hex(),
            "chain": self.chain + 1,
            "length": length,
            "seat": self.name,
        }
        if not later:
            self.use_next(length)
        return fields

    def use_next(self, length: int) -> None:
        self.chain, self.position, self.shown = self.chain + 1, 1, 0
        self.links = links_of(self.name, self.chain, length)

    @property
    def owed(self) -> str | None:
        """The link at the last position taken, in hex, if it was not shown."""
        last = self.position - 1
        return self.links[last].hex() if self.shown < last < len(self.links) else None

    def signed(self, body: Body) -> Body:
        message = hash_chain.seat_message(jcs(body | {"session": SESSION.hex()}))
        return body | {"signature": self.signer.sign(message).hex()}

    def moved(self, kind: str, **fields: object) -> Body:
        self.nth += 1
        return {"kind": f"session.{kind}", "nth": self.nth, "seat": self.name, **fields}


class Table:
    """The log so far: (turn, seat, body) of each event, and its leaves."""

    def __init__(
        self,
        draws: str = "table",
        roles: Mapping[str, str] | None = None,
        length: int = LENGTH,
        log_format: int = 1,
        *,
        house_length: int = HOUSE_LENGTH,
        commits: bool = True,
        deadline: object = 1,
        **opened: object,
    ) -> None:
        """Open a table.

        `opened` are further fields of Opened. A deadline of None leaves the option out. If `commits`,
        the server of format 2 commits to the blind of the next draw.
        """
        self.events: list[tuple[int, str, Body]] = []
        self.leaves: list[str] = []
        self.hashes: list[bytes] = []
        self.turn, self.k, self.length = 0, 0, length
        self.format, self.house_length = log_format, length if log_format == 1 else house_length
        self.commits = commits and log_format > 1
        self.vkey = vkey_text(Vkey(ORIGIN, ED25519, LOG.public))
        self.seats = {"house": Seat("house", "house")}
        first = {
            "kind": "session.Opened",
            "draws": draws,
            "edition": "1",
            "log_key": self.vkey,
            "options": {},
        }
        if log_format > 1:
            first |= {"format": log_format, "options": without_none({"deadline": deadline})}
        first |= {"ruleset": "nowhere", "title": "a table"} | opened
        self.add("house", without_none(first))
        self.sit("house")
        for name, role in (roles or {"gm": "gm", "p1": "player", "p2": "player"}).items():
            self.seats[name] = Seat(name, role)
            self.sit(name)

    def next_blind(self) -> str | None:
        """The commitment to the blind of the next draw. All blinds are B."""
        return hash_chain.blind_commitment(SESSION, self.k, B).hex() if self.commits else None

    def copy(self) -> Table:
        """The same table, which can go on in another way."""
        other = copy(self)
        other.events, other.leaves, other.hashes = [*self.events], [*self.leaves], [*self.hashes]
        other.seats = {name: copy(seat) for name, seat in self.seats.items()}
        return other

    @property
    def version(self) -> int:
        return len(self.leaves)

    def add(self, seat: str, body: Body, turn: int | None = None, at: int | None = None) -> int:
        """One more event, in a turn of its own or in that one, at a time: its version."""
        self.turn = self.turn + 1 if turn is None else max(turn, self.turn)
        self.events.append((turn or self.turn, seat, body))
        salt, version = self.salt(self.version + 1), self.version + 1
        leaf = {
            "at": SECOND * version if at is None else at,
            "body": hash_chain.labelled_hash("body", salt, jcs(body)).hex(),
            "seat": seat,
            "session": SESSION.hex(),
            "turn": turn or self.turn,
            "v": 1,
            "version": version,
        }
        self.leaves.append(jcs(leaf).decode())
        self.hashes.append(merkle_tree.leaf_hash(jcs(leaf)))
        return version

    @staticmethod
    def salt(version: int) -> bytes:
        return random("salt", version)

    def length_of(self, name: str) -> int:
        return self.house_length if name == "house" else self.length

    def sit(self, name: str, **fields: object) -> int:
        """A seat takes its place with its next chain; in format 2, with the link that it owes."""
        seat = self.seats[name]
        taken = {
            "kind": "session.SeatTaken",
            "public_key": seat.signer.public.hex(),
            "role": seat.role,
        }
        if self.format > 1:
            taken |= {"previous_link": seat.owed}
        if name == "house":
            taken |= {"next_blind": self.next_blind()}
        chain = seat.next_chain(self.length_of(name))
        return self.add(name, seat.signed(without_none(taken | chain | fields)))

    def anchor(self, name: str, shows: bool = True, **fields: object) -> int:
        """A seat's next chain. It shows the old one's next link; in format 2, the link that it owes."""
        seat, later = self.seats[name], self.format > 1 and name == "house"
        anchored: Body = {"kind": "session.ChainAnchored"}
        if shows and self.format == 1:
            anchored |= {"previous_link": seat.links[seat.position].hex()}
        elif shows:
            anchored |= {"previous_link": seat.owed}
        chain = seat.next_chain(self.length_of(name), later=later)
        return self.add(name, seat.signed(without_none(anchored | chain | fields)))

    def move(self, name: str, kind: str, by: str | None = None, **fields: object) -> int:
        """SeatLeft or PresenceSet: signed, or by another seat without a signature."""
        return self.add(by or name, self.moved(name, kind, by is None, **fields))

    def moved(self, name: str, kind: str, is_signed: bool = True, **fields: object) -> Body:
        """What a seat, or the server, says of its coming and going. None leaves a field out."""
        seat = self.seats[name]
        seen = self.seen() if is_signed and self.format > 1 else {}
        body = without_none(seat.moved(kind, **(seen | fields)))
        return seat.signed(body) if is_signed else body

    def seen(self, size: int | None = None) -> Body:
        """The root of the first `size` events, or of all, as seats sign it."""
        hashes = self.hashes[:size]
        return {"seen_root": merkle_tree.root_of(hashes).hex(), "seen_size": len(hashes)}

    def declare(
        self,
        by: str,
        names: Iterable[str] | None = None,
        secret: bool = False,
        turn: int | None = None,
        entropy: str | None = None,
        command: Body | None = None,
    ) -> Body:
        """A wish that waits for these seats, all if not said: its draw."""
        given = sorted(self.seats if names is None else names)
        house = self.seats["house"]
        if self.format > 1 and house.position > self.house_length:
            house.use_next(self.house_length)
        draw: Body = {
            "contributors": [
                [name, self.seats[name].chain, self.seats[name].position] for name in given
            ]
        }
        draw["k"] = self.k
        if entropy is not None:
            draw["entropy"] = entropy
        command = command or self.command
        wish: Body = {"command": command}
        if secret:
            draw["blind"] = hash_chain.blind_commitment(SESSION, self.k, B).hex()
            wish = {
                "audience": "gm",
                "command_commitment": hash_chain.command_commitment(B, jcs(command)).hex(),
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
        given: Body = {
            "chain": number,
            "link": self.links_of(name, number)[position].hex(),
            "position": position,
            "seat": name,
            **self.seen(draw["version"]),
            **fields,
        }
        request = self.hashes[draw["version"] - 1].hex()
        bound = {"draw": draw["k"], "request": request, "session": SESSION.hex()}
        message = hash_chain.contribution_message(jcs(given | bound))
        return given | {"signature": self.seats[name].signer.sign(message).hex()}

    def receipt(self, draw: Body, name: str, by: str = "house", /, **fields: object) -> Body:
        """What a seat keeps of a contribution: the signed object, and the house's signature."""
        given = self.give(draw, name)
        given.pop("signature")
        request = self.hashes[draw["version"] - 1].hex()
        signed = given | {"draw": draw["k"], "request": request, "session": SESSION.hex(), **fields}
        return {
            "contribution": signed,
            "receipt": self.seats[by].signer.sign(hash_chain.receipt_message(jcs(signed))).hex(),
        }

    def end(
        self,
        draw: Body,
        silent: Sequence[str] = (),
        values: object = None,
        at: int | None = None,
        **fields: object,
    ) -> int:
        """Drawn, or DrawVoided where a seat is missing. None leaves a field out."""
        came = [name for name, _, _ in draw["contributors"] if name not in silent]
        ended: Body = {"contributions": [self.give(draw, name) for name in came], "k": draw["k"]}
        if silent:
            ended |= {"kind": "session.DrawVoided", "missing": sorted(silent)}
        else:
            drawn = [] if "blind" in draw else self.values(draw)
            ended |= {"kind": "session.Drawn", "values": drawn if values is None else values}
            ended |= {"entropy": draw.get("entropy")}
        ended |= {"next_blind": self.next_blind()}
        for name, nth, position in draw["contributors"]:
            if name in came and self.seats[name].chain == nth:
                self.seats[name].shown = position
        return self.add("house", without_none(ended | fields), draw["turn"], at)

    def seed(self, draw: Body, log_format: int | None = None) -> bytes:
        """What all links of a draw make, in the log's format or in another."""
        links = [
            (name, nth, at, self.links_of(name, nth)[at]) for name, nth, at in draw["contributors"]
        ]
        entropy = bytes.fromhex(draw.get("entropy", ""))
        blind = B if "blind" in draw else b""
        if (log_format or self.format) == 1:
            return hash_chain.seed(SESSION, draw["k"], links, blind)
        return hash_chain.seed(SESSION, draw["k"], links, blind, entropy)

    def links_of(self, name: str, nth: int) -> tuple[bytes, ...]:
        return links_of(name, nth, self.length_of(name))

    def values(self, draw: Body, log_format: int | None = None) -> list[list[int]]:
        return [[6, hash_chain.value(self.seed(draw, log_format), 0, 6)]]

    def draw(
        self,
        by: str,
        names: Iterable[str] | None = None,
        missing: Sequence[str] = (),
        secret: bool = False,
        entropy: str | None = None,
    ) -> Body:
        """A whole draw with its fact, where it was not given up."""
        draw = self.declare(by, names, secret, entropy=entropy)
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

    def file(self, hidden: Iterable[int] = (), **fields: object) -> bytes:
        """The file, without the openings of some versions, with fields of the manifest changed."""
        manifest = {"edition": "1", "log_key": self.vkey, "origin": ORIGIN, "ruleset": "nowhere"}
        lines = [jcs(manifest | {"session": SESSION.hex(), "v": self.format} | fields)]
        for version, (leaf, (_, _, body)) in enumerate(
            zip(self.leaves, self.events, strict=True), 1
        ):
            opening = {"opening": {"body": body, "salt": self.salt(version).hex()}}
            lines.append(jcs({"leaf": leaf} | ({} if version in hidden else opening)))
        root = merkle_tree.root_of([merkle_tree.leaf_hash(leaf.encode()) for leaf in self.leaves])
        note = sign_checkpoint(ORIGIN, self.version, root, LOG.public, LOG.sign)
        return b"".join(line + b"\n" for line in [*lines, jcs({"checkpoint": note})])
