"""`manage.py worker_alive` speaks for the worker of this host alone."""

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.models import WorkerBeat

AWAY = "redis://127.0.0.1:1/0"


@pytest.fixture
def beat(db):
    def beat_(*, host=None, ago=timedelta(0)):
        WorkerBeat.objects.create(name=host or socket.gethostname(), at=timezone.now() - ago)

    return beat_


@pytest.fixture(params=["", AWAY], ids=["no redis", "redis away"])
def without_redis(request, settings):
    settings.REDIS_URL = request.param
    if request.param:
        cache = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": request.param}
    else:
        cache = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {"default": cache}


def test_a_heartbeat_of_this_host_is_enough_without_redis(without_redis, beat):
    beat(ago=timedelta(minutes=2))
    call_command("worker_alive")


def test_an_old_heartbeat_is_no_sign_of_life(without_redis, beat):
    beat(ago=timedelta(minutes=3, seconds=1))
    with pytest.raises(CommandError, match="sign of life"):
        call_command("worker_alive")


def test_another_hosts_heartbeat_says_nothing_about_this_one(without_redis, beat):
    beat(host="elsewhere")
    with pytest.raises(CommandError, match="sign of life"):
        call_command("worker_alive")


@pytest.fixture
def manage(tmp_path):
    """Starts `manage.py …` on a SQLite and a Redis of its own; answers the process."""
    url = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")
    environment = {
        **os.environ,
        "CONSOLE_DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "hindsight_site.settings",
        "REDIS_URL": url,
    }
    environment.pop("POSTGRES_URL", None)

    def manage_(*arguments):
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            env=environment, cwd=site.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    return manage_


@pytest.mark.redis
def test_with_redis_a_cluster_speaks_for_itself_and_an_older_heartbeat_does_not(manage):
    assert manage("migrate", "-v0").wait() == 0
    # a worker that starts leaves this heartbeat; here none follows
    assert manage("setup_schedules").wait() == 0
    assert manage("worker_alive").wait() == 1, "there is no cluster yet"
    cluster = manage("qcluster")
    try:
        answers = []
        while 0 not in answers and len(answers) < 20:
            answers.append(manage("worker_alive").wait())
        assert answers[-1] == 0
    finally:
        cluster.send_signal(signal.SIGTERM)
        cluster.communicate(timeout=30)
    time.sleep(3.5)  # what a cluster says of itself holds for three seconds
    assert manage("worker_alive").wait() == 1
