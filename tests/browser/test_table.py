"""The table drawn twice: the template's and the module's elements are the same, and what stays is left alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from domain.ruleset import AnyRuleset
from domain.rulesets import RULESETS
from service.web.hints import hint_of
from service.web.picture import Hint, Picture
from service.web.ring import Way
from tests.browser.conftest import Open
from tests.browser.odd_tables import AHEAD, BEFORE, CARDS, ODD, WAYS
from tests.browser.table_states import as_json, drawn, html, states
from tests.browser.test_pages import RULES
from tests.browser.windows import LAPTOP, LOOKS, PHONE, Look
from tests.support.scale import LONG, scale

pytestmark = pytest.mark.long

EVERY = scale(25, 3)
every_ruleset = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)


def looked_at() -> Iterator[tuple[AnyRuleset, Look]]:
    """The first room and the last, each with another look; in the long run each with all of them."""
    return (
        product(RULESETS, LOOKS)
        if LONG
        else zip((RULESETS[0], RULESETS[-1]), (PHONE, LAPTOP), strict=True)
    )


# Elements, their attributes by name, and words: space between elements and at the ends of words plays no part.
PREPARE = """async (folder) => {
    const [{ draw }, { hintOf }] = await Promise.all(["table", "hints"].map(name => import(`${folder}/${name}.js`)));
    const plain = node => {
        if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\\s+/g, " ").trim();
        const attributes = [...node.attributes].map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
        const inside = [...node.childNodes].map(plain).filter(Boolean);
        return `<${[node.localName, ...attributes].join(" ")}>\\n${inside.join("\\n")}\\n</${node.localName}>`;
    };
    const parsed = html => {
        const holder = document.createElement("template");
        holder.innerHTML = html;
        return holder.content.firstElementChild;
    };
    const root = () => parsed('<div class="table" id="table"></div>');
    window.tables = { draw, hintOf, plain, parsed, root };
}"""
DIFFERING = """(states) => JSON.parse(states).flatMap(state => {
    const { draw, hintOf, plain, parsed, root } = window.tables;
    const ours = root(), theirs = parsed(state.html);
    const hint = state.hint ?? hintOf(state.events, state.table);
    draw(ours, { ...state, hint });
    const before = plain(theirs);
    draw(theirs, { ...state, hint });
    return plain(ours) === before && plain(theirs) === before ? [] : [[state.version, before, plain(ours)]];
})"""

LAID = """({ table, names, before, events }) => {
    const { draw, hintOf, root } = window.tables;
    document.querySelector("main").append(root());
    draw(document.getElementById("table"), { table, names, before, hint: hintOf(events, table) });
    for (const details of document.querySelectorAll("#table details")) details.open = true;
}"""


@pytest.fixture
def page(window: Open) -> Page:
    return prepared(window().open("/status"))


def prepared(page: Page) -> Page:
    """The page with the modules and the look of tables."""
    sheet = page.get_attribute("link[rel=stylesheet]", "href")
    assert sheet is not None
    page.evaluate(PREPARE, sheet.replace("/console.css", "/page"))
    page.add_style_tag(url=sheet.replace("/console.css", "/table.css"))
    return page


def differing(page: Page, states: list[dict[str, Any]]) -> list[list[Any]]:
    """Versions where the two are not the same, with the template's elements and the module's.

    As text: Playwright's own way of bringing an object along loses a `__proto__`.
    """
    found: list[list[Any]] = page.evaluate(DIFFERING, json.dumps(states))
    return found


@every_ruleset
def test_both_draw_the_same(page: Page, ruleset: AnyRuleset) -> None:
    given = [state | {"html": drawn(state)} for state in states(ruleset, EVERY)]
    assert len(given) > 10
    for version, template, module in differing(page, given):
        assert module == template, version


def test_what_led_to_where_the_token_is_ends_at_a_rewind() -> None:
    table = {
        "boards": {"round": {"shape": "ring", "points": list("abcd"), "at": 3}},
        "pools": {"ana.ap": {"label": "AP"}},
    }
    fell, paid = (
        {"start": 0, "face": 2},
        {"start": 2, "steps": 1, "cost": 4, "ap": 5, "entity": "ana"},
    )
    events: list[dict[str, Any]] = [{"body": fell}, {"body": paid}, {}, {"body": {"entity": "ana"}}]
    assert hint_of(events, table).ways == (
        Way("round", 0, 2, face=2),
        Way("round", 2, 1, price="4 AP"),
    )
    assert (
        hint_of([*events, {"kind": "session.Rewound", "body": {"to": 2, "reason": "so"}}], table)
        == Hint()
    )
    assert hint_of(events, {}) == Hint()


@every_ruleset
def test_both_draw_the_same_where_nothing_is_marked(page: Page, ruleset: AnyRuleset) -> None:
    *_, state = states(ruleset, 40)
    plain = {name: state[name] for name in ("version", "table", "names")}
    html_ = html(Picture(state["table"], state["names"]))
    assert 'class="change"' not in html_
    assert differing(page, [plain | {"hint": {}, "html": html_}]) == []


@pytest.mark.parametrize(
    "before", [None, {}, BEFORE, ODD], ids=["unmarked", "all-new", "marked", "same"]
)
def test_both_draw_the_same_where_it_is_odd(page: Page, before: dict[str, Any] | None) -> None:
    names = {"@p1": "Ana's player", "ben": "Ben"}
    written = html(Picture(ODD, names, before, Hint(WAYS, CARDS, AHEAD)))
    ahead = [
        {name: value for name, value in each._asdict().items() if value is not None}
        for each in AHEAD
    ]
    hint = {"ways": [as_json(way) for way in WAYS], "cards": CARDS, "ahead": ahead}
    state = {"version": 1, "table": ODD, "names": names, "hint": hint, "html": written}
    state |= {} if before is None else {"before": before}
    for _, template, module in differing(page, [state]):
        assert module == template


def test_an_empty_table_says_so(page: Page) -> None:
    written = html(Picture({}, {}))
    assert "Nothing is on the table yet." in written
    assert (
        differing(page, [{"version": 0, "table": {}, "names": {}, "hint": {}, "html": written}])
        == []
    )


@every_ruleset
def test_drawing_on_gives_what_drawing_anew_gives(page: Page, ruleset: AnyRuleset) -> None:
    """From state to state in one element, there and back."""
    given = list(states(ruleset, EVERY))
    wrong = page.evaluate(
        """(states) => {
            const { draw, hintOf, plain, root } = window.tables;
            const one = root();
            return [...states, ...states.toReversed()].filter(state => {
                const other = root(), hint = hintOf(state.events, state.table);
                draw(one, { ...state, hint });
                draw(other, { ...state, hint });
                return plain(one) !== plain(other);
            }).map(({ version }) => version);
        }""",
        given,
    )
    assert wrong == []


@pytest.mark.parametrize(
    ("ruleset", "look"),
    [pytest.param(*each, id=f"{each[0].name}-{each[1]}") for each in looked_at()],
)
def test_it_is_for_everybody_and_fits(window: Open, ruleset: AnyRuleset, look: Look) -> None:
    """axe, all facts without pictures, nothing beside a small window: the busiest state, everything in it opened."""
    page = prepared(window(look).open("/status"))
    state = max(states(ruleset, 5), key=lambda state: len(drawn(state)))
    page.evaluate(LAID, state)
    assert wide(page) == 0
    found = Axe().run(
        page, context="#table", options={"runOnly": RULES, "resultTypes": ["violations"]}
    )
    assert found.violations_count == 0, found.generate_report()
    heard = page.locator("#table").aria_snapshot()
    assert [fact for fact in facts(state["table"]) if fact not in heard] == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert wide(page) == 0
    page.set_viewport_size({"width": 1280, "height": 700})
    page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    assert wide(page) == 0


def facts(table: dict[str, Any]) -> Iterator[str]:
    """What a reader who sees no picture must be told too."""
    for entity in table["entities"].values():
        yield from (entity["name"], entity["status"], *entity.get("sheet", {}))
    for pool in table.get("pools", {}).values():
        yield f"{pool['now']} of {pool['max']}" if "max" in pool else f"{pool['now']}"
    for board in table.get("boards", {}).values():
        yield from board["points"]
    for deck in table.get("decks", {}).values():
        yield from (
            f"Draw pile: {deck['left']} card",
            *deck.get("up", ()),
            *deck.get("discard", ()),
        )
        yield from [f"by its {deck['edge']} edge"] if "edge" in deck else []
    for die in table.get("dice", {}).values():
        yield f"d{die['sides']}"
    for condition in table.get("conditions", {}).values():
        yield condition["label"]
    for task in table.get("tasks", {}).values():
        yield from (task["label"], f"next: {task['waits']}")


def wide(page: Page) -> int:
    """How much is beside the window, px."""
    found: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return found


def test_it_draws_within_a_frame(page: Page) -> None:
    """Scrubbing, version by version, in the room with the most on its table; console.md: p95 of 25 ms a frame."""
    ruleset = max(
        RULESETS, key=lambda ruleset: max(len(drawn(state)) for state in states(ruleset, 40))
    )
    given = list(states(ruleset, 2))
    times = page.evaluate(
        """(states) => {
            const { draw, hintOf, root } = window.tables;
            const element = root();
            document.querySelector("main").append(element);
            return states.map(({ table, names, before, events }) => {
                const start = performance.now();
                draw(element, { table, names, before, hint: hintOf(events, table) });
                element.getBoundingClientRect();
                return performance.now() - start;
            });
        }""",
        given,
    )
    p95 = sorted(times)[int(len(times) * 0.95)]
    print(f"{ruleset.name}: a table drawn in {p95:.1f} ms (p95 of {len(times)})")
    assert p95 < 2 * 25


def test_what_stays_keeps_its_element_its_focus_and_what_the_reader_opened(page: Page) -> None:
    table = ODD | {"boards": {}}
    kept = page.evaluate(
        """([table, names]) => {
            const { draw, root } = window.tables;
            const element = root();
            document.querySelector("main").append(element);
            draw(element, { table, names });
            const part = id => element.querySelector(`[data-part="${id}"]`);
            const deck = part("decks/ana"), summary = deck.querySelector("summary");
            summary.focus();
            deck.querySelector("details").open = true;
            const { ana, ...others } = table.entities;
            const pools = { ...table.pools, "ana.ap": { ...table.pools["ana.ap"], now: 9 } };
            const entities = { aaron: { ...ana, name: "Aaron" }, ana };
            draw(element, { table: { ...table, entities, pools, conditions: {} }, names, before: table });
            return [
                part("decks/ana") === deck, document.activeElement === summary, deck.querySelector("details").open,
                part("pools/ana.ap").textContent, part("conditions/ana.wet").textContent,
                part("entities/constructor") === null,
            ];
        }""",
        [table, {}],
    )
    assert kept == [True, True, True, "AP9 of 12+11", "Wetgone", True]
