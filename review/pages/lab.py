"""/lab/: a search as a given user's agent would make it, stage by stage, and beside it the same with other settings."""

from dataclasses import asdict, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.models.memory import Category
from memory.recall.question import Question
from memory.recall.scoring import RankingSettings
from memory.recall.trace import moves, trace
from review import lab, ranking
from review.access import Seat, seated
from review.recalls import Filters, recalls
from review.tuning import shown as shown_number

LATEST = 8


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat) -> HttpResponse:
    now = timezone.now()
    asked = lab.read(request.GET, seat.workspace, now)
    context = {
        "asked": asked, "typed": asked.typed, "errors": asked.errors, "categories": Category.choices, "now": now,
        "longest": lab.QUERY_LENGTH, "usual_top_k": lab.TOP_K,
    }  # fmt: skip
    if asked.question:
        context |= _found(asked.question, asked.other)
    elif not asked.errors:
        filters = Filters(user=asked.typed["user"], agent=asked.typed["agent"])
        context["latest"] = recalls(seat.workspace, filters)[:LATEST]
    return render(request, "review/lab.html", context, status=400 if asked.errors else 200)


def _found(question: Question, other: RankingSettings | None) -> dict:
    found = trace(question)
    shown = [*found.told, *found.withheld, *found.below]
    stages = found.found
    context = {
        "question": question, "trace": found, "disputes": lab.sides_of(found), "total_ms": stages.took_ms,
        "most": max((entry.score.total for entry in shown), default=0),
        "terms": list(dict.fromkeys(stages.plan.terms)),
        "used": [(ranking.label(name), shown_number(value)) for name, value in asdict(stages.settings).items()],
    }  # fmt: skip
    if other:
        beside = trace(replace(question, settings=other))
        context |= {"beside": beside, "moves": moves(found, beside)}
    return context
