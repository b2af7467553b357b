"""Signing in, and being slowed down."""

from hindsight_site import login
from memory.audit import denied
from memory.counter import Counter

PASSWORD = "correct horse battery"


def sign_in(client, name, password, **more):
    return client.post("/login/", {"username": name, "password": password}, **more)


def test_the_right_password_leads_to_the_dashboard(client, people):
    answer = sign_in(client, "ada", PASSWORD)
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_after_eight_failures_even_the_right_password_waits(client, people):
    for _ in range(8):
        assert sign_in(client, "ada", "wrong").status_code == 200
    assert b"Too many attempts" in sign_in(client, "ada", PASSWORD).content


def test_a_colleague_at_the_same_address_is_not_locked_out(client, people):
    for _ in range(8):
        sign_in(client, "ada", "wrong")
    assert sign_in(client, "ben", PASSWORD).status_code == 302


def test_forwarded_addresses_are_not_believed_without_a_trusted_proxy(client, people):
    for n in range(8):
        sign_in(client, "ada", "wrong", headers={"X-Forwarded-For": f"10.0.0.{n}"})
    assert b"Too many attempts" in sign_in(client, "ada", PASSWORD, headers={"X-Forwarded-For": "10.9.9.9"}).content


def test_signing_out_ends_the_session(client, people):
    sign_in(client, "ada", PASSWORD)
    client.post("/logout/")
    assert client.get("/").status_code == 302


def test_people_sign_in_while_the_counter_is_away(client, people, settings, monkeypatch):
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1/0",
            "OPTIONS": {"socket_connect_timeout": 1},
        }
    }  # fmt: skip
    away = Counter()
    monkeypatch.setattr(login, "counter", away)
    monkeypatch.setattr(denied, "counter", away)
    assert sign_in(client, "ada", "wrong").status_code == 200
    assert sign_in(client, "ada", PASSWORD).status_code == 302
