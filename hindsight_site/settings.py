"""Every setting of the site, from the environment. A bad value stops the start with a sentence about it.

What a workspace may set for itself (windows, weights, deadlines) is in memory/policy.py instead.
"""

import os
from pathlib import Path

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from hindsight_site.env import (
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_prefix,
    env_secret,
    env_str,
    env_url,
    mail,
    patient_redis,
    postgres,
    secret_key,
    sqlite,
)
from hindsight_site.logs import without_names

# 8 ms against 0.8 ms for one user's search under load when every process starts its own BLAS threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env_str("CONSOLE_DATA_DIR", str(BASE_DIR / "var"))).expanduser().resolve()

DEBUG = env_bool("CONSOLE_DEBUG", False)
SECRET_KEY = secret_key(DATA_DIR / "secret_key")
ALLOWED_HOSTS = env_list("CONSOLE_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env_list("CONSOLE_TRUSTED_ORIGINS", [])
# Set it where a proxy ends TLS; it turns on secure cookies, HSTS and the proxy's scheme header.
BEHIND_TLS = env_bool("CONSOLE_BEHIND_TLS", False)
# Addresses in X-Forwarded-For are the client's own words unless this many proxies of ours stand in front.
TRUSTED_PROXIES = env_int("CONSOLE_TRUSTED_PROXIES", 0, low=0, high=5)

# Whoever scrapes /metrics sends it as a bearer token; without one only this host is told.
METRICS_TOKEN = env_secret("CONSOLE_METRICS_TOKEN", least=16)

POSTGRES_URL = env_url("POSTGRES_URL", ("postgres", "postgresql"))
DB_POOL = env_int("CONSOLE_DB_POOL", 0, low=0, high=200)
if DB_POOL and not POSTGRES_URL:
    raise ImproperlyConfigured("CONSOLE_DB_POOL is set, but SQLite has no connections to share. Unset it.")
REDIS_URL = env_url("REDIS_URL", ("redis", "rediss"))
VECTOR_DB_URL = env_url("VECTOR_DB_URL", ("http", "https"))
VECTOR_DB_API_KEY = env_str("VECTOR_DB_API_KEY")
# A language model that reads events; without one the rules judge alone.
LLM_API_BASE = env_url("LLM_API_BASE", ("http", "https")).rstrip("/")
LLM_MODEL = env_str("LLM_MODEL")
LLM_API_KEY = env_str("LLM_API_KEY")
if bool(LLM_API_BASE) != bool(LLM_MODEL):
    raise ImproperlyConfigured("LLM_API_BASE and LLM_MODEL belong together: set both, or neither to judge by rules.")
# seconds of one whole call, from connecting to the last byte
LLM_TIMEOUT = env_int("LLM_TIMEOUT", 30, low=1, high=600)
# calls at one time, of all workers on all hosts together
LLM_CONCURRENCY = env_int("LLM_CONCURRENCY", 2, low=1, high=64)
# tokens that the model takes at once, question and answer together
LLM_CONTEXT = env_int("LLM_CONTEXT", 8192, low=4096, high=1_000_000)
# Vectors from an OpenAI-compatible server; without one the bundled model makes them.
EMBED_API_BASE = env_url("EMBED_API_BASE", ("http", "https")).rstrip("/")
EMBED_MODEL = env_str("EMBED_MODEL")
EMBED_API_KEY = env_str("EMBED_API_KEY")
EMBED_QUERY_PREFIX = env_prefix("EMBED_QUERY_PREFIX")
EMBED_TEXT_PREFIX = env_prefix("EMBED_TEXT_PREFIX")
if bool(EMBED_API_BASE) != bool(EMBED_MODEL):
    raise ImproperlyConfigured("EMBED_API_BASE and EMBED_MODEL belong together: set both, or neither.")
if not EMBED_API_BASE and (EMBED_API_KEY or EMBED_QUERY_PREFIX or EMBED_TEXT_PREFIX):
    raise ImproperlyConfigured("EMBED_API_KEY or a prefix is set, but the bundled model takes none. Unset it.")
# The server whose vectors still answer while `manage.py reindex` makes the new ones. The bundled model needs no naming.
EMBED_PREVIOUS = {
    "base": env_url("EMBED_PREVIOUS_API_BASE", ("http", "https")).rstrip("/"),
    "model": env_str("EMBED_PREVIOUS_MODEL"),
    "key": env_str("EMBED_PREVIOUS_API_KEY"),
    "query_prefix": env_prefix("EMBED_PREVIOUS_QUERY_PREFIX"),
    "text_prefix": env_prefix("EMBED_PREVIOUS_TEXT_PREFIX"),
}
if bool(EMBED_PREVIOUS["base"]) != bool(EMBED_PREVIOUS["model"]):
    raise ImproperlyConfigured("EMBED_PREVIOUS_API_BASE and EMBED_PREVIOUS_MODEL belong together: set both, or none.")
# seconds of one request of many texts; a single text is given 2
EMBED_TIMEOUT = env_int("EMBED_TIMEOUT", 10, low=1, high=600)

# Where the console is for people, as links in mails and webhooks say it: https://console.example.com
BASE_URL = env_url("CONSOLE_BASE_URL", ("http", "https")).rstrip("/")
# Webhooks may lead into the operator's own network, and speak http.
WEBHOOK_PRIVATE = env_bool("CONSOLE_WEBHOOK_PRIVATE", False)
# The server that takes mail; without one no mail is made.
EMAIL_URL = env_url("EMAIL_URL", ("smtp", "smtp+tls", "smtps"))
DEFAULT_FROM_EMAIL = env_str("CONSOLE_MAIL_FROM", "hindsight@localhost")
EMAIL_TIMEOUT = 10
globals().update({f"EMAIL_{name}": value for name, value in mail(EMAIL_URL).items()})

INSTALLED_APPS = [
    "hindsight_site.apps.Admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_q",
    "django_structlog",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "memory",
    "review",
]

MIDDLEWARE = [
    "django_structlog.middlewares.RequestMiddleware",
    "hindsight_site.middleware.security_headers",
    "hindsight_site.middleware.body_limit",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "review.personal.personal",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "hindsight_site.middleware.no_nul",
    "hindsight_site.middleware.htmx_login_redirect",
]

ROOT_URLCONF = "hindsight_site.urls"
WSGI_APPLICATION = "hindsight_site.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # |utc and |moment: what a <time> says to programs is of no zone
            "builtins": ["django.templatetags.tz", "review.templatetags.moments"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "review.context.console",
            ],
        },
    },
]

