"""The words that carry a text's meaning, folded so that two wordings of one thing share them."""

import re
from functools import lru_cache

from memory.index.stemming import stem
from memory.intake.clean import HAN

_PIECE = re.compile(rf"(?P<han>{HAN.pattern}+)|(?P<word>[^\W_]+(?:[-'’.&+#][^\W_]+)*[+#]*)")
_CARRY_NOTHING = (
    "a an the of to in on at for with by from as and or but so that this these those it its is are was were be been "
    "being am do does did have has had will would can could may might shall should must i me my mine we us our ours "
    "you your yours he him his she her hers they them their theirs who whom which what there here s t m re ve ll d "
    "not no n't don doesn didn isn aren wasn weren't very really quite just also too now currently then than about "
    "into over please some any own one user customer always usually actually still already can can't cannot ca won "
    "won't wo couldn wouldn shouldn hasn haven hadn"
)
_EMPTY_EN = frozenset(_CARRY_NOTHING.split())
_EMPTY_HAN = re.compile("[的了是在我你您他她它们这那有和与就都也还很啊呀吧呢吗嘛哦个把被给对从到现已经不没]")


@lru_cache(maxsize=2048)
def content(text: str) -> frozenset[str]:
    """The stems of English words and the pairs of Chinese characters of a text, without those that carry nothing."""
    found: set[str] = set()
    for match in _PIECE.finditer(text):
        piece = match.group()
        if match.lastgroup == "han":
            found.update(_pairs(piece))
        else:
            word = piece.lower().replace("’", "'")
            word = re.sub(r"'(?:s|re|ve|ll|d|m)$|n't$", "", word)
            if word and word not in _EMPTY_EN:
                found.add(stem(word) if word.isascii() and word.isalpha() else word)
    return frozenset(found)


def _pairs(run: str) -> list[str]:
    kept = _EMPTY_HAN.sub("", run)
    return [kept] if len(kept) == 1 else [kept[place : place + 2] for place in range(len(kept) - 1)]


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared words over all words, 0 to 1."""
    return len(one & other) / len(one | other) if one and other else 0.0
