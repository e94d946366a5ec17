"""A campaign that four people play by script at a real server, each with the product's own client.

The GM is mo. Everyone has only a personal token. In each session they take their seats with it, and
the seats draw together.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace

import fairlog
from domain.decider import Role
from domain.ruleset import Message
from domain.rulesets import RULESETS
from domain.rulesets.deckahedron import messages as deckahedron
from domain.rulesets.deckahedron.rules import Number
from domain.rulesets.dhextiny import messages as dhextiny
from domain.rulesets.fansys import commands as fansys
from domain.rulesets.fansys.rules.vocabulary import Nature
from domain.rulesets.kingdoms import messages as kingdoms
from domain.rulesets.open import messages as open_table
from domain.rulesets.pentola import commands as pentola
from domain.rulesets.pentola.rules import Characteristic, Difficulty
from service.client.contributions import first_chain_request
from service.client.seat_file import SeatFile, SeatFileData
from service.platform.clock import random_bytes
from tests.client.tables import listening
from tests.support.example import as_json, example_of, of
from tests.support.processes import eventually

GM = "mo"
PLAYERS = ("ana", "ben", "cleo")
REJOINS = "ben"
"""The person who takes their seat twice in each session, as after the loss of a token. In every
second session, they also have a second seat."""
CHAINED = "cleo"
"""The person who sends the seat's chain with the request to join. The other clients anchor it
later."""
RAT = "rat"
"""The GM's creature."""
DEADLINE_SECONDS = 120
"""How long a draw waits for its seats: longer than any pause of a shared machine."""
ROUNDS = 3
BOTH_OPENED_EVERY = 5
"""In every fifth session, the GM opens both secret rolls instead of one."""


