"""Putting a conflict off."""

from datetime import timedelta

import pytest

from memory.actions.base import Refused, Stale
from memory.actions.defer import defer
from memory.actor import Actor
from memory.models import AuditEvent, Conflict

ADA = Actor(kind="person", id="1", label="Ada")


def test_it_stays_open_and_is_due_later(make_conflict, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    defer(conflict=conflict, until=now + timedelta(days=3), actor=ADA, now=now, reason="asked the customer")
    conflict.refresh_from_db()
    assert (conflict.status, conflict.due_at, conflict.version) == ("open", now + timedelta(days=3), 1)
    assert AuditEvent.objects.get(action="conflict.defer").reason == "asked the customer"


def test_a_time_that_has_passed_is_refused(make_conflict, now):
    with pytest.raises(Refused):
        defer(conflict=make_conflict("I live in Leipzig", "I live in Graz"), until=now, actor=ADA, now=now)


def test_what_a_colleague_put_off_meanwhile_is_left_alone(make_conflict, now):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    stale = Conflict.objects.get(pk=conflict.pk)
    defer(conflict=conflict, until=now + timedelta(days=3), actor=ADA, now=now)
    with pytest.raises(Stale):
        defer(conflict=stale, until=now + timedelta(days=1), actor=ADA, now=now)
    assert Conflict.objects.get().due_at == now + timedelta(days=3)
