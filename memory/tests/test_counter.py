"""Counting for throttles, on the process's own cache and on Redis; nothing breaks when Redis does."""

import logging
import os
import socket
import time

import pytest
from django.core.cache import cache

from hindsight_site.env import patient_redis
from memory import counter as counter_module
from memory.counter import Counter

URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")


def use_redis(settings, url):
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url, "OPTIONS": patient_redis(),
            "KEY_PREFIX": settings.REDIS_PREFIX,
        }
    }  # fmt: skip


@pytest.fixture(params=["process", pytest.param("redis", marks=pytest.mark.redis)])
def counter(request, settings):
    if request.param == "redis":
        use_redis(settings, URL)
    yield Counter()
    cache.delete("a")


def test_counts_one_by_one_and_each_name_alone(counter):
    assert [counter.step("a", seconds=60) for _ in range(3)] == [1, 2, 3]
    assert (counter.value("a"), counter.value("b")) == (3, 0)


def test_a_dropped_count_begins_anew(counter):
    counter.step("a", seconds=60)
    counter.drop("a")
    assert (counter.value("a"), counter.step("a", seconds=60)) == (0, 1)


def test_a_count_ends(counter):
    counter.step("a", seconds=1)
    time.sleep(1.1)
    assert counter.step("a", seconds=1) == 1


def test_an_outage_answers_0_is_logged_once_and_its_end_too(settings, monkeypatch, caplog):
    monkeypatch.setattr(counter_module, "PAUSE_SECONDS", 0.05)
    caplog.set_level(logging.WARNING, logger="memory.counter")
    counter = Counter()
    use_redis(settings, "redis://127.0.0.1:1/0")
    for _ in range(3):
        assert (counter.step("a", seconds=60), counter.value("a")) == (0, 0)
        counter.drop("a")
        time.sleep(0.06)
    assert [record.message for record in caplog.records] == [
        "The cache is away, so nobody is throttled until it is back."
    ]
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "back"}}
    time.sleep(0.06)
    assert counter.step("a", seconds=60) == 1
    assert caplog.records[-1].message == "The cache is back, throttles count again."


def test_a_cache_that_hangs_is_waited_for_once(settings):
    counter = Counter()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        use_redis(settings, f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        began = time.monotonic()
        assert [counter.value("a") for _ in range(20)] == [0] * 20
        assert 0.4 < time.monotonic() - began < 0.9
