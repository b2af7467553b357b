"""What nobody should send: a clear 4xx that names the fault, and nothing stored."""

import json

import pytest

from memory.models import EndUser, Episode, IdempotencyKey
from memory.tests.agent import API, Agent

pytestmark = pytest.mark.django_db

GOOD = {
    "/events": {"user_id": "u1", "run_id": "r1", "role": "user", "content": "I like tea", "metadata": {}},
    "/memories": {"user_id": "u1", "run_id": "r1", "memory": "I like tea", "metadata": {}},
    "/tool-results": {"user_id": "u1", "run_id": "r1", "tool": {"name": "tea"}, "result": "tea", "metadata": {}},
    "/memories/batch": {"memories": [{"user_id": "u1", "memory": "I like tea"}]},
    "/memories/search": {"user_id": "u1", "query": "tea"},
    "/search": {"user_id": "u1", "query": "tea"},
}
POSTS = list(GOOD)
WRITES = ["/events", "/memories"]


@pytest.fixture
def agent(workspace):
    return Agent(workspace)


def refused(answer, status=400):
    """The problem that was answered, once it is one and nothing is left of the request."""
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), answer.content[:300]
    problem = answer.json()
    assert problem["status"] == status and problem["title"] and problem["detail"]
    assert not EndUser.objects.exists() and not Episode.objects.exists() and not IdempotencyKey.objects.exists()
    return problem


BODIES = {
    "empty": b"",
    "not JSON": b"user_id=u1",
    "cut short": b'{"user_id": "u1", "conten',
    "trailing comma": b'{"user_id": "u1",}',
    "two values": b'{"user_id": "u1"} {"user_id": "u2"}',
    "single quotes": b"{'user_id': 'u1'}",
    "a list": b'[{"user_id": "u1"}]',
    "a string": b'"u1"',
    "a number": b"7",
    "null": b"null",
    "NaN": b'{"user_id": "u1", "threshold": NaN}',
    "Infinity": b'{"user_id": "u1", "threshold": -Infinity}',
    "a float beyond all": b'{"user_id": "u1", "threshold": 1e999}',
    "a number of 5000 digits": b'{"user_id": "u1", "threshold": ' + b"9" * 5000 + b"}",
    "a field twice": b'{"user_id": "u1", "user_id": "u2"}',
    "not UTF-8": b'{"user_id": "\xff\xfe"}',
    "UTF-16": '{"user_id": "u1"}'.encode("utf-16"),
    "byte-order mark": b'\xef\xbb\xbf{"user_id": "u1"}',
    "raw control character": b'{"user_id": "u\x01"}',
    "raw NUL": b'{"user_id": "u\x00"}',
    "100,000 brackets": b'{"user_id": ' + b"[" * 100_000,
    "33 levels": b'{"user_id": ' + b"[" * 33 + b"]" * 33 + b"}",
}


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_json_object_is_400(agent, path, body):
    refused(agent.post(path, body, Idempotency_Key="k1"))


def test_the_place_of_a_syntax_error_is_told(agent):
    assert "line 2, column 1" in refused(agent.post("/events", b'{"user_id":\n}'))["detail"]
    assert "byte 2" in refused(agent.post("/events", b'{"\xff": 1}'))["detail"]
    assert refused(agent.post("/events", b'{"a": {"b": 1, "b": 2}}'))["field"] == "b"


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize("escape", [r"\u0000", r"\ud83d", r"\ude00", r"\ude00\ud83d"])
@pytest.mark.parametrize(
    "place, field",
    [
        ('"content": "tea X"', "content"),
        ('"metadata": {"a": ["x", {"b": "X"}]}', "metadata.a[1].b"),
        ('"metadata": {"X": 1}', "metadata"),
        ('"user_id": "X"', "user_id"),
        ('"X": 1', "body"),
    ],
)
def test_nul_and_half_surrogates_are_refused_wherever_they_stand(agent, path, escape, place, field):
    problem = refused(agent.post(path, ("{" + place.replace("X", escape) + "}").encode()))
    assert problem["field"] == field


def test_a_whole_surrogate_pair_is_text(agent):
    raw = rb'{"user_id": "u1", "run_id": "r1", "role": "user", "content": "tea \ud83d\ude00"}'
    assert agent.post("/events", raw).status_code == 202
    assert Episode.objects.get().content == "tea 😀"


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize("name", ["user_id", "run_id"])
@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "\u3000",
        "\u200b",
        "*",
        None,
        [],
        ["u1"],
        {},
        {"$ne": ""},
        0,
        1.5,
        True,
        "a\u0007",
        "a\u0085",
        "a\ufffd",
        "x" * 201,
        "u1 ",
    ],
)
def test_ids_that_are_none_are_refused_by_name(agent, path, name, value):
    assert refused(agent.post(path, GOOD[path] | {name: value}))["field"] == name


