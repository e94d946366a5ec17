"""Our own thin blueprint over flask-smorest: one decorator says what an operation takes, gives and may answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal

import flask_smorest
import msgspec
from flask import Response, request

from service.http import schemas
from service.http.asking import body as read_body
from service.http.given import Given
from service.http.problems import CONTENT_TYPE, PROBLEMS, Problem

JSON = "application/json"
RESPONSES = "#/components/responses/"
View = Callable[..., Response]
Token = Literal["needed", "optional", "none"]
Gives = Mapping[str, type[msgspec.Struct] | None]
"""Content type -> what stands in it; None for text."""

MATCH = {"anyOf": [{"type": "string", "pattern": r'^"[1-9][0-9]{0,14}"$'}, {"const": "*"}]}
KEY_HEADER = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "minLength": 16, "maxLength": 128, "pattern": r"^[!-~]{16,128}$"},
    "description": "16 to 128 visible ASCII characters, best a random UUID: a repeat with the same key and body "
    "gives the same answer. Made by the server where it is absent, and always sent back.",
}
MATCH_HEADER = {
    "in": "header",
    "name": "If-Match",
    "schema": MATCH,
    "description": "The version, in double quotes, that the command was decided on; `*` for any.",
}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # the library has no types
    """Operations with their documentation, made from the same schemas that check what comes in."""

    def operation(
        self,
        method: Literal["GET", "POST", "DELETE"],
        rule: str,
        *,
        gives: Gives | type[msgspec.Struct] | None,
        status: int = 200,
        body: type[msgspec.Struct] | None = None,
        query: type[msgspec.Struct] | None = None,
        token: Token = "needed",
        keyed: bool = False,
        matched: bool = False,
        problems: Collection[str] = (),
        also: Mapping[int, type[msgspec.Struct] | None] | None = None,
        headers: Sequence[Mapping[str, Any]] = (),
    ) -> Callable[[View], View]:
        """`keyed`: takes an Idempotency-Key; `matched`: If-Match; `problems`: further codes; `also`: other answers.

        `headers`: other ones that it reads, as the document describes them.
        """
        content = gives if isinstance(gives, Mapping) else {JSON: gives} if gives else {}

        def decorate(view: View) -> View:
            taking = _taking(view, body, query)
            codes = _codes(rule, body, token, keyed, matched) | set(problems)
            answers = {
                status: content,
                **{
                    other: {JSON: struct} if struct else {}
                    for other, struct in (also or {}).items()
                },
            }
            doc: dict[str, Any] = {"responses": _responses(answers, codes)}
            doc["parameters"] = [*headers, *_parameters(query, keyed, matched)]
            if body is not None:
                doc["requestBody"] = {
                    "required": True,
                    "content": {JSON: {"schema": schemas.schema(body)}},
                }
            if token != "none":
                doc["security"] = [{"token": []}] if token == "needed" else [{"token": []}, {}]
            doc["operationId"] = view.__name__
            taking._apidoc = {"manual_doc": doc}  # type: ignore[attr-defined]
            self.add_url_rule(rule, view.__name__, taking, methods=[method])
            return view

        return decorate


def _taking(
    view: View, body: type[msgspec.Struct] | None, query: type[msgspec.Struct] | None
) -> View:
    """The view, handed its body and its query as structs."""

    def taking(**path: str) -> Response:
        given: dict[str, object] = {}
        if body is not None:
            given["body"] = schemas.read(body, _json())
        if query is not None or request.args:
            asked = schemas.read_query(query or Given, dict(request.args.lists()))
            given |= {"query": asked} if query is not None else {}
        return view(**path, **given)

    taking.__doc__, taking.__name__ = view.__doc__, view.__name__
    return taking


def _json() -> bytes:
    if request.mimetype != JSON:
        raise Problem("content-type", f"Send the body as {JSON}.")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem("content-type", "Send the body as it is, without a Content-Encoding.")
    raw = read_body()
    if (
        request.content_length is None
        and (limit := request.max_content_length) is not None
        and len(raw) >= limit
    ):
        raise Problem(
            "too-large", f"At most {limit} bytes."
        )  # werkzeug cuts a chunked body off in silence
    return raw


def _parameters(
    query: type[msgspec.Struct] | None, keyed: bool, matched: bool
) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [KEY_HEADER] if keyed else []
    parameters += [MATCH_HEADER] if matched else []
    return parameters + (
        [{"in": "query", "schema": schemas.schema(query, written=True)}] if query else []
    )


def _codes(
    rule: str, body: type[msgspec.Struct] | None, token: Token, keyed: bool, matched: bool
) -> set[str]:
    """The codes of problems that an operation of this kind may answer with."""
    codes = {"malformed", "unavailable", "too-many"}  # any address can ask too much
    codes |= {"unreadable", "too-large", "content-type"} if body else set()
    codes |= {"unreadable", "token-missing", "token-unknown"} if token != "none" else set()
    codes |= {"unreadable", "key-reused", "refused", "conflict"} if keyed else set()
    codes |= {"conflict"} if matched else set()
    return codes | ({"not-found"} if "<" in rule else set())


def _responses(answers: Mapping[int, Gives], codes: set[str]) -> dict[str, Any]:
    by_status: dict[str, list[str]] = {}
    for code, kind in PROBLEMS.items():
        if code in codes:
            by_status.setdefault(str(kind.status), []).append(code)
    problems = {status: {"$ref": RESPONSES + ".".join(said)} for status, said in by_status.items()}
    return problems | {str(status): _answer(status, content) for status, content in answers.items()}


def _answer(status: int, content: Gives) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": f"{HTTPStatus(status).phrase}."}
    if content:
        answer["content"] = {kind: {"schema": _schema(struct)} for kind, struct in content.items()}
    return answer


def problem_response(name: str) -> dict[str, Any]:
    """The response that is referred to by this name: the codes, of one status, that it may have."""
    said = " ".join(f"`{code}`: {PROBLEMS[code].title}." for code in name.split("."))
    return {
        "description": said,
        "content": {CONTENT_TYPE: {"schema": {"$ref": schemas.ref("ProblemDetails")}}},
    }


def _schema(struct: type[msgspec.Struct] | None) -> dict[str, Any]:
    return {"type": "string"} if struct is None else {"$ref": schemas.ref(struct.__name__)}
