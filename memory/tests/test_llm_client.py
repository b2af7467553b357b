"""The client of the language model: whatever a server does, an answer or one of three errors, and in time."""

import time

import pytest

from memory.llm.answers import SCHEMA
from memory.llm.client import Refused, Resting, Unavailable, get_model
from memory.tests import llm_server as server

MESSAGES = [{"role": "system", "content": "Judge."}, {"role": "user", "content": "No event."}]


def ask(seconds: float = 1.0):
    return get_model().ask(MESSAGES, SCHEMA, tokens=100, seconds=seconds)


def test_an_answer_comes_with_its_count_of_tokens(llm):
    llm.ways = [server.say("hello")]
    answered = ask()
    assert (answered.text, answered.cut, answered.prompt_tokens, answered.answer_tokens) == ("hello", False, 900, 60)


@pytest.mark.parametrize(
    "way, says",
    [
        (server.fail(500), "HTTP 500"),
        (server.fail(401), "HTTP 401"),
        (server.fail(404), "HTTP 404"),
        (server.hang, "within 1 seconds"),
        (server.drip_headers, "within 1 seconds"),
        (server.drip_body, "within 1 seconds"),
        (server.drop, "RemoteProtocolError"),
        (server.send_a_flood, "larger than"),
        (server.answer(200, b"<html>proxy</html>"), "not JSON"),
        (server.answer(307, b"", Location="http://127.0.0.1:9/v1/chat/completions"), "HTTP 307"),
    ],
)
def test_a_server_that_fails_is_unavailable_within_the_time_given(llm, way, says):
    llm.ways = [way]
    began = time.monotonic()
    with pytest.raises(Unavailable, match=says):
        ask()
    assert time.monotonic() - began < 1.5


def test_nobody_there_is_unavailable(settings):
    settings.LLM_API_BASE, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "tiny"
    with pytest.raises(Unavailable):
        ask()
    assert not get_model().answers()


@pytest.mark.parametrize(
    "body",
    [
        {"choices": None},
        {"choices": []},
        {"choices": [None]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": None}}], "usage": None},
        {"choices": [{"message": {"content": ""}}]},
        ["choices"],
        {"error": {"message": "overloaded"}},
    ],
)
def test_an_answer_without_text_is_refused(llm, body):
    llm.ways = [server.answer(200, body)]
    with pytest.raises(Refused, match="holds no text"):
        ask()


def test_a_refusal_is_told(llm):
    llm.ways = [server.answer(200, {"choices": [{"message": {"content": None, "refusal": "I must not."}}]})]
    with pytest.raises(Refused, match="I must not"):
        ask()


def test_after_a_failure_the_server_is_left_alone(llm):
    llm.ways = [server.fail(503)]
    with pytest.raises(Unavailable):
        ask()
    with pytest.raises(Resting, match="HTTP 503"):
        ask()
    assert len(llm.asked) == 1


def test_a_server_that_names_a_pause_gets_it(llm):
    llm.ways = [server.fail(429, Retry_After="40")]
    with pytest.raises(Unavailable):
        ask()
    with pytest.raises(Resting, match=r"again in (39|40) s"):
        ask()


def test_the_best_form_that_the_server_takes_is_remembered(llm):
    llm.always = server.refuse_forms("json_schema", "json_object with schema")
    for _ in range(2):
        ask()
    forms = [server.form_of(body) for body in llm.asked]
    assert forms == ["json_schema", "json_object with schema", "json_object", "json_object"]


def test_a_server_that_calls_an_unknown_form_its_own_error_is_asked_in_the_next(llm):
    """As llama-cpp-python 0.3.36 does."""
    llm.ways = [server.answer(500, {"error": {"message": "1 validation error: body.response_format.type"}})]
    ask()
    assert server.form_of(llm.asked[-1]) == "json_object with schema"


def test_a_server_that_knows_no_forms_is_asked_plainly(llm):
    llm.always = server.refuse_forms("json_schema", "json_object with schema", "json_object")
    ask()
    assert "response_format" not in llm.asked[-1]


def test_a_question_refused_in_every_form_is_no_outage_and_teaches_no_form(llm):
    llm.ways = [server.fail(400)] * 4
    with pytest.raises(Refused, match="HTTP 400"):
        ask()
    ask()
    assert server.form_of(llm.asked[-1]) == "json_schema"


def test_the_key_goes_to_the_server(llm, settings):
    seen = []
    settings.LLM_API_KEY = "sk-test"
    llm.ways = [lambda handler: (seen.append(handler.headers["Authorization"]), server.say("x")(handler))]
    ask()
    assert seen == ["Bearer sk-test"]
