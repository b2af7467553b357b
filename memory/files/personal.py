"""What the files hold of one user: given out, and erased."""

from collections import Counter
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from memory.files import shelf
from memory.files.line import user_of
from memory.files.moving import index, new_name
from memory.models import EpisodeFile, EpisodeFileUser
from memory.store import patient


def count(user_pk: int) -> int:
    """How many of the user's events are in files."""
    return EpisodeFileUser.objects.filter(user_pk=user_pk).aggregate(n=Sum("episodes"))["n"] or 0


def lines_of(user_pk: int) -> Iterator[bytes]:
    """The user's lines, oldest month first. Raises shelf.Faulty."""
    for file in EpisodeFile.objects.filter(users__user_pk=user_pk).order_by("month", "part"):
        yield from (line for line in shelf.read(file) if user_of(line) == user_pk)


def erase(workspace_pk: int, user_pk: int) -> None:
    """Writes every file that holds the user anew without them, and removes the old ones, also after a run that was cut
    off. Raises shelf.Faulty for one that was altered: nobody can say what is in it."""
    for pk in EpisodeFile.objects.filter(users__user_pk=user_pk).values_list("pk", flat=True):
        _rewrite(pk, user_pk)
    shelf.sweep(workspace_pk)


@transaction.atomic
def _rewrite(pk: int, user_pk: int) -> None:
    patient()
    file = EpisodeFile.objects.filter(pk=pk).first()
    if file is None:
        return
    shelf.take_turn(file.workspace_id)
    file = EpisodeFile.objects.filter(pk=pk).first()
    if file is None:
        return
    try:
        kept = [line for line in shelf.read(file) if user_of(line) != user_pk]
    except shelf.Faulty as error:
        if error.fault != "missing":
            raise
        kept = []  # nothing is left that could be erased
    if not kept:
        file.delete()
        return
    name = new_name(file.workspace_id, file.month, file.part)
    written = shelf.write(name, kept)
    now = timezone.now()
    EpisodeFile.objects.filter(pk=pk).update(
        name=name, episodes=len(kept), bytes=written.bytes, sha256=written.sha256, written_at=now, checked_at=now,
        fault="",
    )  # fmt: skip
    EpisodeFileUser.objects.filter(file=pk).delete()
    index(file, Counter(user_of(line) for line in kept))
