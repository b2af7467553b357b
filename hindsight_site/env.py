"""Reading the environment: a typed value, or an error that names the variable and what it takes."""

import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


def env_str(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, default: bool) -> bool:
    raw = env_str(name).lower()
    if not raw:
        return default
    if raw in ("1", "true", "yes", "on"):
        return True
    if raw in ("0", "false", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name}={raw!r}: use 1 or 0.")


def env_int(name: str, default: int, *, low: int, high: int) -> int:
    raw = env_str(name)
    if not raw:
        return default
    try:
        value = int(raw)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={raw!r}: use a whole number.") from None
    if not low <= value <= high:
        raise ImproperlyConfigured(f"{name}={value}: use {low} to {high}.")
    return value


def env_choice(name: str, default: str, choices: tuple[str, ...]) -> str:
    value = env_str(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name}={value!r}: use one of {', '.join(choices)}.")
    return value


def env_list(name: str, default: list[str]) -> list[str]:
    raw = env_str(name)
    return [part.strip() for part in raw.split(",") if part.strip()] if raw else default


def env_secret(name: str, *, least: int) -> str:
    """Empty, or at least so many characters, which no error repeats."""
    secret = env_str(name)
    if secret and len(secret) < least:
        raise ImproperlyConfigured(f"{name}: use at least {least} characters.")
    return secret


def env_prefix(name: str) -> str:
    """Text put before others, kept as it is: a space at its end counts."""
    prefix = os.environ.get(name, "")
    if len(prefix) > 500:
        raise ImproperlyConfigured(f"{name}: use at most 500 characters.")
    return prefix


def env_url(name: str, schemes: tuple[str, ...]) -> str:
    raw = env_str(name)
    if raw and (urlsplit(raw).scheme not in schemes or not urlsplit(raw).hostname):
        raise ImproperlyConfigured(
            f"{name}={raw!r}: use a URL that begins with {' or '.join(s + '://' for s in schemes)}."
        )
    return raw


def secret_key(path: Path) -> str:
    """The key of CONSOLE_SECRET_KEY, or one made once and kept in `path` (readable by its owner only)."""
    if given := env_secret("CONSOLE_SECRET_KEY", least=32):
        return given
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(get_random_secret_key())
    except FileExistsError:
        pass
    return path.read_text().strip()


# Seconds a request waits for a connection of the pool; then how long the pool tries for one before it begins anew,
# because its pauses double: after an outage of an hour the next try would be minutes away.
PATIENCE = {"timeout": 5, "reconnect_timeout": 5}

# Set by wsgi.py and asgi.py before the settings load. A pool has threads of its own, which a fork does not take along:
# the worker forks and must never have one, so a process is taken for the web only when it says so.
web_process = False


def postgres(url: str, *, pool: int = 0) -> dict[str, Any]:
    """Django's DATABASES entry for a postgresql:// URL; its query string becomes connection options.

    With `pool`, the threads of a web process share at most so many connections; other processes have none to share.
    """
    parts = urlsplit(url)
    shared = {"pool": {"min_size": 1, "max_size": pool, **PATIENCE}} if pool and web_process else {}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "hindsight",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0 if shared else 60,  # a pool keeps them itself
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            **shared,
            "connect_timeout": 5,
            # A query that a person or an agent waits for longer than this is a fault, not patience. A page costs 1.1,
            # because what is asked for all day is in memory: at the usual 4, the price of a disk that turns, the
            # planner reads a whole large table where a thousand looks into an index would do.
            "options": "-c statement_timeout=15000 -c lock_timeout=5000 -c random_page_cost=1.1",
            # the server keeps the two above; one that vanished from the network is given up after 20 seconds
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 2,
            "tcp_user_timeout": 20_000,
            **dict(parse_qsl(parts.query)),
        },
    }


def mail(url: str) -> dict[str, Any]:
    """Where mail is handed in, as Django's settings without their EMAIL_: smtp://, smtp+tls:// for STARTTLS, smtps://."""
    parts = urlsplit(url)
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    return {
        "HOST": parts.hostname or "",
        "PORT": parts.port or ports.get(parts.scheme, 25),
        "HOST_USER": unquote(parts.username or ""),
        "HOST_PASSWORD": unquote(parts.password or ""),
        "USE_TLS": parts.scheme == "smtp+tls",
        "USE_SSL": parts.scheme == "smtps",
    }


def patient_redis() -> dict[str, Any]:
    """Options of a Redis client that no request waits for longer than half a second."""
    from redis import ConnectionError
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return {
        "socket_connect_timeout": 0.5,
        "socket_timeout": 0.5,
        # A connection kept since before a restart fails once, so one try more; what hangs is not tried again.
        "retry": Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
    }


def sqlite(path: Path) -> dict[str, Any]:
    """Django's DATABASES entry for a SQLite file shared by web and worker processes.

    IMMEDIATE and WAL belong together: of 900 contended transactions 630 failed with neither, 707 with WAL
    alone and none with both (research/review-ux-and-style.md C1).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            # secure_delete: what was erased is overwritten in the file, not only left out of the tables
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000; "
            "PRAGMA secure_delete=ON;",
        },
    }
