"""/review/<id>/ of a doubt whether two names are one: its two choices, deciding, taking it back."""

import re

import pytest
from django.urls import reverse

from memory.graph import sync
from memory.models import Conflict, IdentityDoubt


@pytest.fixture
def doubt(make_memory, user):
    make_memory("My sister Anna lives in Lisbon")
    make_memory("My boss Anna is strict")
    sync.sync(user.pk)
    return Conflict.objects.get()


def test_a_person_says_whether_two_are_one_and_may_take_it_back(doubt, desk):
    ada = desk("ada")
    page = ada.get(reverse("conflict", args=[doubt.pk])).content.decode()
    assert re.findall(r'name="choice" value="(\w+)"', page) == ["same", "different"]
    assert "Is it one person?" in page and "The two become one in the graph." in page
    body = {"choice": "same", "reason_code": "other", "version": doubt.version, "note": "", "text": ""}
    assert ada.post(reverse("decide", args=[doubt.pk]), body).status_code == 302
    assert IdentityDoubt.objects.get().ruling == "same"
    decision = doubt.decisions.get()
    assert ada.get(reverse("conflict", args=[doubt.pk])).status_code == 200
    assert ada.post(reverse("undo", args=[doubt.pk]), {"decision": decision.pk}).status_code == 302
    assert IdentityDoubt.objects.get().status == "open"
