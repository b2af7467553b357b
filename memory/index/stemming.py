"""English word forms: the few endings that matter for search, taken off by rule."""

import re

VOWEL = re.compile(r"[aeiouy]")
DOUBLED = re.compile(r"([bdfgmnprt])\1$")
SHORTEST = 4  # shorter words are left alone: "bus", "red", "sing"


def stem(word: str) -> str:
    """The common part of a lower-case English word's forms ("studies", "studying" → "studi").

    The result is a search term, not a word. Anything but a plain a-z word comes back as it is.
    """
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    word = _without_plural(word)
    word = _without_tense(word)
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    if word.endswith("e") and len(word) > 3:
        return word[:-1]
    return word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_tense(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        root = word.removesuffix(ending)
        if root == word:
            continue
        if len(root) < 3 or not VOWEL.search(root):
            return word
        return DOUBLED.sub(r"\1", root) if ending != "ly" else root
    return word