DATABASES = {
    "default": postgres(POSTGRES_URL, pool=DB_POOL) if POSTGRES_URL else sqlite(DATA_DIR / "hindsight.sqlite3")
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Begins every key of ours in Redis. Installations that share a server take another database of it each.
REDIS_PREFIX = "hindsight"
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache" if REDIS_URL
        else "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": REDIS_URL or "hindsight",
        "KEY_PREFIX": REDIS_PREFIX,
        "OPTIONS": patient_redis() if REDIS_URL else {},
    }
}  # fmt: skip

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "dashboard"
LOGOUT_REDIRECT_URL = "login"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "hindsight_site.errors.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if BEHIND_TLS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_TZ = True
TIME_ZONE = env_str("CONSOLE_TIME_ZONE", "UTC")

STATIC_URL = "/static/"
STATIC_ROOT = Path(env_str("CONSOLE_STATIC_ROOT", str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage",
    },
}  # fmt: skip

# One request may not be larger than this (bytes); larger ones are refused before they are read.
BODY_LIMIT = env_int("CONSOLE_BODY_LIMIT", 2_000_000, low=10_000, high=100_000_000)
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
BATCH_LIMIT = env_int("CONSOLE_BATCH_LIMIT", 100, low=1, high=10_000)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["memory.api.keys.AgentKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["memory.api.keys.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memory.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["memory.api.keys.KeyThrottle"],
    "DEFAULT_THROTTLE_RATES": {"key": env_str("CONSOLE_KEY_RATE", "6000/min")},
    "EXCEPTION_HANDLER": "memory.api.errors.problem_response",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Hindsight Console API",
    "DESCRIPTION": "Post what your agents see and say; read back what may be relied on.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    # without this every enum clash gets a generated name that changes with the code around it
    "ENUM_NAME_OVERRIDES": {
        "SourceClassEnum": "memory.models.episode.SourceClass",
        "CategoryEnum": "memory.models.memory.Category",
        "MemoryStatusEnum": "memory.models.memory.MemoryStatus",
        "ToldStatusEnum": "memory.api.answers.TOLD_STATUSES",
        "EpisodeStatusEnum": "memory.models.episode.Episode.Status",
        "ConflictStatusEnum": "memory.models.conflict.Conflict.Status",
        "EpisodeKindEnum": "memory.models.episode.Episode.Kind",
        "ConflictKindEnum": "memory.models.conflict.Conflict.Kind",
    },
}

# A job is handed out again `retry` seconds after it was FETCHED, and the cluster fetches ahead: so
# retry > timeout × (1 + ceil((queue_limit + 1) / workers)), or jobs run twice (research C3).
Q_WORKERS = env_int("CONSOLE_WORKERS", 2, low=1, high=64)
Q_TIMEOUT = env_int("CONSOLE_JOB_TIMEOUT", max(150, 5 * LLM_TIMEOUT) if LLM_MODEL else 30, low=5, high=3600)
if LLM_MODEL and Q_TIMEOUT < 5 * LLM_TIMEOUT:
    # a job begins no event after a third of its time, and one event may take three times this long
    raise ImproperlyConfigured(f"LLM_TIMEOUT={LLM_TIMEOUT}: use a fifth of CONSOLE_JOB_TIMEOUT ({Q_TIMEOUT}) or less.")
SCHEDULED = ("memory", "review")  # whose jobs run by the clock: memory/schedules.py
Q_CLUSTER = {
    "name": "hindsight",
    "orm": "default",
    "label": _("Background jobs"),
    "workers": Q_WORKERS,
    "queue_limit": Q_WORKERS,
    "timeout": Q_TIMEOUT,
    "retry": Q_TIMEOUT * 3 + 10,
    # our own count on the episode parks a job; this only bounds jobs that fail with an exception
    "max_attempts": 3,
    "catch_up": False,
    "poll": 0.5,
    "guard_cycle": 1,
    "save_limit": 250,
    "recycle": 500,
    "ack_failures": True,
}

LOG_LEVEL = env_choice("CONSOLE_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOG_FORMAT = env_choice("CONSOLE_LOG_FORMAT", "json", ("json", "text"))
_shared_processors = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.TimeStamper(fmt="iso"),
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
]
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_shared_processors,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": [*_shared_processors, structlog.processors.format_exc_info],
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                without_names,
                structlog.processors.JSONRenderer(ensure_ascii=False) if LOG_FORMAT == "json"
                else structlog.dev.ConsoleRenderer(colors=False),
            ],
        },
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django_structlog": {"level": LOG_LEVEL},
        # a line for every job says nothing that the console does not show
        "django-q": {"level": "DEBUG" if LOG_LEVEL == "DEBUG" else "WARNING"},
        "django.server": {"handlers": ["console"], "propagate": False},
        # a line for each request to the vector database would bury everything else
        "httpx": {"level": "WARNING"},
    },
}  # fmt: skip
