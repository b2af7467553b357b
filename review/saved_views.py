"""Filters of the queue under a name of one's own: saved, renamed, deleted, opened by default."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from memory.actions.base import Refused
from memory.models import Workspace
from review.filters import Filters
from review.models import SavedView

MOST = 20
NAME = 60


def of(workspace: Workspace, person: AbstractBaseUser) -> list[SavedView]:
    return list(SavedView.objects.filter(workspace=workspace, person=person))


@transaction.atomic
def save(*, workspace: Workspace, person: AbstractBaseUser, name: str, query: str) -> SavedView:
    """Keeps the filters of a query string under the name, in the place of an earlier view of that name.

    Raises Refused for a name that is blank or too long, and when there are MOST views already.
    """
    name, filters = _named(name), Filters.read(QueryDict(query[:4000]))
    mine = SavedView.objects.filter(workspace=workspace, person=person)
    if mine.exclude(name=name).count() >= MOST:
        raise Refused(_("You have %(most)d views already; delete one first.") % {"most": MOST})
    found = {"workspace": workspace, "person": person, "name": name}
    return mine.update_or_create(**found, defaults={"query": address(filters)})[0]


def address(filters: Filters) -> str:
    """The filters as a view keeps them: never empty, for the bare address opens the default view."""
    return filters.query or f"status={filters.status}"


def rename(view: SavedView, *, name: str) -> None:
    """Raises Refused for a name that is blank, too long or taken."""
    try:
        with transaction.atomic():
            SavedView.objects.filter(pk=view.pk).update(name=_named(name))
    except IntegrityError:
        raise Refused(_("You have a view of this name already.")) from None


def delete(view: SavedView) -> None:
    SavedView.objects.filter(pk=view.pk).delete()


@transaction.atomic
def make_default(view: SavedView, *, on: bool) -> None:
    """With `on`, the queue opens with this view and no other; else it no longer does."""
    SavedView.objects.filter(workspace=view.workspace_id, person=view.person_id, is_default=True).update(
        is_default=False
    )
    if on:
        SavedView.objects.filter(pk=view.pk).update(is_default=True)


def _named(name: str) -> str:
    name = " ".join(name.encode("utf-8", "ignore").decode().split())
    if not name:
        raise Refused(_("Give the view a name."))
    if len(name) > NAME:
        raise Refused(_("The name is longer than %(most)d characters.") % {"most": NAME})
    return name
