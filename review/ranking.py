"""The ranking settings as people read and write them: a name, a sentence, a range, and those saved before."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memory.actions.configure import RANKING_ACTION
from memory.models import Workspace
from memory.recall.scoring import RankingSettings, highest
from review import tuning
from review.tuning import Earlier, shown

NAMES = tuple(field.name for field in fields(RankingSettings))
DEFAULTS = asdict(RankingSettings())
# what people call each setting, and what it does
ABOUT = {
    "dense_weight": (
        gettext_lazy("Weight of meaning"),
        gettext_lazy("How much likeness of meaning counts in relevance. Only the ratio of the two weights matters."),
    ),
    "lexical_weight": (
        gettext_lazy("Weight of words"),
        gettext_lazy("How much shared words count in relevance, rare ones most."),
    ),
    "min_relevance": (
        gettext_lazy("Least relevance"),
        gettext_lazy("What is less related to the question than this is no answer, however new or trusted it is."),
    ),
    "context_weight": (
        gettext_lazy("Weight of context"),
        gettext_lazy(
            "How much of a relevant memory's lead goes to what was said just after it: answers follow questions."
        ),
    ),
    "graph_weight": (
        gettext_lazy("Weight of the graph"),
        gettext_lazy("Added to the relevance of what the people and things in the question lead to. 0: no graph."),
    ),
    "decay_rate": (
        gettext_lazy("Pace of ageing"),
        gettext_lazy("How fast age takes away what may go with age, by the day. 0: age does not count."),
    ),
    "decay_floor": (
        gettext_lazy("What age leaves"),
        gettext_lazy("The share of its relevance that even the oldest memory keeps. 1: age does not count."),
    ),
    "credibility_weight": (
        gettext_lazy("Weight of credibility"),
        gettext_lazy("The share of its relevance that a memory without any credibility loses."),
    ),
    "session_bonus": (
        gettext_lazy("Bonus of the session"),
        gettext_lazy("Added to the score of a memory of the session that asks."),
    ),
    "period_bonus": (
        gettext_lazy("Bonus of the time asked for"),
        gettext_lazy("Added to the score of a memory of the time that the question names, such as “on 3 May”."),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One setting in the form. `typed` is what its field holds; `saved` and `usual` are texts too."""

    name: str
    label: str
    sentence: str
    most: str
    usual: str
    saved: str
    typed: str
    error: str

    @property
    def is_usual(self) -> bool:
        return self.typed == self.usual


def label(name: str) -> str:
    return str(ABOUT.get(name, (name, ""))[0])


def read(given: Mapping[str, str]) -> tuple[dict[str, float], dict[str, str]]:
    """The settings that a form holds, and by name what is wrong with those that are none."""
    values, errors = tuning.read(given, {name: highest(name) for name in NAMES})
    if not errors:
        try:
            RankingSettings(**values)
        except ValueError as error:
            errors = {name: _("These cannot all be 0.") for name in NAMES if name in str(error)}
    return values, errors


def rows(saved: Mapping[str, float], typed: Mapping[str, str], errors: Mapping[str, str]) -> list[Row]:
    return [
        Row(
            name, *map(str, ABOUT.get(name, (name, ""))), most=shown(highest(name)), usual=shown(DEFAULTS[name]),
            saved=shown(saved[name]), typed=typed.get(name, shown(saved[name]))[:40], error=errors.get(name, ""),
        )
        for name in NAMES
    ]  # fmt: skip


def earlier(workspace: Workspace, saved: Mapping[str, float]) -> list[Earlier]:
    """The last settings that were saved, latest first."""
    labels = {name: str(ABOUT.get(name, (name,))[0]) for name in NAMES}
    return tuning.earlier(workspace, RANKING_ACTION, saved, labels=labels, whole=_all)


def _all(own: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Every setting, of those that differed from the defaults; a setting of an older version is left out."""
    return DEFAULTS | {name: value for name, value in own["ranking"].items() if name in DEFAULTS}
