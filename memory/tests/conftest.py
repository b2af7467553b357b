"""Vector databases and a language model for the tests that ask for one."""

import os
import uuid
import warnings

import pytest
from qdrant_client import QdrantClient

from memory.index import follower
from memory.index import qdrant as qdrant_module
from memory.tests.llm_server import LlmServer
from memory.tests.qdrant_stand_in import StandIn


@pytest.fixture
def qdrant(settings, monkeypatch):
    """A Qdrant in this process, empty, reached through the product's own class; answers the client."""
    client = QdrantClient(":memory:")
    monkeypatch.setattr(qdrant_module, "connect", lambda url, api_key, timeout: client)
    settings.VECTOR_DB_URL = "http://qdrant.test:6333"
    follower.forget()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Payload indexes have no effect")
        yield client
    follower.forget()


@pytest.fixture
def qdrant_http(settings):
    """The same engine behind real HTTP, reached as a server is; answers a client of it."""
    stand_in = StandIn()
    settings.VECTOR_DB_URL = stand_in.url
    follower.forget()
    yield qdrant_module.connect(stand_in.url, "", 10)
    follower.forget()
    stand_in.close()


@pytest.fixture
def qdrant_server(settings, monkeypatch):
    """The server at TEST_QDRANT_URL, with collections of this test's own that are removed afterwards."""
    settings.VECTOR_DB_URL = os.environ["TEST_QDRANT_URL"]
    settings.VECTOR_DB_API_KEY = os.environ.get("TEST_QDRANT_API_KEY", "")
    monkeypatch.setattr(follower, "ALIAS", f"test-{uuid.uuid4().hex[:12]}")
    follower.forget()
    client = qdrant_module.connect(settings.VECTOR_DB_URL, settings.VECTOR_DB_API_KEY, 10)
    yield client
    for found in client.get_collections().collections:
        if found.name.startswith(f"{follower.ALIAS}-"):
            client.delete_collection(found.name)
    follower.forget()


@pytest.fixture
def llm(settings):
    """A language model that is set up, on a scripted server; answers the server."""
    server = LlmServer()
    settings.LLM_API_BASE, settings.LLM_MODEL, settings.LLM_TIMEOUT = server.url, "tiny:1b", 4
    yield server
    server.close()
