"""Text written so that a person reads one thing and a filter another: the letters as a reader sees them. Pure."""

import re
import unicodedata

# Cyrillic and Greek letters that look like Latin ones. NFKC leaves them alone, because in their own languages they
# are what they seem; a folded Russian sentence is no English, so nothing is found in it.
_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһкмтвнАВЕКМНОРСТХУІЈЅαβεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧⅼ",
    "aeopcyxijsdhkmtbnABEKMHOPCTXYIJSabeiknoptuxABEZHIKMNOPTYXl",
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
# Single letters with one sign between them, five and more: "i g n o r e", "d.e.l.e.t.e". Words are two spaces apart.
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .·_*-]){4,}[^\W\d_](?![^\W_])")
_HAN_SPACED = re.compile("(?<=[\u4e00-\u9fff])[ \u3000·.*_-](?=[\u4e00-\u9fff])")
_BETWEEN_LETTERS = re.compile(r"(?<=[^\W_])[ .·_*-](?=[^\W_])")


def unmasked(text: str) -> str:
    """The text with full-width, look-alike, invisible and letter-spaced writing undone; itself when there is none."""
    folded = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_LOOKALIKES)
    folded = _SPACED.sub(lambda match: _BETWEEN_LETTERS.sub("", match.group()), folded)
    if len(_HAN_SPACED.findall(folded)) >= 3:
        folded = _HAN_SPACED.sub("", folded)
    return folded
