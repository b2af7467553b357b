"""What the recall lab is asked: a search's fields from the address or from a logged recall, and changed settings."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import QueryDict
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from memory.models import EndUser, Memory, Recall, Session, Workspace
from memory.models.memory import Category
from memory.policy import policy_of
from memory.recall.consensus import Dispute, Side
from memory.recall.question import Question
from memory.recall.scoring import RankingSettings
from memory.recall.trace import Trace
from review import ranking
from review.moments import read_moment

# A question stands in the address, in Chinese nine bytes a character, and servers take some 8,000 bytes of one.
QUERY_LENGTH = 700
TOP_K, MOST = 10, 50
AROUND = 5
NAMES = ("user", "run_id", "agent", "q", "at", "top_k", "threshold", "around", "archived")
CHANGED = "b_"  # before the names of the settings to compare with


@dataclass(slots=True)
class Asked:
    """The form as it is shown again, the errors by field, and, if there are none, what it asks.

    `recall` is the logged search whose fields these are. `long` when its question is too long for the address.
    `other` are the settings to compare with, None when none were `changed`; `rows` are their fields.
    """

    typed: dict[str, Any]
    recall: Recall | None = None
    long: bool = False
    errors: dict[str, str] = field(default_factory=dict)
    question: Question | None = None
    other: RankingSettings | None = None
    rows: list[ranking.Row] = field(default_factory=list)
    changed: bool = False


def read(query: QueryDict, workspace: Workspace, now: datetime) -> Asked:
    """Raises Http404 for a recall that is none of this workspace."""
    recall = _recall(query.get("recall", ""), workspace)
    logged = _fields(recall, then=query.get("then") == "1") if recall else {}
    typed = {name: query.get(name, logged.get(name, "")).strip() for name in NAMES}
    given = query.getlist("category") if "category" in query or not recall else logged["category"]
    typed["category"] = [each for each in given if each in Category.values]
    long = recall is not None and len(recall.query) > QUERY_LENGTH
    if long:
        typed["q"] = recall.query
    asked = Asked(typed, recall, long)
    _compare(asked, query, policy_of(workspace).ranking_settings())
    if typed["q"] or "q" in query or asked.changed:
        _ask(asked, workspace, now)
    return asked


def sides_of(found: Trace) -> list[tuple[Dispute, list[tuple[Side, str, list[Memory]]]]]:
    """Each dispute with its sides, strongest first: the side, what becomes of it (told, withheld or contested), and
    its memories."""
    return [
        (dispute, [_side(side, dispute, found.members) for side in (dispute.leader, *dispute.others)])
        for dispute in found.disputes
    ]


def _side(side: Side, dispute: Dispute, memories: Mapping[UUID, Memory]) -> tuple[Side, str, list[Memory]]:
    ids = {member.id for member in side.members}
    outcome = "told"
    if ids & {each.id for each in dispute.withheld}:
        outcome = "withheld"
    elif ids & dispute.contested:
        outcome = "contested"
    return side, outcome, [memories[member.id] for member in side.members if member.id in memories]


def _recall(typed: str, workspace: Workspace) -> Recall | None:
    if not typed:
        return None
    try:
        pk = UUID(typed)
    except ValueError:
        pk = None
    return get_object_or_404(Recall.objects.select_related("user", "session"), workspace=workspace, pk=pk)


def _fields(recall: Recall, *, then: bool) -> dict[str, Any]:
    """The form's fields of a logged search; `then` asks for the moment it was made."""
    params = recall.params
    at = params.get("reference_time") or (recall.created_at.isoformat() if then else "")
    threshold = params.get("threshold")
    return {
        "user": recall.user.external_id, "run_id": recall.session.run_id if recall.session else "",
        "agent": recall.agent_id, "q": recall.query, "at": at, "top_k": str(params.get("top_k", TOP_K)),
        "threshold": "" if threshold is None else str(threshold), "category": params.get("categories", []),
        "archived": "1" if params.get("include_archived") else "", "around": str(params.get("context_window", "")),
    }  # fmt: skip


def _compare(asked: Asked, query: QueryDict, present: RankingSettings) -> None:
    """The fields of the settings to compare with; one that is empty is as the workspace has it."""
    saved = asdict(present)
    typed = {name: query.get(CHANGED + name, "").strip() for name in ranking.NAMES}
    values, errors = ranking.read({name: typed[name] or ranking.shown(saved[name]) for name in typed})
    asked.rows = ranking.rows(saved, typed, errors)
    asked.changed = any(typed.values())
    if asked.changed and not errors:
        asked.other = RankingSettings(**values)
    asked.errors.update({CHANGED + name: error for name, error in errors.items()})


def _ask(asked: Asked, workspace: Workspace, now: datetime) -> None:
    typed, errors = asked.typed, asked.errors
    user, session = _whose(typed, workspace, errors)
    if not typed["q"]:
        errors["q"] = _("Ask something.")
    elif len(typed["q"]) > QUERY_LENGTH and not asked.long:
        errors["q"] = _("At most %(most)s characters.") % {"most": QUERY_LENGTH}
    at = read_moment(typed["at"], usual=None, now=now)
    if at.error:
        errors["at"] = at.error
    top_k = _whole(typed["top_k"], usual=TOP_K, most=MOST)
    if not top_k:
        errors["top_k"] = _("A whole number from 1 to %(most)s.") % {"most": MOST}
    around = _whole(typed["around"], usual=0, most=AROUND)
    if around is None:
        errors["around"] = _("A whole number from 0 to %(most)s.") % {"most": AROUND}
    threshold = _number(typed["threshold"], 1) if typed["threshold"] else None
    if typed["threshold"] and threshold is None:
        errors["threshold"] = _("A number from 0 to %(most)s.") % {"most": "1"}
    if not errors:
        asked.question = Question(
            user=user, query=typed["q"], now=now, agent_id=typed["agent"], top_k=top_k, threshold=threshold,
            session=session, categories=typed["category"], include_archived=bool(typed["archived"]),
            context_window=around,
            # as the agents' moments: a day is one of UTC
            at=at.moment and at.moment.astimezone(UTC),
        )  # fmt: skip


def _whose(
    typed: dict[str, Any], workspace: Workspace, errors: dict[str, str]
) -> tuple[EndUser | None, Session | None]:
    user = EndUser.objects.filter(workspace=workspace, external_id=typed["user"]).first()
    if user is None:
        errors["user"] = _("There is no user of this id.") if typed["user"] else _("Name the user to ask about.")
        return None, None
    user.workspace = workspace
    session = Session.objects.filter(user=user, run_id=typed["run_id"]).first() if typed["run_id"] else None
    if typed["run_id"] and session is None:
        errors["run_id"] = _("This user has no session of this name.")
    return user, session


def _whole(typed: str, *, usual: int, most: int) -> int | None:
    value = _number(typed, most) if typed else usual
    return None if value is None or value != int(value) else int(value)


def _number(typed: str, highest: float) -> float | None:
    try:
        value = float(typed[:20])
    except ValueError:
        return None
    return value if 0 <= value <= highest else None
