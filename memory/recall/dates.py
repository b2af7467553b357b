"""The times a question names, in English and Chinese: "on 3 May", "last Friday", "5月3日那天"."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Period:
    """From start (included) to end (excluded), in epoch seconds."""

    start: float
    end: float
