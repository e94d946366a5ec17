"""Marshmallow schemas, derived from structs, that validate and document requests."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC
from functools import cache
from typing import Any, TypeVar
from unicodedata import category, normalize

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, post_load, validate
from msgspec import inspect

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS, RULESETS_BY_EDITION
from domain.session import rolls
from domain.session.display_names import is_forbidden
from domain.session.state import SessionOptions
from domain.text import is_blank
from service.http.errors import FieldError, ProblemError, body_errors, query_errors
from service.http.json_schemas import COMMAND

T = TypeVar("T", bound=msgspec.Struct)
MAX_INTEGER = 2**53 - 1  # the largest integer in canonical JSON (docs/log-format.md)
TRUE_OR_FALSE = "Must be true or false."
PATTERN_ERRORS = {
    r"^[0-9a-f]{64}$(?!\n)": "Must be 64 hexadecimal digits, with lower-case letters.",
    r"^[0-9a-f]{128}$(?!\n)": "Must be 128 hexadecimal digits, with lower-case letters.",
    r"^[A-Za-z0-9_-]+$(?!\n)": "Must contain only letters, digits, hyphens and underscores.",
    r"^[a-z][a-z0-9-]{0,31}$(?!\n)": (
        "Must be a lower-case letter from a to z, followed by at most 31 lower-case letters, digits"
        " or hyphens."
    ),
    r"^https?://[!-~]+$(?!\n)": "Must be an http or https address.",
    r"^[^\x00-\x1f\x7f]+$(?!\n)": "Must be a single line without control characters.",
    r"^[^\x00-\x08\x0b-\x1f\x7f]+$(?!\n)": (
        "Must contain no control characters but tabs and line breaks."
    ),
    r"^[^\x00-\x08\x0b-\x1f\x7f]+(?<!\n)$(?!\n)": (
        "Must contain no control characters but tabs and line breaks, and must not end with a line"
        " break."
    ),
}
"""What a text must be like, by its pattern. Each pattern of a request needs a sentence here."""


class Boolean(fields.Boolean):
    """A field that accepts only true and false, unlike Marshmallow's boolean field.

    If `written` is True, it accepts the text "true" or "false" from a query string instead.
    """

    def __init__(self, *, written: bool, **more: Any) -> None:
        super().__init__(**more)
        self._written = written

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any
    ) -> bool:
        if self._written and value in ("true", "false"):
            return bool(value == "true")
        if self._written or not isinstance(value, bool):
            raise ValidationError(TRUE_OR_FALSE)
        return value


class Whole(fields.Integer):
    """A field that accepts JSON integers, but not 1.0 or "1".

    If `written` is True, it accepts an integer written as text in a query string instead.
    """

    def __init__(self, *, written: bool, **more: Any) -> None:
        super().__init__(**more)
        self._written = written

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any
    ) -> int:
        if self._written and re.fullmatch(r"0|-?[1-9][0-9]{0,18}", value):
            return int(value)
        if self._written or not isinstance(value, int) or isinstance(value, bool):
            raise ValidationError("Must be a whole number.")
        return value


class DisplayName(fields.String):
    """A field for the name of a seat or of physical dice. The loaded value is in NFC.

    Names are restricted because other players see them. The restrictions apply only to requests:
    logs may contain names that were accepted before the restrictions existed.
    """

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **more: Any
    ) -> str:
        name = normalize("NFC", super()._deserialize(value, attr, data, **more))
        if forbidden := next((c for c in name if is_forbidden(c) or category(c) == "Cn"), ""):
            raise ValidationError(
                f"Remove the character U+{ord(forbidden):04X}: control, format, private-use,"
                " unassigned and invisible characters are not allowed."
            )
        if is_blank(name):
            raise ValidationError("Use at least one letter, digit or symbol.")
        if name != name.strip():
            raise ValidationError("Remove the whitespace at the beginning and end.")
        return name


class Choice(fields.Field[Any]):
    """A field that loads an object as one of several structs.

    `tag` is the name of the member that selects the struct.
    """

    def __init__(self, tag: str, structs: Iterable[type[msgspec.Struct]], **more: Any) -> None:
        self.tag = tag
        self.schemas = {str(struct.__struct_config__.tag): schema(struct) for struct in structs}
        super().__init__(**more)

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any
    ) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        picked = value.get(self.tag)
        if not isinstance(picked, str) or picked not in self.schemas:
            raise ValidationError({self.tag: [self._expected(picked)]})
        return self.schemas[picked].load(value)

    def _expected(self, picked: object) -> str:
        """Return an error message that says which kinds are valid.

        If the kind that was sent begins with the name of a valid ruleset, the message lists that
        ruleset's kinds.
        """
        prefix = f"{str(picked).partition('.')[0]}."
        if kinds := [kind for kind in self.schemas if kind.startswith(prefix)]:
            return f"Must be one of: {', '.join(kinds)}."
        rulesets = dict.fromkeys(kind.partition(".")[0] for kind in self.schemas)
        return (
            f"Must begin with the name of the session's ruleset ({', '.join(rulesets)}) and a"
            f" period, for example {next(iter(self.schemas))}."
        )


class OptionsField(fields.Field[Any]):
    """A field for a session's options.

    The options are validated for the ruleset named in the `ruleset` field.
    """

    def __init__(self, **more: Any) -> None:
        self.schemas = {ruleset.name: options_schema(ruleset) for ruleset in RULESETS}
        super().__init__(**more)

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_: Any
    ) -> Any:
        if not isinstance(value, dict):
            raise ValidationError("Must be an object.")
        ruleset = str((data or {}).get("ruleset"))
        return (
            self.schemas[ruleset].load(value) if ruleset in self.schemas else {}
        )  # the field `ruleset` reports the error


class Derived(Schema):
    """The base class of schemas that are generated from structs.

    Loading data returns an instance of `struct`, or a dict if `struct` is None.
    """

    struct: type[msgspec.Struct] | None = None

    class Meta:
        register = False
        unknown = RAISE

    @post_load
    def _make(self, loaded: dict[str, Any], **_: Any) -> Any:
        return loaded if self.struct is None else msgspec.convert(loaded, self.struct)


def ref(name: str) -> str:
    return f"#/components/schemas/{name}"


def options_name(ruleset: AnyRuleset) -> str:
    return f"{ruleset.name}.Options"


@cache
def schema(struct: type[msgspec.Struct], *, written: bool = False) -> Schema:
    """Return the schema for the struct.

    If `written` is True, the schema expects values as text from a query string.
    """
    shape = inspect.type_info(struct)
    assert isinstance(shape, inspect.StructType)
    parts = _parts(shape.fields, written)
    if isinstance(shape.tag, str) and shape.tag_field and not _is_session_command(shape.tag):
        parts[shape.tag_field] = fields.String(required=True, validate=validate.OneOf([shape.tag]))
        return _build(shape.tag, parts, struct)
    return _build(struct.__name__, parts, struct)


@cache
def options_schema(ruleset: AnyRuleset) -> Schema:
    """Return the schema for all options of a session with this ruleset.

    The session options and the ruleset's own options are in one flat object.
    """
    shapes = [inspect.type_info(struct) for struct in (SessionOptions, ruleset.options)]
    both = [
        field for shape in shapes if isinstance(shape, inspect.StructType) for field in shape.fields
    ]
    return _build(options_name(ruleset), _parts(both, False), None)


def commands() -> tuple[type[msgspec.Struct], ...]:
    return (*(command for ruleset in RULESETS for command in ruleset.commands), rolls.Roll)


def name_of(struct: type[msgspec.Struct]) -> str:
    """Return the schema's name: the kind of a ruleset command, or else the class name."""
    tag = struct.__struct_config__.tag
    return tag if isinstance(tag, str) and not _is_session_command(tag) else struct.__name__


