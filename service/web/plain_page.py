"""A page that needs no built file, for when the console cannot be used."""

from __future__ import annotations

import html
from string import Template

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title - Fairlog</title>
</head>
<body>
<main>
<h1>$title</h1>
$paragraphs
</main>
</body>
</html>
""")


def plain_page(title: str, *sentences: str) -> str:
    """Return an HTML document with the title and one paragraph for each text."""
    paragraphs = "\n".join(f"<p>{html.escape(each)}</p>" for each in sentences if each)
    return _PAGE.substitute(title=html.escape(title), paragraphs=paragraphs)
