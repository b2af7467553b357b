"""What runs by the clock is what this version says, and nothing of anybody else's is touched."""

import pytest
from django_q.models import Schedule

from memory import schedules


@pytest.mark.parametrize("name", ["memory.tasks.gone", "review.tasks.gone"])
def test_what_this_version_no_longer_schedules_goes(name, db):
    Schedule.objects.create(name=name, func=name)
    schedules.install()
    assert not Schedule.objects.filter(name=name).exists()


def test_schedules_of_somebody_elses_app_stay(db):
    Schedule.objects.create(name="billing.tasks.invoice", func="billing.tasks.invoice")
    schedules.install()
    assert Schedule.objects.filter(name="billing.tasks.invoice").exists()


def test_every_apps_jobs_are_there_once_however_often_it_is_called(db):
    assert schedules.install() == schedules.install() == Schedule.objects.count()
    assert {"memory.tasks.beat", "review.tasks.count_backlog"} <= set(Schedule.objects.values_list("func", flat=True))
