"""Every shape a server sends becomes one clean CallToolResult; what was taken out is noted."""

import base64
import hashlib
import json

import pytest

from memory.mcp.reading import KEPT, MAIN_TEXT, read, read_content
from memory.mcp.sanitize import is_result, sanitize
from memory.mcp.types import Tool

PIXEL = base64.b64encode(b"\x89PNG" + bytes(range(200))).decode()
DIGEST = hashlib.sha256(b"\x89PNG" + bytes(range(200))).hexdigest()


def text(said, **more):
    return {"content": [{"type": "text", "text": said}]} | more


def kinds(cuts):
    return {cut.kind for cut in cuts}


@pytest.mark.parametrize(
    "payload",
    [
        None, {}, [], {"content": None}, {"content": [], "isError": None, "_meta": None, "structuredContent": None},
        {"content": [], "is_error": None, "structured_content": None, "meta": None},
        {"jsonrpc": "2.0", "id": 3, "result": None}, {"jsonrpc": "2.0", "id": 3, "result": {"content": None}},
    ],
)  # fmt: skip
def test_nothing_is_an_empty_result_with_its_required_fields(payload):
    clean = sanitize(payload)
    assert clean.result.stored() == {"content": [], "isError": False, "_meta": {}}
    assert not clean.rpc_error and not clean.cuts


def test_snake_case_null_members_and_a_flag_as_text_are_read():
    given = {
        "meta": None, "content": [{"type": "text", "text": "done", "annotations": None, "meta": None}],
        "structured_content": {"ok": True, "note": None}, "is_error": "false",
    }  # fmt: skip
    assert sanitize(given).result.stored() == {
        "content": [{"type": "text", "text": "done"}], "isError": False, "_meta": {},
        "structuredContent": {"ok": True, "note": None},
    }  # fmt: skip


@pytest.mark.parametrize(
    "piece, said",
    [
        ("a bare string", "a bare string"),
        ({"text": "no type"}, "no type"),
        ({"type": "text", "text": None}, ""),
        ({"type": "text", "text": {"a": 1}}, '{"a": 1}'),
        ({"type": "hologram", "beams": 2}, '{"type": "hologram", "beams": 2}'),
        ({"type": ["text"], "text": "a type that is none"}, "a type that is none"),
    ],
)
def test_malformed_content_is_kept_as_text(piece, said):
    stored = sanitize({"content": [piece, None], "isError": False}).result.stored()
    assert stored["content"] == [{"type": "text", "text": said}]


@pytest.mark.parametrize("payload", ["只是一句话", ["只是一句话"], text("只是一句话"), {"content": "只是一句话"}])
def test_a_bare_text_or_list_is_a_result(payload):
    assert sanitize(payload).result.stored()["content"] == [{"type": "text", "text": "只是一句话"}]


def test_an_object_of_the_tools_own_is_data():
    assert sanitize({"city": "Graz", "content": "12 places"}).result.structured_content == {
        "city": "Graz", "content": "12 places",
    }  # fmt: skip


@pytest.mark.parametrize(
    "piece, place",
    [
        ({"type": "image", "data": PIXEL, "mimeType": "image/png"}, lambda piece: piece),
        ({"type": "image", "data": PIXEL, "mime_type": "image/png"}, lambda piece: piece),
        ({"type": "resource", "resource": {"uri": "demo://7", "blob": PIXEL, "mimeType": "image/png"}},
         lambda piece: piece["resource"]),
    ],
)  # fmt: skip
def test_a_medium_or_a_blob_becomes_a_reference(piece, place):
    clean = sanitize({"content": [piece]})
    kept = place(clean.result.stored()["content"][0])
    assert (kept["mimeType"], kept["bytes"], kept["sha256"]) == ("image/png", 204, DIGEST)
    assert PIXEL not in json.dumps(clean.result.stored()) and kinds(clean.cuts) == {"media"}


@pytest.mark.parametrize(
    "payload",
    [
        text(f"before ![shot](data:image/png;base64,{PIXEL}) after"),
        text(PIXEL * 2),
        {"content": [], "structuredContent": {"file": {"name": "a.bin", "blob": PIXEL}}},
        {"content": [], "structuredContent": {"content": [{"type": "audio", "data": PIXEL, "mimeType": "audio/wav"}]}},
    ],
)
def test_binary_is_found_inside_texts_and_structured_content(payload):
    clean = sanitize(payload)
    assert PIXEL not in json.dumps(clean.result.stored()) and "media" in kinds(clean.cuts)


def test_text_that_declares_its_kind_is_no_binary():
    kept = sanitize({"structuredContent": {"data": "total: 4", "mimeType": "application/json"}, "isError": False})
    assert kept.result.structured_content["data"] == "total: 4"


