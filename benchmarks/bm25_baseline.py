"""The textbook BM25 that retrieval is measured against, with no code of the product in it."""

import math
import re
from collections import Counter
from collections.abc import Sequence

K1 = 1.5
B = 0.75
HAN = re.compile("[\u4e00-\u9fff]")
WORD = re.compile(r"\w+")
STOP_WORDS = frozenset(
    """
    a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it
    its me my no not of on or our she should so such that the their them then there these they this those to was we
    were what when where which who why will with would you your
    的 了 是 我 你 他 她 它 在 有 和 就 不 也 都 很 吗 呢 吧 啊 这 那 我们 你们 他们 什么 哪些 怎么 一个 没有 自己
    """.split()  # noqa: SIM905 - one block of words reads better than a list of strings
)


def baseline_terms(text: str) -> list[str]:
    """Lower-case words without stop words: jieba's search mode where there is Han, else words less their endings."""
    if HAN.search(text):
        import jieba

        jieba.setLogLevel("ERROR")
        words = [word for word in jieba.cut_for_search(text.lower()) if WORD.search(word)]
        return [word for word in words if word not in STOP_WORDS]
    return [_shortened(word) for word in WORD.findall(text.lower()) if word not in STOP_WORDS]


def _shortened(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


class BaselineBM25:
    """Okapi BM25 with k1 = 1.5 and b = 0.75 over one person's texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(baseline_terms(text)) for text in texts]
        self._holders = Counter(term for counts in self._counts for term in counts)
        lengths = [counts.total() for counts in self._counts]
        mean = (sum(lengths) / len(lengths) if lengths else 0) or 1
        self._norms = [K1 * (1 - B + B * length / mean) for length in lengths]

    def ranked(self, query: str) -> list[int]:
        """The texts' numbers, best first; equals in their order."""
        asked = baseline_terms(query)
        scores = [self._score(asked, counts, norm) for counts, norm in zip(self._counts, self._norms, strict=True)]
        return sorted(range(len(scores)), key=lambda row: -scores[row])

    def _score(self, asked: list[str], counts: Counter, norm: float) -> float:
        return sum(
            self._rarity(term) * counts[term] * (K1 + 1) / (counts[term] + norm) for term in asked if term in counts
        )

    def _rarity(self, term: str) -> float:
        held = self._holders[term]
        return math.log1p((len(self._counts) - held + 0.5) / (held + 0.5))
