"""`manage.py worker_alive` speaks for the worker of this host alone."""

import os
import socket
import uuid
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat, Status

from memory.models import WorkerBeat

URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


def use_cache(settings, url):
    settings.REDIS_URL = url
    engine = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if url:
        engine = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url}
    settings.CACHES = {"default": {**engine, "KEY_PREFIX": settings.REDIS_PREFIX}}


@pytest.fixture
def beat(db):
    def beat_(*, host=None, ago=timedelta(0)):
        WorkerBeat.objects.create(name=host or socket.gethostname(), at=timezone.now() - ago)

    return beat_


@pytest.fixture(params=["", "redis://127.0.0.1:1/0"], ids=["no redis", "redis away"])
def without_redis(request, settings):
    use_cache(settings, request.param)


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
def says(settings):
    """What a cluster of `host` says of itself each second, as django-q writes it."""
    use_cache(settings, URL)

    def says_(host):
        cluster = Status(pid=1, cluster_id=uuid.uuid4())
        cluster.host = host
        get_broker().set_stat(Stat.get_key(cluster.cluster_id), SignedPackage.dumps(cluster, True), 3)

    return says_


@pytest.mark.redis
def test_with_redis_a_cluster_speaks_for_its_own_host(says, beat):
    says(socket.gethostname())
    beat(host="elsewhere")
    call_command("worker_alive")


@pytest.mark.redis
def test_with_redis_a_heartbeat_is_not_asked_so_a_cluster_that_died_is_noticed_at_once(says, beat):
    says("elsewhere")
    beat()
    with pytest.raises(CommandError, match="sign of life"):
        call_command("worker_alive")
