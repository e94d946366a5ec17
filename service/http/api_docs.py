"""The HTTP API reference in Markdown, generated from the OpenAPI document.

Each ruleset has its own page with its commands and options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from domain.ruleset import AnyRuleset
from service.http.errors import PROBLEMS
from service.http.validation import options_name

Json = Mapping[str, Any]


def api_markdown(document: Json) -> str:
    """Return the HTTP API reference as Markdown.

    The rulesets' commands and options are left out, because they have their own pages.
    """
    lines = ["# The HTTP API", "", document["info"]["description"], "", "## Problems", ""]
    lines += [f"- {kind.status} `{code}`: {kind.title}" for code, kind in PROBLEMS.items()]
    operations = [
        (
            tag,
            f"{method.upper()} {path}",
            [*methods.get("parameters", []), *details["parameters"]],
            details,
        )
        for path, methods in document["paths"].items()
        for method, details in methods.items()
        if method != "parameters"
        for tag in details["tags"]
    ]
    for tag in document["tags"]:
        lines += ["", f"## {tag['name']}", "", tag["description"]]
        for name, address, parameters, details in operations:
            if name == tag["name"]:
                lines += [
                    "",
                    f"### {address}",
                    "",
                    details["summary"],
                    "",
                    *_operation(parameters, details),
                ]
    for name, schema in sorted(document["components"]["schemas"].items()):
        if "." not in name:
            lines += _shape(name, schema)
    return "\n".join(lines) + "\n"


def ruleset_markdown(document: Json, ruleset: AnyRuleset) -> str:
    names = [options_name(ruleset), *(str(each.__struct_config__.tag) for each in ruleset.commands)]
    shapes = [_shape(name, document["components"]["schemas"][name]) for name in names]
    return "\n".join([f"# {ruleset.title}", *(line for shape in shapes for line in shape)]) + "\n"


def _operation(parameters: list[Json], operation: Json) -> Iterator[str]:
    if "description" in operation:
        yield from (operation["description"], "")
    yield f"- token: {_token(operation)}"
    for each in parameters:
        optional = "" if each.get("required") else ", optional"
        yield f"- {each['in']} `{each['name']}`: {_type(each['schema'])}{optional}{_about(each)}"
    if "requestBody" in operation:
        yield f"- body: {_content(operation['requestBody'])}"
    for status, response in sorted(operation["responses"].items()):
        codes = response.get("$ref", "").rpartition("/")[2].replace(".", ", ")
        yield f"- {status}: {codes or _content(response) or 'no body'}"


def _token(operation: Json) -> str:
    if "security" not in operation:
        return "none"
    return "optional" if {} in operation["security"] else "required"


def _shape(name: str, schema: Json) -> list[str]:
    about = " ".join(schema.get("description", "").split())
    required = schema.get("required", [])
    fields = [
        f"- `{field}`: {_type(details)}{'' if field in required else ', optional'}{_about(details)}"
        for field, details in schema.get("properties", {}).items()
    ]
    return ["", f"### {name}", "", *([about, ""] if about else []), *fields]


def _content(holder: Json) -> str:
    return ", or ".join(
        f"{_type(details['schema'])} as `{kind}`"
        for kind, details in holder.get("content", {}).items()
    )


def _type(schema: Json) -> str:
    for several in (schema.get("oneOf", []), schema.get("anyOf", [])):
        if several:  # the rulesets' commands and options have pages of their own
            own = [_type(each) for each in several if "." not in each.get("$ref", "")]
            return " or ".join(own) or "as the ruleset defines it"
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items') or {})}"
    low, high = schema.get("minimum"), schema.get("maximum")
    return f"{schema.get('type', 'any')}{'' if low is None or high is None else f' {low}..{high}'}"


def _about(details: Json) -> str:
    return f"; {details['description']}" if "description" in details else ""