class Reply(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Api:
    """Requests to one server, each with a connection and an idempotency key of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._keys = count(1)

    def send(
        self, method: str, path: str, token: str = "", body: object = None, key: str = ""
    ) -> Reply:
        headers = {"Idempotency-Key": key or f"a-request-of-the-campaign-{next(self._keys)}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)
        try:
            sent = None if body is None else json.dumps(body).encode()
            connection.request(method, path, sent, headers)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def ask(
        self, method: str, path: str, token: str = "", body: object = None, key: str = ""
    ) -> Any:
        """Return the JSON of an accepted request, or None if the response is empty."""
        reply = self.send(method, path, token, body, key)
        assert reply.status in (200, 201, 202, 204), (method, path, reply.status, reply.body)
        return reply.json if reply.body else None


class Game(NamedTuple):
    """What the script plays of a ruleset, besides its example.

    `faces` are physical dice for the example's draw, which `shuffle` comes before, and `die` is
    their name. The GM's rolls are `gm_roll`, after
    `prepare`.
    """

    ruleset: str
    guest: Message
    faces: tuple[int, ...]
    die: str
    gm_roll: Message
    prepare: tuple[Message, ...] = ()
    shuffle: tuple[Message, ...] = ()


EXAMPLES = {ruleset.name: example_of(ruleset) for ruleset in RULESETS}
GAMES = (
    Game(
        "dhextiny",
        EXAMPLES["dhextiny"].guest,
        (4,),
        "the red d6",
        dhextiny.CheckAside(RAT, aim="Hear them on the stairs"),
    ),
    Game(
        "open",
        EXAMPLES["open"].guest,
        (12,),
        "the old d20",
        open_table.Roll(RAT, "2d6"),
    ),
    Game(
        "deckahedron",
        deckahedron.CreateNpc(RAT, "Rat"),
        (3,),
        "the worn deck",
        deckahedron.FlipNumber(RAT, Number.D4),
        shuffle=(deckahedron.Reshuffle("ana"),),
    ),
    Game(
        "kingdoms",
        EXAMPLES["kingdoms"].guest,
        (7, 5),
        "the green dice",
        kingdoms.RollDice(3, 6, RAT),
    ),
    Game(
        "fansys",
        EXAMPLES["fansys"].guest,
        (7, 9),
        "the brass dice",
        fansys.Harm(RAT, Nature.NATURAL, 0, "the cold", 2, 4),
    ),
    Game(
        "pentola",
        EXAMPLES["pentola"].guest,
        (42,),
        "the two d10",
        pentola.RollTest(RAT),
        (pentola.DemandTest(RAT, Characteristic.BOD, Difficulty.NORMAL),),
    ),
)


class Table:
    """One session of the campaign: the clients of its seats, by person."""

    def __init__(self, api: Api, game: Game, session: str) -> None:
        self.api, self.game, self.session = api, game, session
        self.clients: dict[str, fairlog.Seat] = {}

    @property
    def path(self) -> str:
        return f"/v1/sessions/{self.session}"

    def ask(self, method: str, part: str, body: object = None, person: str = GM) -> Any:
        return self.api.ask(method, self.path + part, self.clients[person].data.token, body)

    def version(self) -> int:
        return int(self.ask("GET", "")["version"])

    def command(self, person: str, command: Message, **fields: Any) -> Any:
        """Send a command with the person's client, and wait for its draw to end.

        Return the response to the command.
        """
        client = self.clients[person]
        answer = client.command(as_json(command), **fields)
        if "waiting" in answer:
            assert eventually(lambda: client.watcher.open_draw is None, DEADLINE_SECONDS), answer
        return answer

    def begin(self) -> None:
        """Create a character for each player, and a creature for the GM."""
        for person in PLAYERS:
            self.command(person, self._brought(person))
        self.command(GM, self.game.guest)

    def add_second_seat(self) -> str:
        """Let another seat create a character, without a client. Return its id."""
        seat = f"{REJOINS}-two"
        offer = self.ask("POST", "/invitations", {"role": "player", "seat": seat})
        token = self.api.ask("POST", "/v1/seats", body={"code": offer["code"]})["token"]
        body = {"command": as_json(self._brought(f"imp-{self.session[:6]}"))}
        self.api.ask("POST", f"{self.path}/commands", token, body)
        return seat

    def _brought(self, entity: str) -> Message:
        """Return the command that creates the character."""
        bring = EXAMPLES[self.game.ruleset].bring
        return replace(bring, entity=entity, name=entity.capitalize())

    def roll(self, entity: str, by: str = "", **fields: Any) -> None:
        """Play a roll of the character. `by` sends it instead of the player."""
        example, player = EXAMPLES[self.game.ruleset], by or entity
        ready = () if self.game.ruleset == "open" else example.ready
        for role, command in ready:
            self.command(GM if role is Role.GM else player, of(entity, command))
        self.command(player, of(entity, example.draw), **fields)
        for role, command in example.over:
            self.command(GM if role is Role.GM else player, of(entity, command))

    def roll_by_hand(self, person: str, **name: str) -> None:
        """Play a roll of the person's character, with the faces of physical dice."""
        for command in self.game.shuffle:
            self.command(person, of(person, command))
        self.roll(person, faces=self.game.faces, **name)

    def roll_of_the_gm(self, **fields: str) -> int:
        """Let the GM roll for the creature. Return the turn."""
        for command in self.game.prepare:
            self.command(GM, command)
        return int(self.command(GM, self.game.gm_roll, **fields)["turn"])

    def play(self, number: int) -> None:
        """Play the script of one session, and close it."""
        for person in PLAYERS * ROUNDS:
            self.roll(person)
        self.roll_of_the_gm()
        opened, kept = self.roll_of_the_gm(audience="gm"), self.roll_of_the_gm(audience="gm")
        self.ask("POST", "/open-secret", {"turn": opened})
        before = self.version()
        self.roll("ben")
        self.ask("POST", "/rewind", {"to": before, "reason": "Ben was asleep"})
        self.roll_by_hand("ana", dice_name=self.game.die)
        self.roll_by_hand("ben", dice_name=self.game.die)
        self.roll_by_hand("cleo")
        self.roll("ben", by=GM)
        self.clients["ana"].narrate("So it goes.")
        if number % BOTH_OPENED_EVERY == 0:
            self.ask("POST", "/open-secret", {"turn": kept})
        self.ask("POST", "/close", {"carry_over": True})

    def export(self, file: Path, person: str = "") -> Path:
        """Store the session's log as the person may see it, or as everyone may."""
        token = self.clients[person].data.token if person else ""
        reply = self.api.send("GET", f"{self.path}/export", token)
        assert reply.status == 200, reply.body
        file.write_bytes(reply.body)
        return file


class Campaign:
    """The campaign, the personal tokens of its people, and the tables that were played.

    `joined` has the address and the idempotency key with which each person last took a seat.
    """

    def __init__(self, api: Api, folder: Path) -> None:
        self.api, self.folder = api, folder
        body = {"title": "The long road", "person": GM, "name": "Mo"}
        made = api.ask("POST", "/v1/campaigns", body=body)
        self.id, self.tokens = str(made["campaign"]), {GM: str(made["token"])}
        self.tables: list[Table] = []
        self.joined: dict[str, tuple[str, str]] = {}
        for person in PLAYERS:
            self.add(person)

    @property
    def path(self) -> str:
        return f"/v1/campaigns/{self.id}"

    def ask(self, method: str, part: str = "", body: object = None, person: str = GM) -> Any:
        return self.api.ask(method, self.path + part, self.tokens[person], body)

    def add(self, person: str) -> None:
        body = {"person": person, "name": person.capitalize()}
        self.tokens[person] = self.ask("POST", "/people", body)["token"]

    def play(self, sessions: int) -> None:
        """Play the sessions: a new game, then one that continues it, and so on."""
        for number in range(1, sessions + 1):
            game = GAMES[(number - 1) // 2 % len(GAMES)]
            with self._seated(number, game) as table:
                if number % 2:
                    table.begin()
                else:
                    path = f"/sessions/{table.session}/seats/{table.add_second_seat()}"
                    self.ask("PUT", path, {"person": REJOINS})
                table.play(number)

    def statistics(self) -> Any:
        """Return the statistics when they are current, and contain each session's last version."""
        found: list[Any] = []

        def is_current() -> bool:
            answer = self.ask("GET", "/statistics")
            if not answer.get("current"):
                return False
            versions = {each["id"]: each["version"] for each in self.ask("GET")["sessions"]}
            lines = {each["session"]: each["version"] for each in answer["figures"]["lines"]}
            found[:] = [answer["figures"]]
            return lines == versions and answer["figures"]["sessions"] == len(versions)

        assert eventually(is_current, 120), (found, self.ask("GET")["sessions"])
        return found[0]

    def _open(self, number: int, game: Game) -> Any:
        """Let the GM open the next session, and return the ticket."""
        body: dict[str, Any] = {"title": f"Session {number}"}
        if number % 2:
            options = {"declared_dice": True, "listed": True, "deadline": DEADLINE_SECONDS}
            body |= {"ruleset": game.ruleset, "options": options, "draws": "table"}
        return self.ask("POST", "/sessions", body)

    @contextmanager
    def _seated(self, number: int, game: Game) -> Iterator[Table]:
        """Seat all four at a new session. Their clients listen until it is over."""
        ticket = self._open(number, game)
        table = Table(self.api, game, ticket["session"])
        with ExitStack() as ending:
            self.join(REJOINS, table).close()
            for person in (GM, *PLAYERS):
                client = table.clients[person] = (
                    fairlog.sit(self.api.url, ticket, self._file(table, person))
                    if person == GM
                    else self.join(person, table)
                )
                ending.callback(client.close)
            raised = ending.enter_context(listening(*table.clients.values()))
            yield table
        assert raised == []
        self.tables.append(table)

    def _file(self, table: Table, person: str) -> Path:
        return self.folder / f"{table.session}.{person}.seat"

    def join(self, person: str, table: Table) -> fairlog.Seat:
        """Let the person take their seat with the personal token, and return their client."""
        file = self._file(table, person)
        if person != CHAINED:
            return fairlog.sit(self.api.url, self._ask_to_join(person, table, {}), file)
        keys = random_bytes().hex(), random_bytes().hex()
        data = SeatFileData(self.api.url, table.session, person, "", "", "", *keys, since=None)
        seat_file = SeatFile(file, data)
        body = {"seat": person, "chain": first_chain_request(seat_file, Role.PLAYER)}
        ticket = self._ask_to_join(person, table, body)
        data.token, data.log_key = ticket["token"], ticket["log_key"]
        data.origin = ticket["origin"]
        seat_file.save()
        return fairlog.resume(file)

    def _ask_to_join(self, person: str, table: Table, body: object) -> Any:
        part, key = f"/sessions/{table.session}/join", random_bytes().hex()
        self.joined[person] = part, key
        return self.api.ask("POST", self.path + part, self.tokens[person], body, key)
