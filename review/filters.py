"""What the address bar says about the queue: one value a filter, read, kept and written back."""

from dataclasses import dataclass, fields, replace
from urllib.parse import urlencode

from django.http import QueryDict

from memory.models import Conflict
from memory.models.memory import Category

ORDERS = {
    "due": ("due_at", "band", "opened_at", "id"), "urgency": ("due_at", "band", "opened_at", "id"),
    "newest": ("-opened_at", "id"), "oldest": ("opened_at", "id"),
}  # fmt: skip
# Which of the open ones: what this person can take, or what is out of the way and why.
SHOWN = ("held", "mine", "deferred", "skipped", "all")
ME, NOBODY = "me", "nobody"


@dataclass(frozen=True, slots=True)
class Filters:
    """Unknown values are dropped, so that an old bookmark still opens."""

    status: str = Conflict.Status.OPEN
    kind: str = ""
    band: str = ""
    category: str = ""
    user: str = ""
    agent: str = ""
    assignee: str = ""  # ME, NOBODY or a colleague's user name
    show: str = ""
    flood: str = ""  # the origin of a flood: its conflicts one by one
    q: str = ""
    overdue: str = ""
    order: str = "due"

    @classmethod
    def read(cls, query: QueryDict) -> "Filters":
        allowed = {
            "status": Conflict.Status.values, "kind": Conflict.Kind.values, "order": list(ORDERS), "overdue": ["1"],
            "band": [str(band) for band in Conflict.Band.values], "category": Category.values, "show": SHOWN,
        }  # fmt: skip
        given = {}
        for field in fields(cls):
            value = _storable(query.get(field.name, "")).strip()[:200]
            if value and (field.name not in allowed or value in allowed[field.name]):
                given[field.name] = value
        return cls(**given)

    @property
    def is_open(self) -> bool:
        return self.status == Conflict.Status.OPEN

    @property
    def active(self) -> bool:
        """Whether anything narrows the queue beyond its default."""
        return self.without("order") != Filters()

    @property
    def folded(self) -> bool:
        """Whether a flood is one line."""
        return self.is_open and not self.flood

    @property
    def looks_back(self) -> bool:
        """Whether it looks for something among all that was decided: then only the MOST decided last are read."""
        return (
            not self.is_open
            and bool(self.kind or self.band or self.q or self.category or self.agent)
            and not (self.user or self.flood)
        )

    def without(self, *names: str) -> "Filters":
        return Filters(**{f.name: getattr(self, f.name) for f in fields(self) if f.name not in names})

    def showing(self, show: str) -> "Filters":
        return replace(self, show=show)

    @property
    def query(self) -> str:
        """The filters as a query string, without what is default; "" for none."""
        default = Filters()
        return urlencode({f.name: v for f in fields(self) if (v := getattr(self, f.name)) != getattr(default, f.name)})


def _storable(text: str) -> str:
    """Without what no text of ours has: NUL and halves of characters."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()