@pytest.mark.parametrize("value", ["x" * 200, "沈知夏", "a/b", "user@example.com", "u 1", "👩‍👩‍👧", "' OR 1=1 --", "%"])
def test_ids_may_be_any_visible_text(agent, value):
    assert agent.post("/events", GOOD["/events"] | {"user_id": value, "run_id": value}).status_code == 202
    assert EndUser.objects.get().external_id == value


WRONG = [
    ("role", "wizard"), ("role", None), ("role", ["user"]), ("role", 1),
    ("content", None), ("content", 7), ("content", ["tea"]), ("content", {"text": "tea"}), ("content", True),
    ("content", "x" * 200_001),
    ("kind", "dream"), ("status", "maybe"), ("status", None), ("name", 5), ("name", "x" * 201), ("agent_id", ""),
    ("agent_id", []), ("infer", "true"), ("infer", 1), ("infer", None), ("metadata", None), ("metadata", []),
    ("metadata", "{}"), ("metadata", {"a": "x" * 20_001}), ("task_state", []), ("task_state", "done"),
    ("event_time", "2026-05-04"), ("event_time", 1.5), ("event_time", ""), ("event_time", {}),
    ("event_time", "2999-01-01T00:00:00Z"), ("event_time", "9999-12-31T23:59:59-23:59"),
    ("recorded_at", "2026-05-04T00:00:00Z"), ("workspace", "other"), ("", 1), ("judging", "judged"),
]  # fmt: skip


@pytest.mark.parametrize("name, value", WRONG, ids=[f"{name}={json.dumps(value)[:30]}" for name, value in WRONG])
def test_a_field_of_the_wrong_kind_is_refused_by_name(agent, name, value):
    assert refused(agent.post("/events", GOOD["/events"] | {name: value})).get("field", "") == name


@pytest.mark.parametrize("missing", ["user_id", "run_id", "role", "content"])
def test_a_missing_field_is_named(agent, missing):
    body = {name: value for name, value in GOOD["/events"].items() if name != missing}
    assert refused(agent.post("/events", body))["field"] == missing


def test_every_wrong_field_is_told_at_once(agent):
    problem = refused(agent.post("/events", {"user_id": "*", "run_id": "r1", "role": "wizard", "content": "tea"}))
    assert [error["field"] for error in problem["errors"]] == ["user_id", "role"]


@pytest.mark.parametrize("events", [[], None, {}, "x", [None], [[]], ["tea"], [{}]])
def test_a_list_of_events_that_is_none_is_400(agent, events):
    assert refused(agent.post("/events", {"events": events}))["field"].startswith("events")


@pytest.mark.parametrize("path", POSTS)
def test_ten_megabytes_are_413(agent, path):
    refused(agent.post(path, b'{"content": "' + b"x" * 10_000_000 + b'"}'), 413)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_another_content_type_is_415(agent, kind):
    answer = agent.client.post(
        f"{API}/events", json.dumps(GOOD["/events"]), content_type=kind, headers={"X-API-Key": agent.token}
    )
    refused(answer, 415)


def test_a_chunked_body_is_told_that_it_is_not_read(agent):
    answer = agent.post("/events", b"", Transfer_Encoding="chunked")
    assert "Content-Length" in refused(answer)["hint"]


@pytest.mark.parametrize("method", ["put", "trace", "get"])
def test_another_method_is_405_with_the_ones_there_are(agent, method):
    answer = getattr(agent.client, method)(f"{API}/events", headers={"X-API-Key": agent.token})
    refused(answer, 405)
    assert "POST" in answer["Allow"]


def test_an_unknown_parameter_is_refused_by_name(agent):
    assert refused(agent.get("/memories", user_id="u1", userid="u2"))["field"] == "userid"
    twice = agent.client.get(f"{API}/memories?user_id=a&user_id=b", headers={"X-API-Key": agent.token})
    assert "2 times" in refused(twice)["detail"]
    assert refused(agent.get("/memories", user_id="a\x00"))["field"] == "user_id"


def test_an_id_that_is_not_utf_8_is_refused(agent):
    answer = agent.client.get(f"{API}/memories?user_id=%FF", headers={"X-API-Key": agent.token})
    assert refused(answer)["field"] == "user_id"


def test_what_nobody_foresaw_is_500_without_its_insides(agent, monkeypatch):
    def broken(**kwargs):
        raise RuntimeError("secret detail at /srv/app/memory/x.py")

    monkeypatch.setattr("memory.api.recording.record", broken)
    problem = refused(agent.post("/events", GOOD["/events"], Idempotency_Key="k1"), 500)
    assert "secret" not in json.dumps(problem)


def test_an_api_answer_is_never_cached_and_names_its_request(agent):
    answer = agent.get("/memories", user_id="u1")
    assert answer["Cache-Control"] == "no-store" and answer["X-Request-ID"]
