"""Settings of the test suite: a data folder of its own, and nothing slow that tests do not ask about."""

import os
import tempfile

os.environ["CONSOLE_DATA_DIR"] = tempfile.mkdtemp(prefix="hindsight-test-")
os.environ.setdefault("CONSOLE_LOG_LEVEL", "ERROR")

from hindsight_site.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"  # noqa: F405
STATIC_ROOT.mkdir()  # noqa: F405
