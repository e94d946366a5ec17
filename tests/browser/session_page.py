"""How a session's page is read in the tests: which version it shows, its elements as plain text."""

from __future__ import annotations

from playwright.sync_api import Page, expect

WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Elements, their attributes by name, and words: space between elements and at the ends of words plays no part.
PLAIN = """(selector) => {
    const plain = node => {
        if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\\s+/g, " ").trim();
        if (node.nodeType === Node.COMMENT_NODE) return "";
        const attributes = [...node.attributes].filter(({ name }) => name !== "open")
            .map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
        const inside = [...node.childNodes].map(plain).filter(Boolean);
        return `<${[node.localName, ...attributes].join(" ")}>\\n${inside.join("\\n")}\\n</${node.localName}>`;
    };
    return [...document.querySelectorAll(selector)].map(plain);
}"""


def plain(page: Page, selector: str) -> list[str]:
    found: list[str] = page.evaluate(PLAIN, selector)
    return found


def ready(page: Page) -> Page:
    """The page, once its keys work."""
    page.wait_for_selector("html[data-ready]")
    return page


def shows(page: Page, version: int, head: int | None = None) -> None:
    """Waits until the page shows the version in all its parts, with all that is said of it."""
    expect(page.locator("#where")).to_have_attribute("data-version", str(version))
    expect(page.locator("#where")).to_have_attribute("data-whole", "true")
    expect(page.locator("#event-title")).to_have_text(
        f"Version {version}" if version else "Before the first event"
    )
    expect(page.locator("#slider")).to_have_value(str(version))
    if head is not None:
        expect(page.locator("#where")).to_have_text(f"Version {version} of {head}")


def go(page: Page, version: int) -> None:
    """By the slider: as if it was dragged there and let go."""
    page.locator("#slider").evaluate(
        """(slider, version) => {
            slider.value = version;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            slider.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        version,
    )