def components(structs: Iterable[type[msgspec.Struct]]) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of all commands, options and `structs`, keyed by name.

    Schemas of nested structs are included.
    """
    found = {options_name(ruleset): json_schema(options_schema(ruleset)) for ruleset in RULESETS}
    found[COMMAND] = _command_schema()
    waiting = [*commands(), *structs]
    for struct in waiting:
        made = schema(struct)
        found[name_of(struct)] = json_schema(made)
        nested = [part for part in made.fields.values() if isinstance(part, fields.Nested)]
        waiting += [_struct_of(part) for part in nested]
    return found


def _command_schema() -> dict[str, Any]:
    refs = {name_of(command): ref(name_of(command)) for command in commands()}
    return {
        "description": "A command of a ruleset. Its `kind` begins with the ruleset's name.",
        "oneOf": [{"$ref": each} for each in refs.values()],
        "discriminator": {"propertyName": "kind", "mapping": refs},
    }


def json_schema(made: Schema) -> dict[str, Any]:
    """Return a JSON schema for the objects that `made` accepts."""
    parts = made.fields
    described: dict[str, Any] = {
        "type": "object",
        "properties": {name: _field_schema(part) for name, part in parts.items()},
        "additionalProperties": False,
    }
    required = [name for name, part in parts.items() if part.required]
    return described | ({"required": required} if required else {})


def query_parameters(struct: type[msgspec.Struct]) -> list[dict[str, Any]]:
    parameters = []
    for name, part in schema(struct, written=True).fields.items():
        described = _field_schema(part)
        about = {"description": described.pop("description")} if "description" in described else {}
        parameters.append(
            {"in": "query", "name": name, "required": part.required, "schema": described, **about}
        )
    return parameters


def _struct_of(part: fields.Nested) -> type[msgspec.Struct]:
    struct: type[msgspec.Struct] = part.schema.struct  # type: ignore[attr-defined]  # set by `_build`
    return struct


def _field_schema(part: fields.Field[Any]) -> dict[str, Any]:
    described: dict[str, Any] = dict(part.metadata)
    match part:
        case Choice():
            described["$ref"] = ref(COMMAND)
        case OptionsField():
            described["anyOf"] = [{"$ref": ref(options_name(ruleset))} for ruleset in RULESETS]
        case fields.Nested():
            described["$ref"] = ref(name_of(_struct_of(part)))
        case fields.List():
            described |= {"type": "array", "items": _field_schema(part.inner)}
        case fields.AwareDateTime():
            described |= {"type": "string", "format": "date-time"}
        case Boolean():
            described["type"] = "boolean"
        case Whole():
            described["type"] = "integer"
        case _:
            described["type"] = "string"
    for rule in part.validators:
        described |= _limits(rule, "Items" if isinstance(part, fields.List) else "Length")
    return described


def _limits(rule: Callable[[Any], Any], unit: str) -> dict[str, Any]:
    match rule:
        case validate.Length():
            limits = {f"min{unit}": rule.min, f"max{unit}": rule.max}
            return {name: limit for name, limit in limits.items() if limit is not None}
        case validate.Range():
            return {"minimum": rule.min, "maximum": rule.max}
        case validate.Regexp():
            return {"pattern": rule.regex.pattern}
        case validate.OneOf():
            return {"enum": list(rule.choices)}
    raise TypeError(rule)


def read_body(struct: type[T], raw: bytes) -> T:
    """Return the body as a struct.

    Raises ProblemError("unreadable") if the body is not JSON, or ProblemError("malformed") with the
    errors for each field.
    """
    return _load(struct, schema(struct), _decode(raw), body_errors)


def read_query(struct: type[T], given: Mapping[str, Sequence[str]]) -> T:
    """Return the query as a struct.

    Raises ProblemError("malformed") if a value is invalid or a parameter occurs more than once.
    """
    if doubled := {
        name: ["Must be sent only once."] for name, values in given.items() if len(values) > 1
    }:
        raise ProblemError(
            "malformed",
            "The query repeats a parameter. Send each parameter only once.",
            errors=query_errors(doubled),
        )
    single = {name: values[0] for name, values in given.items()}
    return _load(struct, schema(struct, written=True), single, query_errors)


def _load(
    struct: type[T],
    checked: Schema,
    given: object,
    errors_of: Callable[[dict[str, Any]], list[FieldError]],
) -> T:
    try:
        loaded: T = checked.load(given)  # type: ignore[arg-type]  # `load` refuses anything but an object
        return loaded
    except ValidationError as wrong:
        raise ProblemError(
            "malformed",
            "Some fields are not valid. See `errors` for the reasons.",
            errors=errors_of(wrong.messages_dict),
        ) from None


def _decode(raw: bytes) -> object:
    """Return the decoded JSON.

    msgspec validates UTF-8, surrogates and numbers, and the standard library's decoder detects
    duplicate keys. Raises ProblemError("unreadable").
    """
    try:
        msgspec.json.decode(raw)
        return json.loads(raw, object_pairs_hook=_unique_names)
    except (ValueError, msgspec.MsgspecError, RecursionError) as wrong:
        raise ProblemError("unreadable", f"The request body is not valid JSON: {wrong}.") from None


def _unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object contains the same name twice")
    return found


def _build(
    name: str, parts: dict[str, fields.Field[Any]], struct: type[msgspec.Struct] | None
) -> Schema:
    made = Derived.from_dict(dict(parts), name=name)
    made.struct = struct  # type: ignore[attr-defined]
    made.__doc__ = struct.__doc__ if struct is not None else None
    return made()


def _is_session_command(tag: str) -> bool:
    return tag.startswith("session.")  # the address identifies these commands


def _parts(of: Iterable[inspect.Field], written: bool) -> dict[str, fields.Field[Any]]:
    return {field.encode_name: _field(field.type, written, required=field.required) for field in of}


def _field(type_: inspect.Type, written: bool, **more: Any) -> fields.Field[Any]:
    match type_:
        case inspect.Metadata(type=inner, extra_json_schema=described, extra=extra):
            told = (
                {"metadata": {"description": described["description"]}}
                if described and "description" in described
                else {}
            )
            return _special(extra or {}, inner, told | more) or _field(
                inner, written, **told | more
            )
        case inspect.UnionType(types=types) if len(types) == 1:
            return _field(types[0], written, **more)
        case inspect.BoolType():
            return Boolean(written=written, truthy={True}, falsy={False}, **more)
        case inspect.IntType():
            return Whole(written=written, validate=_range(type_), **more)
        case inspect.DateTimeType():
            return fields.AwareDateTime(format="iso", default_timezone=UTC, **more)
        case inspect.StrType():
            return fields.String(validate=_text(type_), **more)
        case inspect.EnumType(cls=cls):
            return fields.String(validate=validate.OneOf([member.value for member in cls]), **more)
        case inspect.LiteralType(values=values):
            return fields.String(validate=validate.OneOf(values), **more)
        case inspect.StructType(cls=cls):
            return fields.Nested(schema(cls), **more)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return fields.List(
                _field(item, written), validate=validate.Length(least, most or 64), **more
            )
    raise TypeError(type_)


def _special(
    extra: Mapping[str, object], inner: inspect.Type, more: dict[str, Any]
) -> fields.Field[Any] | None:
    match extra.get("of"):
        case "seat name" | "dice name":
            assert isinstance(inner, inspect.StrType)
            return DisplayName(validate=_text(inner), **more)
        case "command":
            return Choice("kind", commands(), **more)
        case "options":
            return OptionsField(**more)
        case "ruleset":
            names = [ruleset.name for ruleset in RULESETS]
            return fields.String(validate=validate.OneOf(names), **more)
        case "edition":
            editions = sorted({edition for _, edition in RULESETS_BY_EDITION})
            return fields.String(validate=validate.OneOf(editions), **more)
    return None


def _range(bounds: inspect.IntType) -> validate.Range:
    low = -MAX_INTEGER if bounds.ge is None else bounds.ge
    high = (
        bounds.lt - 1 if bounds.lt is not None else MAX_INTEGER if bounds.le is None else bounds.le
    )
    return validate.Range(low, high)


def _text(bounds: inspect.StrType) -> list[validate.Validator]:
    length = validate.Length(bounds.min_length, bounds.max_length)
    if bounds.pattern is None:
        return [length]
    return [length, validate.Regexp(bounds.pattern, error=PATTERN_ERRORS[bounds.pattern])]
