"""Link previews: the title, description and picture that chats show for an address of the console.

They show only what everyone may see. A page of a session that is not listed has none.
"""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup
from msgspec import UNSET

from domain.session.descriptions import fill, names
from domain.session.turns import Head
from domain.visibility import PUBLIC_VIEWER, can_see_session, visible_session
from service.http.routes.roll_links import public_turn
from service.sessions.app import App
from service.web.roll_picture import HEIGHT, WIDTH, PictureCard

TITLE = "Fairlog"
DESCRIPTION = "A log of a tabletop session, with dice that everyone can check."
FAIRNESS = {
    "A": "Fair: all seats drew it",
    "B": "Fair: the server did not choose it alone",
    "C": "Logged: the server drew it",
    "D": "A real die, typed in",
}
"""What each grade means. `grade` in web/src/text/table.ts says the same on the table's cards."""


class Preview(NamedTuple):
    """What a chat shows for a link. `picture` is an absolute address, or "" if there is none."""

    title: str
    description: str
    picture: str = ""


def preview_of(app: App, head: Head, draw: str, path: str) -> Preview:
    """Return the preview of a session's page, or of draw number `draw` if it is not empty.

    `path` is the path of the page.
    """
    if not can_see_session(head.session, PUBLIC_VIEWER):
        return Preview(TITLE, DESCRIPTION)
    title = head.session.info.title
    card = picture_card(app, head, int(draw)) if draw else None
    if card is None:
        return Preview(f"{title} · {TITLE}", DESCRIPTION)
    return roll_preview(card, f"{app.settings.public_url}{path}.png")


def roll_preview(card: PictureCard, picture: str) -> Preview:
    shown = f"{card.result} ({card.big})" if card.result and card.big else card.result or card.big
    title = f"{card.actor} {card.action}".strip()
    return Preview(f"{title}: {shown}", f"{card.fairness}. {card.session}", picture)


def picture_card(app: App, head: Head, k: int) -> PictureCard | None:
    """Return what the picture of draw `k` shows, or None if not everyone may see the roll."""
    turn = public_turn(app, head, k)
    if turn is None:
        return None
    session = head.session
    named = names(visible_session(session, PUBLIC_VIEWER, app.log.history(session.id)))
    fairness = FAIRNESS[str(turn.grade)]
    title, is_fair = session.info.title, turn.grade in ("A", "B")
    if not turn.cards:
        actor = named.get(f"@{turn.seat}", turn.seat)
        big = ", ".join(value.value for value in turn.values)
        result = " ".join(turn.texts[:1])
        return PictureCard(title, actor, "", big, "", result, 0, fairness, is_fair)
    first, last = turn.cards[0], turn.cards[-1]
    level = last.level if last.level is not UNSET else first.level
    actor = named.get(first.entity, first.entity.lstrip("@"))
    # `fill` begins a line with a capital letter, which the action alone must not have.
    said = fill(f"{{{first.entity}}} {first.action}", named)
    return PictureCard(
        title,
        said[: len(actor)],
        said[len(actor) :].strip(),
        first.big,
        first.unit,
        fill(last.result or first.result, named),
        0 if level is UNSET else level,
        fairness,
        is_fair,
    )


def head_tags(preview: Preview) -> Markup:
    """Return the tags for the page's head, with the title."""
    tags = Markup("<title>{}</title>").format(preview.title)
    values = {
        "og:title": preview.title,
        "og:description": preview.description,
        "og:site_name": TITLE,
        "og:type": "website",
    }
    if preview.picture:
        values |= {
            "og:image": preview.picture,
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": f"{preview.title}. {preview.description}",
            "twitter:card": "summary_large_image",
        }
    for name, value in values.items():
        tags += Markup('<meta property="{}" content="{}">').format(name, value)
    return tags
