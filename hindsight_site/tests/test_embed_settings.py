"""The settings of the embedder: together or not at all, and prefixes kept to the letter."""

import pytest

from hindsight_site.env import env_prefix
from hindsight_site.tests.test_llm_settings import start

BASE = {"EMBED_API_BASE": "http://127.0.0.1:11434/v1", "EMBED_MODEL": "bge-m3"}
PREVIOUS = {"EMBED_PREVIOUS_API_BASE": "http://127.0.0.1:11434/v1", "EMBED_PREVIOUS_MODEL": "e5"}


def test_a_server_and_the_one_before_it_are_taken(tmp_path):
    assert start(tmp_path, **BASE, **PREVIOUS, EMBED_QUERY_PREFIX="query: ") == ""


@pytest.mark.parametrize(
    "given, says",
    [
        ({"EMBED_MODEL": "bge-m3"}, "EMBED_API_BASE and EMBED_MODEL belong together"),
        ({"EMBED_API_BASE": BASE["EMBED_API_BASE"]}, "EMBED_API_BASE and EMBED_MODEL belong together"),
        ({"EMBED_PREVIOUS_MODEL": "e5"}, "EMBED_PREVIOUS_API_BASE and EMBED_PREVIOUS_MODEL belong together"),
        ({"EMBED_API_KEY": "secret"}, "EMBED_API_KEY or a prefix is set"),
        ({"EMBED_TEXT_PREFIX": "passage: "}, "EMBED_API_KEY or a prefix is set"),
        (BASE | {"EMBED_API_BASE": "localhost:11434"}, "EMBED_API_BASE='localhost:11434'"),
        (BASE | {"EMBED_TIMEOUT": "0"}, "EMBED_TIMEOUT=0: use 1"),
        (BASE | {"EMBED_QUERY_PREFIX": "x" * 501}, "EMBED_QUERY_PREFIX: use at most 500"),
    ],
)
def test_what_cannot_work_stops_the_start_with_a_sentence(tmp_path, given, says):
    assert says in start(tmp_path, **given)


def test_the_space_at_the_end_of_a_prefix_counts(monkeypatch):
    monkeypatch.setenv("EMBED_QUERY_PREFIX", "query: ")
    assert env_prefix("EMBED_QUERY_PREFIX") == "query: "
