"""What colleagues write to each other on a conflict, and whom of them it names."""

import re
from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from memory.actions.base import Refused
from memory.actor import Actor
from memory.audit import log
from memory.models import Conflict, Workspace
from review.models import Mention, Note

LONGEST = 1000
SHORT = 500  # what is written along with a decision
UNREAD_SHOWN = 8


def members(workspace: Workspace) -> list[AbstractBaseUser]:
    """Who may be named: the members of this workspace, by name."""
    found = get_user_model().objects.filter(memberships__workspace=workspace, is_active=True)
    return list(found.order_by("username"))


def mentioned(text: str, people: list[AbstractBaseUser]) -> list[AbstractBaseUser]:
    """The people named as @username, each once. A name may stand right before Chinese text: "@ada看一下"."""
    names = {person.get_username().casefold(): person for person in people}
    if not names:
        return []
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    found = re.findall(rf"(?<![A-Za-z0-9_.])@({'|'.join(longest_first)})(?![A-Za-z0-9_])", text, re.IGNORECASE)
    return [names[name] for name in dict.fromkeys(each.casefold() for each in found)]


def check_length(text: str, most: int = SHORT) -> None:
    """Raises Refused when there are more characters than that."""
    if len(text) > most:
        raise Refused(
            _("The note has %(length)d characters; %(most)d are allowed.") % {"length": len(text), "most": most}
        )


@transaction.atomic
def write(*, conflict: Conflict, author: AbstractBaseUser, actor: Actor, text: str, now: datetime) -> Note:
    """Appends the note and tells the members it names. Raises Refused when it is blank or too long."""
    text = text.strip()
    if not text:
        raise Refused(_("The note is empty."))
    check_length(text, LONGEST)
    note = Note.objects.create(conflict=conflict, author=author, text=text, written_at=now)
    named = [person for person in mentioned(text, members(conflict.workspace)) if person.pk != author.pk]
    Mention.objects.bulk_create(
        [Mention(note=note, person=person, workspace_id=conflict.workspace_id) for person in named]
    )
    log.record(
        workspace=conflict.workspace, actor=actor, action="conflict.note", now=now, object_type="conflict",
        object_id=conflict.pk, after={"note": note.pk, "mentions": [person.get_username() for person in named]},
    )  # fmt: skip
    return note


def unread(workspace: Workspace, person: AbstractBaseUser) -> QuerySet[Mention]:
    """Where colleagues in this workspace have named the person and they have not read it yet, newest first."""
    found = Mention.objects.filter(workspace=workspace, person_id=person.pk, read_at=None)
    return found.select_related("note__author", "note__conflict__user").order_by("-id")


def read(*, workspace: Workspace, person: AbstractBaseUser, now: datetime, mention: int | None = None) -> int:
    """Marks one mention, or all of them, as read; answers how many were unread."""
    mine = Mention.objects.filter(workspace=workspace, person_id=person.pk, read_at=None)
    return (mine.filter(pk=mention) if mention is not None else mine).update(read_at=now)
