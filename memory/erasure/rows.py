"""Deletes a scope's rows, a batch a transaction, so that nobody else waits long and a killed run goes on."""

import time

from django.db.models import F

from memory.erasure.places import Place, Scope, gate, places, scrub
from memory.models import Change, EndUser

BATCH = 500
# by these the outside is known and the user's turn is taken: they go in the last transaction
_LAST = {"memory.Session", "memory.EndUser"}


def count(scope: Scope) -> dict[str, int]:
    """How many rows there are, by place; places without any are left out."""
    found = {place.model: place.rows(scope).order_by().values("pk").distinct().count() for place in places()}
    return {model: number for model, number in found.items() if number}


def erase_most(scope: Scope, name: str, *, until: float) -> bool:
    """Deletes a user's rows but their sessions; false when the time (time.monotonic()) was over before."""
    with gate():
        _turn(scope)
        scrub(scope, name)
    for place in places():
        while place.model not in _LAST and _erase_batch(place, scope):
            if time.monotonic() >= until:
                return False
    return True


def erase_rest(scope: Scope, name: str) -> None:
    """All rows that there are, in one transaction: what came in meanwhile, and last the user."""
    with gate():
        # who is just adding a row of this user's is refused at its end, or makes this fail, to be tried again
        _turn(scope)
        scrub(scope, name)
        changes = _changes_of_one(scope)
        for place in places():
            while _erase_batch(place, scope):
                pass
        Change.objects.filter(pk__in=changes, versions=None).delete()
        # what other memories moved by as well stays, without what somebody typed about it
        Change.objects.filter(pk__in=changes).update(reason="")


def _changes_of_one(scope: Scope) -> list[int]:
    """The changes that made the versions of the one memory; those of a whole user are a place."""
    if scope.memory_pk is None:
        return []
    return list(Change.objects.filter(versions__memory=scope.memory_pk).values_list("pk", flat=True).distinct())


def _erase_batch(place: Place, scope: Scope) -> int:
    """How many went. A row that undoes another one of its table goes before that one."""
    rows = place.rows(scope)
    if "undone_by" in {relation.get_accessor_name() for relation in rows.model._meta.related_objects}:
        rows = rows.filter(undone_by=None)
    with gate():
        _turn(scope)
        keys = list(rows.order_by("pk").values_list("pk", flat=True).distinct()[:BATCH])
        if keys:
            rows.model._base_manager.filter(pk__in=keys).delete()
    return len(keys)


def _turn(scope: Scope) -> None:
    """The user's turn, as every writer of memories takes it: nobody writes beside this."""
    EndUser.objects.filter(pk=scope.user_pk).update(revision=F("revision") + 1)
