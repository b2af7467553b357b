"""A raw text becomes the text that is judged. The archive keeps the original unchanged; nothing here touches it."""

import hashlib
import re
import unicodedata
from html.parser import HTMLParser

from memory.intake.masking import mask_secrets

__all__ = [
    "clean_text", "cut_scripts", "fingerprint", "hidden_text", "language", "looks_like_html", "mask_secrets",
    "normalise",
]  # fmt: skip

# More than any message a person types; a page of this length has said what it is about.
LONGEST = 20_000

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’-][A-Za-z]+)*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Never seen, never needed to read: zero-width space, word joiner, byte-order mark, direction marks, tag letters.
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")
# Joiners bind emoji and some scripts; between Latin or Chinese letters they only hide.
_JOINER = re.compile("(?<=[A-Za-z0-9\u4e00-\u9fff])[\u200c\u200d]+(?=[A-Za-z0-9\u4e00-\u9fff])")
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]+")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_LOOKS_LIKE_HTML = re.compile(
    r"<!doctype html|<!--|</?(?:html|head|body|div|span|p|a|br|hr|ul|ol|li|table|tr|td|th|h[1-6]|script|style|img|"
    r"section|article|nav|header|footer|strong|em|b|i|code|pre|blockquote|font|form|input|button|meta|link|"
    r"title)\b[^<>]*>",
    re.IGNORECASE,
)
_UNSEEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?![.\d])|font-size\s*:\s*0(?![.\d])"
    r"|color\s*:\s*(?:white|#fff(?:fff)?)\b|left\s*:\s*-\d{3,}",
    re.IGNORECASE,
)
_SKIPPED = frozenset({"script", "style", "template", "noscript", "svg", "head"})
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "source", "wbr", "area", "base", "col", "embed"})
_BLOCKS = frozenset(
    {"p", "div", "br", "hr", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
     "header", "footer", "nav", "pre", "blockquote", "title"}
)  # fmt: skip
_SCRIPT = re.compile(r"<(script|style)\b[^<>]*>", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def clean_text(raw: str) -> str:
    """The text to judge: no NUL, surrogate, control or invisible character, HTML reduced to what a reader sees,
    line ends as one newline, at most LONGEST characters and a note of what was cut. Idempotent on plain text."""
    text = raw[: 8 * LONGEST]
    text = _SURROGATE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROL.sub("", text)
    text = _JOINER.sub("", _INVISIBLE.sub("", text))
    if _LOOKS_LIKE_HTML.search(text):
        text = _BLANK_LINES.sub("\n", _Page(text).seen).strip()
    left = len(text) - LONGEST + max(0, len(raw) - 8 * LONGEST)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}\n[… {left} characters not judged]"
    return text


def looks_like_html(text: str) -> bool:
    return bool(_LOOKS_LIKE_HTML.search(text))


def cut_scripts(text: str) -> tuple[str, int]:
    """An HTML text without its scripts and styles, and how many they were: they fill pages and are read by nobody."""
    kept, start, times = [], 0, 0
    for opening in _SCRIPT.finditer(text):
        if opening.start() < start:
            continue
        # One search for each that is closed: an unclosed one ends the walk, so that no text takes long.
        closing = re.compile(rf"</{opening[1]}\s*>", re.IGNORECASE).search(text, opening.end())
        if closing is None:
            break
        kept.append(text[start : opening.start()])
        start, times = closing.end(), times + 1
    return "".join((*kept, text[start:])) if times else text, times


def hidden_text(raw: str) -> tuple[str, ...]:
    """What a reader of `raw` would not have seen: comments, unseen elements, letters spelt in invisible tags, and
    a note when zero-width characters were woven into words."""
    text = _SURROGATE.sub("\ufffd", raw[: 8 * LONGEST])
    found = ["".join(chr(ord(sign) - 0xE0000) for sign in run) for run in _TAG_LETTERS.findall(text)]
    if _LOOKS_LIKE_HTML.search(text):
        found.extend(_Page(text).unseen)
    else:
        found.extend(_COMMENT.findall(text))
    woven = len(re.findall("(?<=\\w)[\u200b\u2060-\u2064\ufeff]+(?=\\w)", text)) + len(_JOINER.findall(text))
    if woven >= 3:
        found.append(f"[{woven} zero-width characters inside words]")
    return tuple(piece.strip()[:2000] for piece in found if piece.strip())


def language(text: str) -> str:
    """ "zh" when Chinese characters carry the text, else "en"."""
    han = len(HAN.findall(text[:4000]))
    return "zh" if han and han >= len(_LATIN_WORD.findall(text[:4000])) else "en"


def normalise(text: str) -> str:
    """The same string for texts that differ only in case, width, spacing or punctuation."""
    folded = unicodedata.normalize("NFKC", _SURROGATE.sub("\ufffd", text)).casefold()
    folded = _JOINER.sub("", _INVISIBLE.sub("", folded)).replace("’", "'")
    signs = []
    for place, sign in enumerate(folded):
        if _carries_meaning(folded, place, sign):
            signs.append(sign)
        elif signs and signs[-1] != " ":
            signs.append(" ")
    spaced = "".join(signs).strip()
    # Spaces beside Chinese characters mean nothing: "用 Vue 写" is "用Vue写".
    return re.sub(f"(?<={HAN.pattern}) | (?={HAN.pattern})", "", spaced)


def fingerprint(text: str) -> str:
    """Hex SHA-256 of `normalise(text)`: equal exactly when two claims say the same words."""
    return hashlib.sha256((normalise(text) or text.strip()).encode("utf-8", "replace")).hexdigest()


def _carries_meaning(text: str, place: int, sign: str) -> bool:
    """Letters, digits and symbols do; punctuation only inside a number, a word or a name such as C++ or C#."""
    if sign.isalnum() or unicodedata.category(sign)[0] in "MS":
        return True
    before = text[place - 1] if place else " "
    after = text[place + 1] if place + 1 < len(text) else " "
    if sign in ".,:/-'_@%" and before.isalnum() and after.isalnum():
        return not (HAN.match(before) or HAN.match(after))
    if sign == "-":
        return after.isdigit() and not before.isalnum()
    return sign in "#%" and before.isalnum()


class _Page(HTMLParser):
    """Reads one page into what is seen and what is not."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, bool]] = []
        self._seen: list[str] = []
        self.unseen: list[str] = []
        self.feed(text)
        self.close()

    @property
    def seen(self) -> str:
        return "".join(self._seen)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self._seen.append("\n")
        if tag in _VOID:
            return
        given = dict(attrs)
        style = given.get("style") or ""
        hides = "hidden" in given or given.get("aria-hidden") == "true" or bool(_UNSEEN_STYLE.search(style))
        self._open.append((tag, hides))

    def handle_endtag(self, tag: str) -> None:
        for depth in range(len(self._open) - 1, max(-1, len(self._open) - 20), -1):
            if self._open[depth][0] == tag:
                del self._open[depth:]
                break
        if tag in _BLOCKS:
            self._seen.append("\n")

    def handle_data(self, data: str) -> None:
        if any(tag in _SKIPPED for tag, _ in self._open[-20:]):
            return
        if any(hides for _, hides in self._open[-20:]):
            self.unseen.append(data)
        else:
            self._seen.append(data)

    def handle_comment(self, data: str) -> None:
        self.unseen.append(data)
