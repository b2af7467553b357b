"""The settings of the language model: together or not at all, and patience that fits into a job."""

import os
import subprocess
import sys

import pytest

BASE = {"LLM_API_BASE": "http://127.0.0.1:11434/v1", "LLM_MODEL": "qwen2.5:7b"}


def start(tmp_path, **given: str) -> str:
    """The last line of what loading the settings says; empty when they load."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "CONSOLE_"))}
    env = clean | {"CONSOLE_DATA_DIR": str(tmp_path)} | given
    done = subprocess.run(
        [sys.executable, "-c", "import hindsight_site.settings"], env=env, capture_output=True, text=True, check=False
    )
    return done.stderr.strip().rpartition("\n")[2]


def test_both_are_taken(tmp_path):
    assert start(tmp_path, **BASE) == ""


@pytest.mark.parametrize(
    "given, says",
    [
        ({"LLM_MODEL": "qwen2.5:7b"}, "LLM_API_BASE and LLM_MODEL belong together"),
        ({"LLM_API_BASE": BASE["LLM_API_BASE"]}, "LLM_API_BASE and LLM_MODEL belong together"),
        (BASE | {"LLM_API_BASE": "localhost:11434"}, "LLM_API_BASE"),
        (BASE | {"LLM_TIMEOUT": "60", "CONSOLE_JOB_TIMEOUT": "120"}, "LLM_TIMEOUT=60: use a fifth"),
        (BASE | {"LLM_CONTEXT": "100"}, "LLM_CONTEXT=100: use 4096"),
    ],
)
def test_what_cannot_work_stops_the_start_with_a_sentence(tmp_path, given, says):
    assert says in start(tmp_path, **given)
