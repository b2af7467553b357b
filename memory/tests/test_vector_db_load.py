"""Twenty writers and five searchers while the vector database goes and comes back: nothing acknowledged is lost, no
searcher sees an error, and everything is brought over afterwards. On PostgreSQL, where threads write at once."""

import os
import random
import threading
import time
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from memory.index import follower, sync, verify
from memory.models import EndUser, Memory, OutboxEntry
from memory.recall.search import search
from memory.tests.qdrant_stand_in import Line

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

WRITERS, SEARCHERS, FEEDERS = 20, 5, 2
SECONDS = 6
DEGRADED = ([], ["vector_db_away"], ["vector_db_behind"])


@pytest.fixture(params=["qdrant_http", pytest.param("qdrant_server", marks=pytest.mark.qdrant)])
def line(request, settings):
    """A line to a server, which can be cut."""
    request.getfixturevalue(request.param)
    there = urlsplit(settings.VECTOR_DB_URL)
    made = Line(there.hostname, there.port or 6333)
    settings.VECTOR_DB_URL = made.url
    follower.forget()
    yield made
    made.close()


def run(*works, seconds: float):
    """Runs each work over and over in a thread of its own; answers what was raised."""
    until, errors = time.monotonic() + seconds, []

    def one(work):
        try:
            while time.monotonic() < until:
                work()
        except Exception as error:
            errors.append(repr(error))
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    return threads, errors


def test_the_vector_database_goes_and_comes_back_under_load(line, workspace, make_memory):
    users = [EndUser.objects.create(workspace=workspace, external_id=f"load-{n}") for n in range(WRITERS)]
    sync.drain(timezone.now())
    written: list[tuple[int, str]] = []
    answers: list[tuple[list[str], float]] = []

    def write(user):
        text = f"{user.external_id} keeps box {random.randrange(10**9)} in the attic"
        make_memory(text, user=user, run_id=user.external_id)
        written.append((user.pk, text))
        time.sleep(0.02)

    def look():
        user = EndUser.objects.get(pk=random.choice(users).pk)
        started = time.perf_counter()
        answer = search(user=user, query="which box is in the attic?", asked_by="test", now=timezone.now(), log=False)
        answers.append((answer.degraded, time.perf_counter() - started))
        assert all(hit.memory.user_id == user.pk for hit in answer.results)
        time.sleep(0.02)

    def feed():
        sync.drain(timezone.now())
        time.sleep(0.05)

    works = [*(lambda user=user: write(user) for user in users), *([look] * SEARCHERS), *([feed] * FEEDERS)]
    threads, errors = run(*works, seconds=SECONDS)
    time.sleep(SECONDS / 3)
    line.cut()
    time.sleep(SECONDS / 3)
    line.mend()
    for thread in threads:
        thread.join()

    assert errors == []
    assert Memory.objects.count() == len(written) > WRITERS
    assert all(degraded in DEGRADED for degraded, _ in answers)
    assert {tuple(degraded) for degraded, _ in answers} >= {(), ("vector_db_away",)}
    assert max(took for _, took in answers) < 5
    deadline = time.monotonic() + 60
    while OutboxEntry.objects.exists() and time.monotonic() < deadline:
        sync.drain(timezone.now())
        time.sleep(0.1)
    report = verify.verify(follower.get_follower(), sample=50)
    assert (report.differences, report.held, report.waiting) == ({}, len(written), 0)
    for user_pk, text in random.sample(written, 10):
        user = EndUser.objects.get(pk=user_pk)
        answer = search(user=user, query=text, asked_by="test", now=timezone.now(), log=False)
        assert (answer.results[0].memory.text, answer.degraded) == (text, [])
    print(f"{os.linesep}{len(written)} written, {len(answers)} searches, longest {max(t for _, t in answers):.2f} s")
