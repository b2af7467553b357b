"""What reviewing keeps of a remembered person, for memory/erasure, which knows nothing of it."""

from urllib.parse import parse_qs

from django.db.models import QuerySet

from memory.erasure.places import Extension, Place, Scope
from review.models import BulkRun, SavedView
from review.redaction import erasing

PLACES = (
    Place("review.Delivery", "conflict__user", (), "conflict", derived=True),
    Place("review.Mention", "note__conflict__user", (), "note__conflict"),
    Place("review.Note", "conflict__user", (), "conflict"),
    Place("review.Viewing", "conflict__user", (), "conflict"),
    Place("review.Skip", "conflict__user", (), "conflict"),
    Place("review.Claim", "conflict__user", (), "conflict"),
    Place("review.Assignment", "conflict__user", (), "conflict"),
    Place("review.Deferral", "conflict__user", (), "conflict"),
    Place("review.SecondLook", "decision__conflict__user", (), "decision__conflict"),
    Place("review.Handling", "decision__conflict__user", (), "decision__conflict"),
    Place("review.RuleAct", "conflict__user", (), "conflict", derived=True),
    Place("review.Decision", "conflict__user", (), "conflict"),
    Place("review.Proposal", "conflict__user", (), "conflict"),
)
WITHOUT_WORDS = {
    "review.BulkRun": "its note and what it says of the conflicts that go are taken out; others' outcomes stay",
    "review.SavedView": "views that filter by the user's id are deleted",
    "review.AutoRule": "codes of a class and a choice",
    "review.Webhook": "addresses of the team's programs",
    "review.ReviewerSettings": "a reviewer's own",
}


def scrub(scope: Scope, name: str) -> None:
    """Takes what is said of the scope's conflicts out of bulk runs, and deletes views that name the user."""
    doomed = {str(pk) for pk in scope.conflicts().values_list("pk", flat=True)}
    for run in _runs(scope):
        left = [each for each in run.outcomes if each["conflict"] not in doomed]
        BulkRun.objects.filter(pk=run.pk).update(note="", outcomes=left)
    if name:
        views = SavedView.objects.filter(workspace=scope.workspace_id)
        named = [view.pk for view in views if any(name in given for given in parse_qs(view.query).values())]
        SavedView.objects.filter(pk__in=named).delete()


def audited(scope: Scope) -> list[tuple[str, list]]:
    return [("bulk", list(_runs(scope).values_list("pk", flat=True)))]


def _runs(scope: Scope) -> QuerySet[BulkRun]:
    runs = BulkRun.objects.filter(decisions__conflict__in=scope.conflicts().order_by().values("pk"))
    return BulkRun.objects.filter(pk__in=runs.values("pk"))


EXTENSION = Extension(PLACES, scrub, audited, erasing, WITHOUT_WORDS)
