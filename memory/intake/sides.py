"""One side of a comparison: a claim with everything read out of it."""

from dataclasses import dataclass
from datetime import datetime

from memory.intake.fact import Fact
from memory.intake.types import Claim


@dataclass(frozen=True, slots=True)
class Side:
    """`open`: only asks or supposes. `at`: when it was said. `plain`: the normalised text."""

    claim: Claim
    lang: str
    facts: tuple[Fact, ...]
    open: bool
    at: datetime
    plain: str

    @property
    def begins(self) -> datetime | None:
        return self.claim.valid_from

    @property
    def ends(self) -> datetime | None:
        return self.claim.valid_to

    @property
    def begins_or_said(self) -> datetime:
        return self.claim.valid_from or self.at

    def is_before(self, other: "Side") -> bool:
        """True when this side speaks of an earlier time: by both stated beginnings, else by when each was said."""
        if self.begins and other.begins:
            return self.begins < other.begins
        return self.at < other.at
