"""Texts become terms for lexical search, the same way for memories and queries, in English and Chinese."""

import re
import threading
import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from memory.index.stemming import stem
from memory.index.stopwords import CHINESE, ENGLISH
from memory.recall.dates import days_in

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A Han run, a number with its separators, or a word that may be glued by the marks identifiers use.
PIECE = re.compile(
    rf"(?P<han>[{HAN}]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|\d+(?:\.\d+)+(?!\w))"
    rf"|(?P<word>(?:(?![{HAN}])[^\W_])+(?:[-_./:@+#&'’]+(?:(?![{HAN}])[^\W_])+)*)"
)
HAN_RUN = re.compile(rf"[{HAN}]+")
COMBINING_MARKS = re.compile("[\u0300-\u036f]")
APOSTROPHE = re.compile(r"['’]")
SHORT_FORMS = frozenset({"s", "t", "m", "re", "ve", "ll", "d"})
GLUE = re.compile(r"[-_./:@+#&]+")
LONGEST = 80  # of a term; what differs later only is taken as the same
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_jieba_lock = threading.Lock()


def terms(text: str) -> list[str]:
    """The search terms of a text, with repeats; none is empty or holds white space. Never raises on any str.

    Case, width and accents are folded, English words stemmed, stop words dropped. Identifiers come whole and in
    parts, calendar days in one spelling ("05-03") besides their own. Han runs come as dictionary words and as every
    pair of neighbours, so any two-character word is found.
    """
    return _read(text)[0]


def stop_words(text: str) -> list[str]:
    """The words of a text that `terms` leaves out because they say nothing about what it is about, each once."""
    return list(dict.fromkeys(_read(text)[1]))


def _read(text: str) -> tuple[list[str], list[str]]:
    """The terms, and the stop words left out."""
    text = _folded(text)
    found, dropped = list(days_in(text)), []
    for match in PIECE.finditer(text):
        piece = match.group()
        if match.lastgroup == "han":
            found.extend(_han_terms(piece, dropped))
        elif match.lastgroup == "number":
            found.append(piece.replace(",", ""))
        else:
            found.extend(_word_terms(piece, dropped))
    return [term[:LONGEST] for term in found], dropped


def plain(text: str) -> str:
    """The text as nothing but its words and Han characters, folded and each between spaces, stop words too: a text
    holds another word for word when its plain form is within."""
    pieces = (match.group().lower().replace("’", "'") for match in PIECE.finditer(_folded(text)))
    found = [" ".join(piece) if HAN_RUN.fullmatch(piece) else piece for piece in pieces]
    return f" {' '.join(found)} " if found else ""


def han_words(run: str) -> list[str]:
    """A run of Han characters cut into dictionary words, which joined give the run again."""
    return list(_segmenter().cut(run))


def is_dictionary_word(word: str, *, often: int = 1) -> bool:
    """Whether a Chinese word stands in the dictionary, seen at least so `often` in what it was made from."""
    return _segmenter().FREQ.get(word, 0) >= often


def counts(text: str) -> dict[str, int]:
    """How often each term of `terms(text)` occurs."""
    return dict(Counter(terms(text)))


def _folded(text: str) -> str:
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", COMBINING_MARKS.sub("", parted))


def _word_terms(piece: str, dropped: list[str]) -> Iterator[str]:
    head, *tail = APOSTROPHE.split(piece)
    if tail and tail[-1].lower() in SHORT_FORMS:
        tail.pop()
    piece = "".join([head, *tail])
    parts = [part for glued in GLUE.split(piece) for part in CAMEL.split(glued) if part]
    if len(parts) > 1:
        yield piece.lower()
        parts = [part for part in parts if len(part) > 1]
    for part in parts:
        word = part.lower()
        if word in ENGLISH:
            dropped.append(word)
        else:
            yield stem(word)


def _han_terms(run: str, dropped: list[str]) -> Iterator[str]:
    words = []
    for word in _segmenter().cut_for_search(run):
        (dropped if word in CHINESE else words).append(word)
    yield from words
    known = set(words)
    for first, second in zip(run, run[1:], strict=False):
        pair = first + second
        if pair not in known and pair not in CHINESE:
            yield pair


@lru_cache(maxsize=1)
def _segmenter():
    """The Chinese word splitter of this process, loaded at first need: it takes a second and some 60 MB."""
    with _jieba_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jieba

        segmenter = jieba.Tokenizer()
        # jieba's own start prints to stderr and trusts a cache file in the world-writable temporary directory.
        segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
        segmenter.initialized = True
        return segmenter
