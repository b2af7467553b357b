"""/memories/<id>/: content, evidence, versions; edit, restore, retract, pin."""

import pytest
from django.urls import reverse

from memory.models import Memory


@pytest.fixture
def act(desk):
    def act_(memory, verb, name="ada", **form):
        return desk(name).post(reverse("memory_act", args=[memory.pk, verb]), {"version": memory.version} | form)

    return act_


def test_it_shows_what_it_rests_on_and_every_version(make_memory, act, desk):
    memory = make_memory("My bike is blue")
    act(memory, "edit", text="My bike is green", reason="typo")
    content = desk("ada").get(reverse("memory", args=[memory.pk])).content.decode()
    assert "<del>blue</del>" in content and "<ins>green</ins>" in content
    assert "typo" in content and "User&#x27;s own words" in content


def test_an_edit_is_a_version(make_memory, act):
    memory = make_memory("My bike is blue")
    assert act(memory, "edit", text="My bike is green").status_code == 302
    memory.refresh_from_db()
    assert (memory.text, memory.version, memory.versions.count()) == ("My bike is green", 2, 2)


def test_an_edit_of_an_older_version_is_409_and_writes_nothing(make_memory, act):
    memory = make_memory("My bike is blue")
    act(memory, "edit", text="My bike is green")
    answer = act(memory, "edit", text="My bike is red")
    assert answer.status_code == 409
    assert Memory.objects.get().text == "My bike is green"


@pytest.mark.parametrize("form", [{"version": ""}, {"version": "x"}, {"version": "9" * 30}])
def test_a_version_that_is_none_is_409(form, make_memory, act):
    assert act(make_memory("My bike is blue"), "edit", **({"text": "My bike is red"} | form)).status_code == 409


def test_retract_and_restore(make_memory, act):
    memory = make_memory("My bike is blue")
    act(memory, "retract", reason="asked to")
    memory.refresh_from_db()
    assert memory.status == "retracted"
    act(memory, "restore", number="1")
    memory.refresh_from_db()
    assert (memory.status, memory.version) == ("active", 3)


def test_pin_and_unpin(make_memory, act):
    memory = make_memory("My bike is blue")
    for verb, pinned in (("pin", True), ("unpin", False)):
        act(memory, verb)
        memory.refresh_from_db()
        assert memory.pinned is pinned


def test_a_verb_that_is_none_is_404(make_memory, desk):
    memory = make_memory("My bike is blue")
    assert desk("ada").post(f"/memories/{memory.pk}/burn/").status_code == 404


@pytest.mark.parametrize("pk", ["-" * 36, "a" * 36, "00000000-0000-0000-0000-000000000000"])
def test_an_address_that_names_no_memory_is_404(pk, desk, people):
    assert desk("ada").post(f"/memories/{pk}/edit/", {"version": "1", "text": "x"}).status_code == 404


@pytest.mark.parametrize("form", [{"text": ""}, {"text": " \u3000\n"}])
def test_a_blank_text_is_422_and_writes_nothing(form, make_memory, act):
    assert act(make_memory("My bike is blue"), "edit", **form).status_code == 422
    assert Memory.objects.get().version == 1


@pytest.mark.parametrize("number", ["", "x", "0", "7", "9" * 30])
def test_a_state_that_never_was_is_not_restored(number, make_memory, act):
    assert act(make_memory("My bike is blue"), "restore", number=number).status_code == 422
    assert Memory.objects.get().version == 1


def test_text_is_shown_and_never_run(make_memory, desk):
    memory = make_memory('<script>alert(1)</script> & "quotes"')
    content = desk("ada").get(reverse("memory", args=[memory.pk])).content.decode()
    assert "<script>alert" not in content and "&lt;script&gt;alert(1)" in content


def test_it_says_where_decisions_since_have_moved_the_sum(make_memory, make_conflict, desk):
    memory = make_memory("My bike is blue")
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    answers = {"version": 1, "choice": "keep", "reason_code": "mistaken"}
    before = desk("ada").get(reverse("memory", args=[memory.pk])).content.decode()
    desk("ada").post(reverse("decide", args=[conflict.pk]), answers)
    after = desk("ada").get(reverse("memory", args=[memory.pk])).content.decode()
    assert "Recall counts" not in before
    assert "Recall counts 1.00 until this memory changes" in after
    assert "Reviewers have taken 0 and turned away 1 claims of user:u1." in after
