"""/settings/reviewing/: who decides, and how long a decision may be undone."""

import json

import pytest
from django.urls import reverse

from memory.actions.configure import reviewing_of
from memory.models import AuditEvent

DEFAULT = {"second_person": "off", "undo_minutes": 15, "second_look_share": 0.05}


@pytest.fixture
def save(desk):
    def save_(name="cara", shown=None, **form):
        form = DEFAULT | form | {"shown": json.dumps(shown or DEFAULT)}
        return desk(name).post(reverse("reviewing_save"), form)

    return save_


def test_an_admin_sets_it_and_it_is_audited(save, workspace, desk):
    assert save(second_person="high", undo_minutes=30).status_code == 302
    workspace.refresh_from_db()
    assert reviewing_of(workspace) == DEFAULT | {"second_person": "high", "undo_minutes": 30}
    assert AuditEvent.objects.get(action="workspace.reviewing").after == {"second_person": "high", "undo_minutes": 30}
    assert 'value="high" required checked' in desk("cara").get(reverse("reviewing")).content.decode()


@pytest.mark.parametrize("name", ["ada", "eve"])
def test_others_neither_see_nor_set_it(name, save, desk):
    assert desk(name).get(reverse("reviewing")).status_code == save(name).status_code == 403


@pytest.mark.parametrize(
    "form",
    [
        {"second_person": "never"},
        {"undo_minutes": 0},
        {"undo_minutes": "soon"},
        {"undo_minutes": 1441},
        {"second_look_share": "1.1"},
        {"second_look_share": "nan"},
    ],
)
def test_what_the_policy_does_not_allow_is_refused_and_kept_in_the_form(form, save, workspace):
    assert save(**form).status_code == 422
    workspace.refresh_from_db()
    assert workspace.settings == {}


def test_the_slower_of_two_admins_is_told(save, workspace):
    save(second_person="always")
    assert save(second_person="high").status_code == 409
    workspace.refresh_from_db()
    assert reviewing_of(workspace)["second_person"] == "always"


def test_a_form_that_is_not_this_pages_is_refused(desk):
    assert desk("cara").post(reverse("reviewing_save"), {"shown": "[]"}).status_code == 422
