"""Bad input: each kind has its own code, changes no byte of the log and is never the server's fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from domain.ruleset import Message
from domain.rulesets import RULESETS
from tests.support.example import EXAMPLE, FIRST, as_json, example_of, kind
from tests.support.server import KEY, SessionClient, TestServer, laid, settings_in

Ask = Callable[[SessionClient], TestResponse]
SIZED, FIELD, LEAST, MOST = EXAMPLE.sized
DRAW = kind(EXAMPLE.draw)
PLAIN = {"command": as_json(EXAMPLE.plain)}


def wish(command: Message, **fields: Any) -> dict[str, Any]:
    """A command, with other fields."""
    return {"command": as_json(command) | fields}


def sized(number: object) -> dict[str, Any]:
    return wish(SIZED, **{FIELD: number})


def raw(body: bytes, content_type: str = "application/json", path: str = "/commands") -> Ask:
    def ask(evening: SessionClient) -> TestResponse:
        headers = evening.headers("p1")
        return evening.house.client.post(
            evening.path + path, data=body, headers=headers, content_type=content_type
        )

    return ask


def sends(body: object, path: str = "/commands", seat: str | None = "p1", **headers: str) -> Ask:
    return lambda evening: evening.post(seat, path, body, **headers)


def gets(path: str, seat: str | None = "p1", **headers: str) -> Ask:
    return lambda evening: evening.get(seat, path, **headers)


def opens(**body: Any) -> Ask:
    given = {"ruleset": FIRST.name, "title": "x", **body}
    return lambda evening: evening.house.client.post("/v1/sessions", json=given)


def at(path: str, method: str = "GET") -> Ask:
    return lambda evening: evening.house.client.open(
        path, method=method, headers=evening.headers("p1")
    )


@pytest.mark.parametrize(
    "path", ["/v1/sessions", "/livez", "/join", "/nowhere", "/v1/sessions/{}/events"]
)
def test_an_address_that_is_not_utf_8_is_malformed(evening: SessionClient, path: str) -> None:
    """As bytes of a client that does not quote them."""
    environ = {"PATH_INFO": path.format(evening.session), "QUERY_STRING": "after=\x80"}
    answer = evening.house.client.open(environ_overrides=environ, headers=evening.headers("p1"))
    assert (answer.status_code, "malformed" in answer.text) == (422, True)


UNREADABLE = [
    b"", b"{", b"{'a':1}", b"\xff\xfe", b'{"command":NaN}', b'{"command":Infinity}', b'{"command":1e999}',
    b'{"command":"\\ud800"}', b'{"command":"\xed\xa0\x80"}', b"[" * 30_000, b'{"a":' * 10_000,
    b'{"command":' + b"9" * 5000 + b"}", b'{"faces":[1],"faces":[2]}', b"{}{}", b"\xef\xbb\xbf{}",
]  # fmt: skip
MALFORMED: list[object] = [
    [], "x", 1, {}, {"command": None}, {"command": []}, {"command": DRAW}, {"command": {}},
    {"command": {"kind": 3}}, {"command": {"kind": [DRAW]}}, {"command": {"kind": f"{FIRST.name}.Nothing"}},
    {"command": {"kind": "session.Rewind", "to": 1, "reason": "x"}}, {"command": {"kind": kind(FIRST.events[0])}},
    wish(SIZED, extra=1), sized(LEAST - 1), sized(MOST + 1), sized(-(10**30)), sized(10**30), sized(1.0),
    sized(1.5), sized("1"), sized(True), sized(None), sized([1]), wish(SIZED, entity=""),
    wish(SIZED, entity="Ana"), wish(SIZED, entity="ana\n"), wish(SIZED, entity="a" * 33), wish(SIZED, entity=7),
    wish(SIZED, entity=None), wish(SIZED, reason=""), wish(SIZED, reason="x" * 201), wish(SIZED, reason="a\x00b"),
    wish(SIZED) | {"faces": [0]}, wish(SIZED) | {"faces": [2**33]}, wish(SIZED) | {"faces": [1] * 201},
    wish(SIZED) | {"dice_name": "the red d6"}, wish(SIZED) | {"faces": [], "dice_name": ""},
    wish(SIZED) | {"faces": [], "dice_name": "x" * 41}, wish(SIZED) | {"faces": [], "dice_name": 6},
    wish(SIZED) | {"faces": [], "dice_name": "a\nb"}, wish(SIZED) | {"faces": [], "dice_name": " red"},
    wish(SIZED) | {"faces": "1"}, wish(SIZED) | {"who": "me"}, wish(EXAMPLE.bring, name="x" * 81),
]  # fmt: skip

ROWS: list[tuple[str, int, str, Ask]] = [
    *((f"unreadable: {body[:24]!r}", 400, "unreadable", raw(body)) for body in UNREADABLE),
    ("null", 422, "malformed", raw(b"null")),
    *((f"malformed: {str(body)[:60]}", 422, "malformed", sends(body)) for body in MALFORMED),
    ("a form", 415, "content-type", raw(b"a=1", "application/x-www-form-urlencoded")),
    ("no content type", 415, "content-type", raw(b"{}", "")),
    ("text", 415, "content-type", raw(b"{}", "text/plain")),
    ("XML in JSON's coat", 400, "unreadable", raw(b"<a/>")),
    ("10 MB", 413, "too-large", raw(b'{"command":"' + b"x" * 10_000_000 + b'"}')),
    ("10 MB of another type", 413, "too-large", raw(b"x" * 10_000_000, "application/octet-stream")),
    ("10 MB at a wrong address", 413, "too-large", raw(b"x" * 10_000_000, path="/nowhere")),
    ("unknown entity", 409, "no-such-entity", sends(wish(EXAMPLE.draw, entity="nobody"))),
    ("another seat's entity", 409, "not-yours", sends(PLAIN, seat="p2")),
    ("a spectator", 409, "role-may-not", sends(PLAIN, seat="watcher")),
    ("the GM's own command", 409, "gm-only", sends(wish(EXAMPLE.override))),
    ("dice where none may be typed in", 409, "declared-dice-off", sends(PLAIN | {"faces": [3]})),
    ("as many faces as the largest pool has", 409, "declared-dice-off", sends(PLAIN | {"faces": [3] * 200})),
    ("a player's rewind", 409, "gm-only", sends({"to": 2, "reason": "x"}, "/rewind")),
    ("a rewind to nowhere", 409, "rewind-beyond-end", sends({"to": 999, "reason": "x"}, "/rewind", "gm")),
    ("a rewind to 0", 422, "malformed", sends({"to": 0, "reason": "x"}, "/rewind", "gm")),
    ("a rewind without reason", 422, "malformed", sends({"to": 2}, "/rewind", "gm")),
    ("a narration about the future", 409, "about-nowhere", sends({"text": "x", "about": 999}, "/narrate")),
    ("a narration with a zero byte", 422, "malformed", sends({"text": "a\x00"}, "/narrate")),
    ("a narration too long", 422, "malformed", sends({"text": "x" * 4001}, "/narrate")),
    ("a player closes", 409, "gm-only", sends({"carry_over": False}, "/close")),
    ("carry that is no boolean", 422, "malformed", sends({"carry_over": "no"}, "/close", "gm")),
    ("a kind in a frame command", 422, "malformed", sends({"kind": "session.Close", "carry_over": False}, "/close", "gm")),
    ("entropy without k", 409, "entropy-incomplete", sends(PLAIN | {"entropy": "ab" * 32})),
    ("draw without entropy", 409, "entropy-incomplete", sends(PLAIN | {"draw": 0})),
    ("entropy too short", 422, "malformed", sends(PLAIN | {"entropy": "ab" * 31, "draw": 0})),
    ("entropy for a taken draw", 412, "draw-taken", sends(PLAIN | {"entropy": "ab" * 32, "draw": 0})),
    ("entropy for a draw to come", 409, "draw-not-next", sends(PLAIN | {"entropy": "ab" * 32, "draw": 99})),
    ("a stale version", 412, "version-conflict", sends(PLAIN, If_Match='"3"')),
    ("a version to come", 412, "version-conflict", sends(PLAIN, If_Match='"999"')),
    ("a weak version", 412, "version-conflict", sends(PLAIN, If_Match='W/"3"')),
    ("a bare version", 400, "unreadable", sends(PLAIN, If_Match="3")),
    ("several versions", 412, "version-conflict", sends(PLAIN, If_Match='"3", "4"')),
    ("a version with a zero in front", 412, "version-conflict", sends(PLAIN, If_Match='"03"')),
    ("a huge version", 412, "version-conflict", sends(PLAIN, If_Match=f'"{"9" * 400}"')),
    ("no version", 400, "unreadable", sends(PLAIN, If_Match="")),
    ("a key too short", 400, "unreadable", sends(PLAIN, Idempotency_Key="short")),
    ("a key too long", 400, "unreadable", sends(PLAIN, Idempotency_Key="x" * 129)),
    ("a key with a space", 400, "unreadable", sends(PLAIN, Idempotency_Key="x" * 10 + " " + "y" * 10)),
    ("an empty key", 400, "unreadable", sends(PLAIN, Idempotency_Key="")),
    ("no token", 401, "token-missing", sends(PLAIN, seat=None)),
    ("a forged token", 401, "token-invalid", sends(PLAIN, seat=None, Authorization="Bearer flt_" + "A" * 43)),
    ("no bearer", 401, "token-invalid", sends(PLAIN, seat=None, Authorization="Basic YTpi")),
    ("an empty bearer", 401, "token-invalid", sends(PLAIN, seat=None, Authorization="Bearer ")),
    ("a session that is none", 404, "not-found", at("/v1/sessions/" + "0" * 32)),
    ("a session id too short", 404, "not-found", at("/v1/sessions/123")),
    ("a session id in capitals", 404, "not-found", at("/v1/sessions/" + "A" * 32)),
    ("a session id out of the folder", 404, "not-found", at("/v1/sessions/..%2f..%2fetc")),
    ("a wrong method", 405, "method-not-allowed", at("/v1/rulesets", "DELETE")),
    ("a wrong address", 404, "not-found", at("/v1/nothing")),
    ("a doubled slash", 404, "not-found", at("/v1//sessions")),
    ("a version that is no number", 422, "malformed", gets("?version=x")),
    ("version 0", 422, "malformed", gets("?version=0")),
    ("a version beyond the head", 404, "not-found", gets("?version=999")),
    ("a version in Arabic digits", 422, "malformed", gets("?version=%D9%A3")),
    ("two versions", 422, "malformed", gets("?version=1&version=2")),
    ("an unknown question", 422, "malformed", gets("?when=1")),
    ("a page below zero", 422, "malformed", gets("/events?after=-1")),
    ("a page of none", 422, "malformed", gets("/events?limit=0")),
    ("a page beyond all measure", 422, "malformed", gets("/events?limit=10001")),
    ("a proof of nothing", 422, "malformed", gets("/proofs/inclusion")),
    ("a proof beyond the head", 404, "not-found", gets("/proofs/inclusion?version=999")),
    ("a proof beyond its tree", 404, "not-found", gets("/proofs/inclusion?version=5&size=4")),
    ("a proof backwards", 404, "not-found", gets("/proofs/consistency?from=5&to=4")),
    ("odds of the refused", 409, "refused", sends(wish(EXAMPLE.override), "/odds")),
    ("an invitation by a player", 409, "gm-only", sends({"role": "player"}, "/invitations")),
    ("an invitation to be GM", 422, "malformed", sends({"role": "gm"}, "/invitations", "gm")),
    ("an invitation for nobody", 422, "malformed", sends({"role": "player", "max_uses": 0}, "/invitations", "gm")),
    ("an unknown invitation", 404, "not-found", at("/v1/invitations/fli_" + "A" * 43)),
    ("an invitation that is none", 404, "not-found", at("/v1/invitations/a.b")),
    ("another's seat named", 409, "not-your-seat", sends({"name": "x"}, "/seats/p2/name")),
    ("a name of control characters", 422, "malformed", sends({"name": "a\tb"}, "/seats/p1/name")),
    ("a seat that is no id", 404, "not-found", sends({"name": "x"}, "/seats/P1/name")),
    ("hand-over by a player", 409, "gm-only", sends({"seat": "p1"}, "/hand-over")),
    ("hand-over to a spectator", 409, "not-a-player", sends({"seat": "watcher"}, "/hand-over", "gm")),
    ("hand-over to nobody", 409, "seat-unknown", sends({"seat": "p9"}, "/hand-over", "gm")),
    ("an unknown ruleset", 422, "malformed", opens(ruleset="chess")),
    ("a ruleset that is a list", 422, "malformed", opens(ruleset=[FIRST.name])),
    ("an unknown edition", 422, "malformed", opens(edition="9")),
    ("an unknown option", 422, "malformed", opens(options={"cheating": True})),
    ("an option out of range", 422, "malformed", opens(options={EXAMPLE.option.name: EXAMPLE.option.wrong})),
    ("an option of another type", 422, "malformed", opens(options={"listed": "yes"})),
    ("options that are a list", 422, "malformed", opens(options=[])),
    ("the house's seat", 409, "seat-reserved", opens(seat="house")),
    ("an empty title", 422, "malformed", opens(title="")),
    ("a title of many lines", 422, "malformed", opens(title="a\nb")),
    ("an unknown question of a game", 422, "malformed", at(f"/v1/rulesets/{FIRST.name}?version=1")),
    ("an unknown question with a command", 422, "malformed", sends({"text": "x"}, "/narrate?dry=1")),
    ("gzip", 415, "content-type", sends({"text": "x"}, "/narrate", Content_Encoding="gzip")),
    ("no such ruleset", 404, "not-found", at("/v1/rulesets/chess")),
]  # fmt: skip


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> SessionClient:
    return laid(TestServer(settings_in(tmp_path_factory.mktemp("house"))))


@pytest.mark.parametrize(
    ("status", "code", "ask"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_bad_input_is_named_and_changes_nothing(
    table: SessionClient, status: int, code: str, ask: Ask
) -> None:
    before = table.house.log()
    answer = ask(table)
    said = answer.json
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), (
        answer.text
    )
    assert code in (said["code"], said.get("rule"))
    assert said["status"] == status
    assert said["type"].endswith(f"/problems/{said['code']}")
    assert (said["code"] == "refused") == ("rule" in said and "facts" in said)
    assert (said["code"] == "malformed") == ("errors" in said)
    assert table.house.log() == before


def test_errors_name_their_fields(evening: SessionClient) -> None:
    wrong = wish(SIZED, **{FIELD: MOST + 1, "entity": "Ana"}) | {"faces": [0]}
    errors = evening.post("p1", "/commands", wrong).json["errors"]
    pointers = {error["pointer"] for error in errors}
    assert pointers == {f"#/command/{FIELD}", "#/command/entity", "#/faces/0"}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (f"{FIRST.name}.Nothing", f"Must be one of: {', '.join(map(kind, FIRST.commands))}."),
        ("Nothing", "Must begin with the name of the session's ruleset"),
    ],
)
def test_an_unknown_kind_is_told_which_there_are(
    evening: SessionClient, given: str, error: str
) -> None:
    errors = evening.post("p1", "/commands", {"command": {"kind": given}}).json["errors"]
    [found] = errors
    assert found["pointer"] == "#/command/kind"
    assert found["detail"].startswith(error)


def test_a_command_of_another_game_is_told_which_there_are(evening: SessionClient) -> None:
    other = as_json(example_of(RULESETS[1]).bring)
    errors = evening.post("p1", "/commands", {"command": other}).json["errors"]
    kinds = ", ".join(map(kind, FIRST.commands))
    assert errors == [{"detail": f"Must be one of: {kinds}.", "pointer": "#/command/kind"}]


def test_an_unknown_edition_is_told_which_there_are(evening: SessionClient) -> None:
    errors = opens(edition="9")(evening).json["errors"]
    assert errors == [{"detail": "Must be one of: 1, 2.", "pointer": "#/edition"}]


def test_a_closed_session_takes_nothing_but_words(evening: SessionClient) -> None:
    assert evening.post("gm", "/close", {"carry_over": True}).status_code == 201
    before = evening.house.log()
    asks = [
        evening.post("p1", "/commands", PLAIN),
        evening.post("gm", "/rewind", {"to": 4, "reason": "x"}),
        evening.post("gm", "/close", {"carry_over": True}),
        evening.post("gm", "/hand-over", {"seat": "p1"}),
        evening.post("gm", "/invitations", {"role": "player"}),
        evening.post("p1", "/odds", PLAIN),
        evening.delete("p1", "/seats/p1"),
    ]
    assert [(answer.status_code, answer.json["rule"]) for answer in asks] == [
        (409, "session-closed")
    ] * len(asks)
    assert {answer.json["detail"] for answer in asks} == {
        "The session is closed. You can still read it, but you can no longer play."
    }
    assert evening.house.log() == before
    assert evening.post("p1", "/narrate", {"text": "What an evening."}).status_code == 201


def test_a_refusal_says_what_is_against_it_and_what_has_come_of_it(evening: SessionClient) -> None:
    unknown = evening.post("p1", "/commands", wish(EXAMPLE.plain, entity="nobody-here"))
    assert unknown.status_code == 409
    rule, facts = unknown.json["rule"], unknown.json["facts"]
    what, advice = FIRST.refusals[rule]
    names = evening.get("p1", "").json["names"]
    named = {name: names.get(value, value) for name, value in facts.items()}
    assert unknown.json["detail"] == f"{what} {advice}".format(**named)
    tried = evening.post("p1", "/commands/dry-run", wish(EXAMPLE.plain, entity="nobody-here"))
    assert tried.json["detail"] == unknown.json["detail"]


def test_a_reused_key_is_told_from_a_repeat(evening: SessionClient) -> None:
    assert evening.post("p1", "/narrate", {"text": "one"}, Idempotency_Key=KEY).status_code == 201
    before = evening.house.log()
    asks = [
        evening.post("p1", "/narrate", {"text": "two"}, Idempotency_Key=KEY),
        evening.post("p1", "/commands", PLAIN, Idempotency_Key=KEY),
        evening.house.client.post(
            f"{evening.path}/narrate",
            data=b'{"text": "one" }',
            headers=evening.headers("p1", Idempotency_Key=KEY),
            content_type="application/json",
        ),
    ]
    assert [(answer.status_code, answer.json["code"]) for answer in asks] == [
        (422, "key-reused")
    ] * 3
    assert evening.house.log() == before
    assert (
        evening.post("p2", "/narrate", {"text": "one"}, Idempotency_Key=KEY).json["repeated"]
        is False
    )


def test_a_revoked_token_is_dead(evening: SessionClient) -> None:
    assert evening.delete("p1", "/tokens/current").status_code == 204
    before = evening.house.log()
    asks = [
        evening.post("p1", "/narrate", {"text": "x"}),
        evening.get("p1", ""),
        evening.delete("p1", "/tokens/current"),
    ]
    assert [(answer.status_code, answer.json["code"]) for answer in asks] == [
        (401, "token-invalid")
    ] * 3
    assert evening.house.log() == before


def test_a_conflict_says_where_the_session_is(evening: SessionClient) -> None:
    version = evening.version()
    answer = evening.post("p1", "/narrate", {"text": "x"}, If_Match=f'"{version - 1}"')
    assert (answer.status_code, answer.json["version"], answer.headers["ETag"]) == (
        412,
        version,
        f'"{version}"',
    )
    assert (
        evening.post("p1", "/narrate", {"text": "x"}, If_Match=answer.headers["ETag"]).status_code
        == 201
    )
    assert evening.post("p1", "/narrate", {"text": "x"}, If_Match="*").status_code == 201
