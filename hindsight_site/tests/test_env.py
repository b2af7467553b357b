"""A bad value in the environment stops the start with a sentence that names it."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from hindsight_site import env


@pytest.mark.parametrize("raw, value", [("", True), ("1", True), ("Yes", True), ("0", False), ("off", False)])
def test_switches(monkeypatch, raw, value):
    monkeypatch.setenv("CONSOLE_X", raw)
    assert env.env_bool("CONSOLE_X", True) is value


@pytest.mark.parametrize(
    "read, raw",
    [
        (lambda: env.env_bool("CONSOLE_X", True), "maybe"),
        (lambda: env.env_int("CONSOLE_X", 1, low=1, high=9), "many"),
        (lambda: env.env_int("CONSOLE_X", 1, low=1, high=9), "10"),
        (lambda: env.env_choice("CONSOLE_X", "a", ("a", "b")), "c"),
        (lambda: env.env_url("CONSOLE_X", ("redis", "rediss")), "http://somewhere"),
        (lambda: env.env_url("CONSOLE_X", ("redis",)), "redis:"),
    ],
)
def test_a_bad_value_is_refused_by_name(monkeypatch, read, raw):
    monkeypatch.setenv("CONSOLE_X", raw)
    with pytest.raises(ImproperlyConfigured, match="CONSOLE_X"):
        read()


def test_a_short_secret_key_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("CONSOLE_SECRET_KEY", "short")
    with pytest.raises(ImproperlyConfigured, match="CONSOLE_SECRET_KEY"):
        env.secret_key(tmp_path / "key")


def test_a_secret_key_is_made_once_and_readable_by_its_owner_only(monkeypatch, tmp_path):
    monkeypatch.delenv("CONSOLE_SECRET_KEY", raising=False)
    path = tmp_path / "deep" / "key"
    first = env.secret_key(path)
    assert len(first) >= 50
    assert env.secret_key(path) == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_postgres_url_with_escapes_and_options():
    database = env.postgres("postgresql://ann%40x:p%2Fw@db.internal:6432/memory?sslmode=require")
    assert (database["USER"], database["PASSWORD"], database["HOST"], database["PORT"], database["NAME"]) == (
        "ann@x", "p/w", "db.internal", "6432", "memory",
    )  # fmt: skip
    assert database["OPTIONS"]["sslmode"] == "require"
    assert "statement_timeout" in database["OPTIONS"]["options"]
    assert database["OPTIONS"]["tcp_user_timeout"] > 15_000  # a statement may take as long as it is allowed to
