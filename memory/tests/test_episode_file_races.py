"""Moving events into files while others work on them, on PostgreSQL."""

import threading
import time
from datetime import UTC, datetime

import pytest
from django.db import transaction

from memory.actions.base import take_turn
from memory.files import moving
from memory.models import Episode, EpisodeFile, Evidence
from memory.tests.test_races import together

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
MARCH = datetime(2025, 3, 14, tzinfo=UTC)


@pytest.fixture
def kept(settings, tmp_path, workspace):
    settings.DATA_DIR = tmp_path
    workspace.settings = {"episode_days": 365}
    workspace.save()
    return workspace


def test_evidence_that_comes_at_the_same_moment_keeps_its_event(kept, make_episode, make_memory):
    memory, episode = make_memory("My bike is blue"), make_episode("Blue it is.", at=MARCH)
    written, committed = threading.Event(), []

    def rest_on_it():
        with transaction.atomic():
            take_turn(memory.user)
            Evidence.objects.create(
                workspace=kept, memory=memory, episode=episode, quote="Blue", source_class="user_input",
                origin="session:1", created_at=NOW,
            )  # fmt: skip
            written.set()
            time.sleep(0.7)
        committed.append(True)

    def move():
        written.wait()
        return moving.file_next(kept, now=NOW)

    assert None in together(rest_on_it, move)
    assert committed and Evidence.objects.filter(episode=episode).exists()
    assert Episode.objects.filter(pk=episode.pk).exists() and not EpisodeFile.objects.exists()


def test_two_workers_move_each_event_once(kept, make_episode):
    for number in range(30):
        make_episode(f"Number {number}", at=MARCH)

    def work() -> int:
        moved = 0
        while file := moving.file_next(kept, now=NOW):
            moved += file.episodes
        return moved

    assert sum(together(work, work, work)) == 30
    assert not Episode.objects.exists()
    assert sum(EpisodeFile.objects.values_list("episodes", flat=True)) == 30
