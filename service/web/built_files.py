"""The built files of the console, and the hints by which browsers load a page's files at once.

Without the hints, a browser would learn only from the first script which others the page needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

DIST = Path(__file__).parent / "dist"
INDEX = "index.html"
FONT = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"


def shell() -> str:
    """Return the HTML document that all pages share.

    Raises FileNotFoundError if the console is not built.
    """
    return (DIST / INDEX).read_text(encoding="utf-8")


def hint_tags(component: str, reads: Iterable[str] = ()) -> str:
    """Return tags for the head of a page that name its files and what it reads from the API first.

    `component`: what the page shows, below `web/src` and without its ending, such as "table/Table".
    """
    manifest = _manifest()
    loaded = set(_files(manifest, INDEX))  # the shell names these itself
    needed = dict.fromkeys(_files(manifest, f"src/{component}.svelte"))
    files = (_file_tag(file) for file in needed if file not in loaded)
    return "".join((*files, *map(_read_tag, reads)))


def font_address() -> str:
    """Return the address of the console's font, or "" if the console is not built."""
    try:
        return f"/console/{_manifest()[FONT]['file']}"
    except FileNotFoundError:
        return ""


def _manifest() -> dict[str, Any]:
    """Return the file, the styles and the imports of each part of the console."""
    manifest: dict[str, Any] = msgspec.json.decode((DIST / "files.json").read_bytes())
    return manifest


def _files(manifest: dict[str, Any], part: str) -> Iterator[str]:
    """Yield the files that are loaded before the part runs, and its own."""
    for other in manifest[part].get("imports", ()):
        yield from _files(manifest, other)
    yield from manifest[part].get("css", ())
    yield manifest[part]["file"]


def _file_tag(file: str) -> str:
    kind = "stylesheet" if file.endswith(".css") else "modulepreload"
    return f'<link rel="{kind}" crossorigin href="/console/{file}">'


def _read_tag(address: str) -> str:
    return f'<link rel="preload" as="fetch" crossorigin href="{address}">'
