"""What a model may answer, and what is read out of it: as much as is whole, and nothing that is guessed."""

import json
import time

import pytest

from memory.llm.answers import SCHEMA, Unreadable, read

ONE = '{"event": 1, "worth": true, "claims": [{"quote": "I live in Bergen", "attribute": "residence"}]}'
TWO = '{"event": 2, "worth": false, "claims": []}'
BOTH = f'{{"events": [{ONE}, {TWO}]}}'


def quotes(found) -> dict[int, list[str]]:
    return {number: [claim.quote for claim in judged.claims] for number, judged in found.items()}


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        f"Sure! Here it is:\n```json\n{BOTH}\n```\nHope that helps {{smile}}.",
        f"```\n{BOTH}",
        f"[{ONE}, {TWO}]",
        f"{ONE}\n{TWO}",
        BOTH.replace('"', "'"),
        BOTH.replace("}]}", "},]}").replace("]}", "],}"),
        BOTH.replace("true", "True").replace("false", "False"),
        BOTH.replace('"event": 1', '"event": "1"').replace('"event": 2', '"event": "event 2"'),
        BOTH.replace("true", '"yes"').replace("false", "0"),
        BOTH.replace('"worth": false, ', '"worth": false, "mood": "fine", '),
        f'<think>Perhaps {{"event": 1, "worth": false, "claims": []}}?</think>{BOTH}',
        f'I wonder about {{"event": 1, "worth": false}}\n</think>\n{BOTH}',
        f'{{"result": {{"events": [{ONE}, {TWO}]}}}}',
        f'{{"events": {{"1": {ONE}, "2": {TWO}}}}}',
        f'{{"events": [{ONE}, {TWO}, {{"event": 9, "worth": true, "claims": [{{"quote": "x"}}]}}]}}',
        f'{{"events": [{ONE}, {TWO}, null, 7, "text"]}} // done',
    ],
)
def test_two_judgements_are_read_however_they_are_wrapped(text):
    assert quotes(read(text, {1, 2})) == {1: ["I live in Bergen"], 2: []}


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("end", ['{"event": 2, "worth": true, "claims": [{"quote": "I am fro', '{"event": 2, "wor', ""])
def test_of_an_answer_that_broke_off_the_whole_judgements_are_kept(end, cut):
    assert quotes(read(f'{{"events": [{ONE}, {end}', {1, 2}, cut=cut)) == {1: ["I live in Bergen"]}


@pytest.mark.parametrize("cut", [True, False])
def test_the_words_at_which_an_answer_broke_off_are_not_taken_for_whole(cut):
    with pytest.raises(Unreadable):
        read('{"events": [{"event": 1, "worth": true, "claims": [{"quote": "My sister Ben', {1}, cut=cut)


@pytest.mark.parametrize(
    "text", ["", "I cannot help with that.", "null", "{}", "[]", '{"events": null}', '{"events": "none"}', "[[[[", "42"]
)
def test_an_answer_without_a_judgement_is_unreadable(text):
    with pytest.raises(Unreadable):
        read(text, {1})


def test_events_that_were_not_asked_about_are_left_out():
    with pytest.raises(Unreadable):
        read(ONE, {4, 5})


def test_an_event_answered_in_two_ways_is_left_out_and_one_repeated_is_not():
    other = ONE.replace("Bergen", "Oslo")
    assert quotes(read(f"[{ONE}, {other}, {TWO}]", {1, 2})) == {2: []}
    assert quotes(read(f"[{ONE}, {ONE}, {TWO}]", {1, 2})) == {1: ["I live in Bergen"], 2: []}


def test_a_single_event_needs_no_number():
    assert quotes(read('{"worth": true, "claims": [{"quote": "I live here"}]}', {3})) == {3: ["I live here"]}


@pytest.mark.parametrize("path", [r"C:\Users\mina", r"\d+\.log", r"D:\work\x"])
def test_backslashes_that_are_no_escapes_are_meant(path):
    text = f'{{"event": 1, "worth": true, "claims": [{{"quote": "It is in {path}"}}]}}'
    assert quotes(read(text, {1})) == {1: [f"It is in {path}"]}


def test_a_claim_without_a_quote_is_counted_and_its_neighbours_are_kept():
    claims = [{"value": "x"}, None, {"quote": 7}, {"quote": "I live"}]
    [judged] = read(json.dumps({"event": 1, "worth": True, "claims": claims}), {1}).values()
    assert ([claim.quote for claim in judged.claims], judged.unusable) == (["7", "I live"], 2)


def test_wrong_types_become_nothing():
    odd = {"event": 1, "worth": "maybe", "whose": ["user"], "adds": {"a": 1}}
    [judged] = read(json.dumps(odd | {"claims": [{"quote": "I live", "past": "x"}]}), {1}).values()
    assert (judged.worth, judged.whose, judged.adds, judged.claims[0].past) == (True, "", "", False)


def test_what_is_not_worth_has_no_claims():
    [judged] = read('{"event": 1, "worth": false, "claims": [{"quote": "I live"}]}', {1}).values()
    assert judged.claims == ()


@pytest.mark.parametrize(
    "text", ["[" * 300_000, '{"a":' * 60_000, "[{'" * 90_000 + "]", '{"event":1,"worth":tru},' * 9000]
)
def test_a_degenerate_answer_takes_no_time(text):
    began = time.monotonic()
    with pytest.raises(Unreadable):
        read(text, {1, 2})
    assert time.monotonic() - began < 5


def test_the_schema_requires_all_that_it_names():
    def check(schema):
        if schema.get("type") == "object":
            assert schema["required"] == list(schema["properties"]) and schema["additionalProperties"] is False
            for part in schema["properties"].values():
                check(part)
        check(schema["items"]) if "items" in schema else None

    check(SCHEMA)
