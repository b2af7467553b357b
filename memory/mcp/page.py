"""A page or a file, as HTML, Markdown or plain text: its title, what a reader sees, its links, what it hides."""

import html
import re
from dataclasses import dataclass

from memory.intake.clean import clean_text, hidden_text, looks_like_html
from memory.mcp.types import Link

MOST_LINKS = 50
# Pieces of hidden text that are kept. Padding of one pattern ("pad 1", "pad 2") counts once, or it would push out the
# rest.
_HIDDEN = 40
_TITLE = re.compile(r"<title[^>]*>([^<]{1,300})", re.IGNORECASE)
_HEADING_TAG = re.compile(r"<h1[^>]*>(.{1,300}?)</h1>", re.IGNORECASE | re.DOTALL)
_ANCHOR = re.compile(
    r"<a\s[^<>]{0,500}?href\s*=\s*[\"']?(https?://[^\"'\s<>]{1,2000})[^<>]*>([^<]{0,200})", re.IGNORECASE
)  # fmt: skip
_HEADING = re.compile(r"\A\s*#\s+(.{1,300})$", re.MULTILINE)
_MARKDOWN_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{0,200})\]\((https?://[^()\s]{1,2000})[^()\n]{0,200}\)")
_BARE_LINK = re.compile(r"https?://[^\s<>\"'()\[\]，。；）】]{1,2000}")


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    links: tuple[Link, ...]
    hidden: tuple[str, ...]


def read_page(raw: str) -> Page:
    """`text` is without its title, which stands in the first heading or the head of the page."""
    hidden = _once(hidden_text(raw))
    if looks_like_html(raw):
        found = _TITLE.search(raw) or _HEADING_TAG.search(raw)
        title = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", found[1])).split()) if found else ""
        links = [(match[1], match[2]) for match in _ANCHOR.finditer(raw)]
        text = clean_text(raw)
        text = text.removeprefix(title).strip() if title else text
    else:
        found = _HEADING.search(raw)
        title = found[1].strip(" #") if found else ""
        text = clean_text(raw[found.end() :] if found else raw).strip()
        links = [(match[2], match[1]) for match in _MARKDOWN_LINK.finditer(raw[:200_000])]
    return Page(title, text, links_once(links or [(url, "") for url in _BARE_LINK.findall(raw[:200_000])]), hidden)


def links_once(found: list[tuple[str, str]]) -> tuple[Link, ...]:
    """Each address once, with the first title it was given."""
    titles: dict[str, str] = {}
    for url, title in found:
        address = url.rstrip(".,;:!?")
        titles[address] = titles.get(address) or " ".join(html.unescape(title).split())
    return tuple(Link(url, title) for url, title in list(titles.items())[:MOST_LINKS])


def _once(pieces: tuple[str, ...]) -> tuple[str, ...]:
    known = {re.sub(r"\d+", "0", piece): piece for piece in reversed(pieces)}
    return tuple(reversed(known.values()))[:_HIDDEN]
