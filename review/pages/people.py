"""/people/: whose memories these are, and everything known of one person."""

from django.core.paginator import Paginator
from django.db.models import Count, IntegerField, Max, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from memory.files import personal
from memory.models import Conflict, EndUser, Episode, Memory, Session, ToolResult
from memory.models.memory import MemoryStatus
from review.access import Seat, seated
from review.paging import Pages

PAGE = 25
TABS = ("memories", "episodes", "sessions", "recalls", "conflicts")


@require_safe
@seated()
def index(request: HttpRequest, seat: Seat) -> HttpResponse:
    wanted = request.GET.get("q", "").replace("\0", "").strip()[:200]
    people = EndUser.objects.filter(workspace=seat.workspace).order_by("external_id")
    if wanted:
        people = people.filter(external_id__icontains=wanted)
    page = Paginator(people, PAGE).get_page(request.GET.get("page"))
    ids = [person.pk for person in page.object_list]
    active = Memory.objects.filter(user__in=ids, status=MemoryStatus.ACTIVE)
    waits = Conflict.objects.filter(user__in=ids, status=Conflict.Status.OPEN)
    memories = dict(active.values_list("user").annotate(n=Count("*")))
    waiting = dict(waits.values_list("user").annotate(n=Count("*")))
    seen = dict(Session.objects.filter(user__in=ids).values_list("user").annotate(at=Max("last_event_at")))
    rows = [(person, memories.get(person.pk, 0), waiting.get(person.pk, 0), seen.get(person.pk)) for person in page]
    return render(request, "review/people.html", {"page": page, "rows": rows, "q": wanted})


@require_safe
@seated()
def show(request: HttpRequest, seat: Seat, pk: int) -> HttpResponse:
    person = get_object_or_404(EndUser, workspace=seat.workspace, pk=pk)
    tab = request.GET.get("tab", TABS[0])
    tab = tab if tab in TABS else TABS[0]
    status = request.GET.get("status", "")
    status = status if status in MemoryStatus.values else MemoryStatus.ACTIVE
    found = {
        "memories": person.memories.filter(status=status).order_by("-event_time"),
        "episodes": _episodes(person),
        "sessions": person.sessions.annotate(turns=_turns()).order_by("-last_event_at"),
        "recalls": person.recalls.prefetch_related("hits__memory").order_by("-created_at"),
        "conflicts": person.conflicts.select_related("memory", "decided_by").order_by("status", "-opened_at"),
    }[tab]
    context = {
        "person": person, "tab": tab, "tabs": TABS, "status": status, "statuses": MemoryStatus,
        "page": Pages(found, PAGE).get_page(request.GET.get("page")),
        "in_files": personal.count(person.pk) if tab == "episodes" else 0,
        "active": person.memories.filter(status=MemoryStatus.ACTIVE).count(),
        "waiting": person.conflicts.filter(status=Conflict.Status.OPEN).count(),
    }  # fmt: skip
    return render(request, "review/person.html", context)


def _turns() -> Coalesce:
    """A session's events, counted for each that is shown instead of for all that are not."""
    events = Episode.objects.filter(session=OuterRef("pk")).order_by().values("session").annotate(n=Count("*"))
    return Coalesce(Subquery(events.values("n")), 0, output_field=IntegerField())


def _episodes(person: EndUser):
    return (
        Episode.objects.filter(user=person)
        .select_related("session")
        .prefetch_related("verdicts", Prefetch("tool_result", ToolResult.objects.defer("result")))
        .order_by("-event_time", "-id")
    )
