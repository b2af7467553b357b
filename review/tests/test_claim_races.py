"""Many reviewers at one queue, on PostgreSQL: nobody does another's work, and nothing is left behind."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from memory.actor import Actor
from memory.intake.clean import fingerprint
from memory.models import Conflict, EndUser, Memory
from review import claims, decisions
from review.filters import Filters
from review.models import Claim, Decision
from review.queue import Desk

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

CONFLICTS, REVIEWERS = 200, 8


def test_eight_reviewers_empty_the_queue_and_each_conflict_is_decided_once(workspace, make_conflict, make_episode):
    first = make_conflict(None, "Somebody said the number 0", kind="identity")
    users = EndUser.objects.bulk_create(EndUser(workspace=workspace, external_id=f"user-{n}") for n in range(20))
    episodes = [make_episode("numbers", user=user) for user in users]
    fields = {field.attname: getattr(first, field.attname) for field in Conflict._meta.concrete_fields}
    Conflict.objects.bulk_create(
        Conflict(
            **fields
            | {
                "id": uuid4(), "user_id": episodes[n % 20].user_id, "episode_id": episodes[n % 20].pk,
                "text": f"Somebody said the number {n}", "fingerprint": fingerprint(f"the number {n}"),
            }
        )
        for n in range(1, CONFLICTS)
    )  # fmt: skip
    people = [get_user_model().objects.create_user(f"reviewer-{n}") for n in range(REVIEWERS)]
    choices = ("keep", "accept")

    def work(place):
        person, done = people[place], []
        actor = Actor(kind="person", id=str(person.pk), label=person.username)
        try:
            while True:
                desk = Desk(workspace, person, timezone.now())
                taken = claims.take_next(desk=desk, filters=Filters(), actor=actor)
                if taken is None:
                    return done
                decisions.decide(
                    conflict=Conflict.objects.select_related("user", "memory", "workspace").get(pk=taken.pk),
                    person=person, actor=actor, now=timezone.now(), expected_version=1,
                    draft=decisions.Draft(choices[place % 2], "other"),
                )  # fmt: skip
                done.append(taken.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(REVIEWERS) as pool:
        worked = list(pool.map(work, range(REVIEWERS)))
    decided = Counter(pk for done in worked for pk in done)
    assert len(decided) == CONFLICTS and set(decided.values()) == {1}
    assert all(worked), "everybody had something to do"
    assert not Conflict.objects.filter(status="open").exists() and not Claim.objects.exists()
    assert Counter(Decision.objects.values_list("conflict", flat=True)) == decided
    assert Memory.objects.filter(status="active").count() == Decision.objects.filter(choice="accept").count()


def test_of_all_who_take_one_conflict_at_once_one_has_it(people, make_conflict):
    conflict = make_conflict("I live in Leipzig", "I live in Graz")
    names = ("ada", "ben", "cara", "eve")

    def take(name):
        actor = Actor(kind="person", id=name, label=name)
        try:
            claims.take(conflict=conflict, person=people[name], actor=actor, now=timezone.now())
            return name
        except claims.Held as held:
            return held.claim.person.username
        finally:
            connection.close()

    with ThreadPoolExecutor(len(names)) as pool:
        told = set(pool.map(take, names))
    assert told == {Claim.objects.get().person.username}