def test_nul_half_surrogates_and_terminal_colours_are_removed_and_noted():
    clean = sanitize(text("a\x00b \ud83d c\x1b[31mred\x1b[0m\x07 😀", structuredContent={"k\x00": "\udfff"}))
    assert clean.result.stored()["content"][0]["text"] == "ab \ufffd cred 😀"
    assert clean.result.structured_content == {"k": "\ufffd"}
    assert kinds(clean.cuts) == {"nul", "surrogate", "control"}


def test_deep_endless_and_impossible_values_are_cut_and_noted():
    deep = value = {}
    for _ in range(60):
        value["in"] = value = {}
    given = {"deep": deep, "many": list(range(5000)), "not": float("nan")}
    clean = sanitize({"structuredContent": given, "isError": False})
    assert kinds(clean.cuts) == {"depth", "items", "number"}
    assert clean.result.structured_content["not"] is None
    assert len(clean.result.structured_content["many"]) == 1001
    json.dumps(clean.result.stored(), allow_nan=False)


@pytest.mark.parametrize(
    "payload, secret, kind",
    [
        (text("token: ghp_abcdefghij0123456789ABCD"), "ghp_abcdefghij", "API key"),
        (text("GET / HTTP/1.1\\r\\nCookie: sid=3f9a77b2c1\\r\\nHost: a.example"), "3f9a77b2c1", "cookie"),
        (text("Authorization: Basic dXNlcjpodW50ZXIy"), "dXNlcjpodW50ZXIy", "token"),
        (text('- textbox "Password" [ref=e9]: correct horse'), "correct horse", "password"),
        (text("MAIL_API_KEY=a1b2c3d4e5f6a7b8"), "a1b2c3d4e5f6a7b8", "API key"),
        ({"structuredContent": {"password": "swordfish"}}, "swordfish", "password"),
        ({"structuredContent": {"headers": [{"name": "Set-Cookie", "value": "sid=9"}]}}, "sid=9", "cookie"),
        ({"structuredContent": {"用户": {"密码": "一二三四"}}}, "一二三四", "password"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "bad key sk-abcdefghijklmnopqrst"}},
         "sk-abcdefghijklmnopqrst", "API key"),
    ],
)  # fmt: skip
def test_a_secret_is_masked_wherever_it_stands(payload, secret, kind):
    found = read(payload, Tool("call"))
    assert secret not in found.text and secret not in json.dumps(found.kept, ensure_ascii=False)
    assert found.kept["masked"] == [kind]


def test_the_rest_of_an_exchange_survives_its_cookie():
    [said] = sanitize(text('{"request": "Cookie: sid=3f9a77b2c1\\r\\nHost: a.example"}')).result.stored()["content"]
    assert "Host: a.example" in said["text"] and "3f9a" not in said["text"]


def test_secrets_of_the_call_are_masked_too():
    found = read(text("ok"), Tool("login", arguments={"user": "ada", "password": "swordfish", "body": "x" * 9000}))
    assert found.kept["arguments"]["password"] == "[password hidden]"
    assert found.kept["arguments"]["user"] == "ada" and len(found.kept["arguments"]["body"]) < 3000


def test_a_huge_text_is_cut_with_a_note():
    found = read(text("Row of a table.\n" * 30_000), Tool("report"))
    assert len(found.text) < MAIN_TEXT + 100 and found.text.endswith("characters cut]")
    assert len(json.dumps(found.kept["result"], ensure_ascii=False)) <= KEPT
    assert {"characters"} == {cut["kind"] for cut in found.kept["cuts"]}
    assert found.kept["result"]["content"][0]["text"].startswith("Row of a table.")


def test_a_result_of_endless_small_parts_is_left_out_of_the_archive_and_noted():
    rows = [{f"column {m}": n * m for m in range(40)} for n in range(900)]
    found = read({"structuredContent": rows, "isError": False}, Tool("report"))
    assert found.kept["result"] == {"content": [], "isError": False, "_meta": {}}
    assert found.text and ("result", "characters") in {(cut["path"], cut["kind"]) for cut in found.kept["cuts"]}


def test_a_secret_on_the_edge_of_a_cut_is_not_left_in_half():
    found = read(text("x" * 199_990 + " ghp_abcdefghij0123456789ABCD " + "y" * 500), Tool("report"))
    assert "ghp_" not in json.dumps(found.kept)


@pytest.mark.parametrize(
    "given, expected",
    [
        (text("a"), True),
        ({"content": [], "isError": False}, True),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}}, True),
        ({"jsonrpc": "2.0", "id": 1, "result": text("a")}, True),
        ({"content": "an article"}, False),
        ({"content": ["a", "b"]}, False),
        ({"content": [], "author": "Ada"}, False),
        ({"error": "none"}, False),
        ([text("a")], False),
    ],
)
def test_a_result_is_told_from_data_of_the_tools_own(given, expected):
    assert is_result(given) is expected
    assert (read_content(json.dumps(given), Tool("call")) is not None) is expected
