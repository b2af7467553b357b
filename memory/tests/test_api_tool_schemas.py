"""POST /api/v1/tool-schemas/normalise: one answer a tool, whatever another tool is."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

from memory.mcp.schema_reasons import CHANGES, REFUSALS
from memory.models import Workspace
from memory.tests.agent import API, Agent

pytestmark = pytest.mark.django_db
URL = f"{API}/tool-schemas/normalise"
GOOD = {"name": "find_train", "description": "Finds one.", "inputSchema": {"type": "object", "properties": {}}}


@pytest.fixture
def agent():
    return Agent(Workspace.objects.create(slug="tools", name="Tools"), scopes=["read"])


def post(agent, client, body):
    raw = body if isinstance(body, str) else json.dumps(body)
    return client.post(
        URL, raw, content_type="application/json", headers={"Authorization": f"Bearer {agent.token}"}
    )  # fmt: skip


def body_with(bad: str) -> str:
    return f'{{"provider": "openai", "tools": [{bad}, {json.dumps(GOOD)}]}}'


@pytest.mark.parametrize(
    "bad, reason",
    [
        ("null", "not_a_tool"),
        ('{"name": "x", "inputSchema": {"type": "string"}}', "root_not_object"),
        ('{"name": "a\\u0000b"}', "text_unreadable"),
        ('{"name": "a\\ud83d"}', "text_unreadable"),
        ('{"name": "find_train", "inputSchema": 7}', "not_a_schema"),
        ('{"name": "x", "name": "y"}', "twice"),
        ('{"name": "x", "inputSchema": {"default": NaN}}', "not_json"),
        ('{"name": "x", "inputSchema": {"default": 1e999}}', "not_json"),
        ('{"name": "x", "inputSchema": ' + '{"items":' * 20000 + "[]" + "}" * 20000 + "}", "too_deep"),
        ('{"name": "x", "inputSchema": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}}', "ref_cycle"),
        ('{"name": "x", "inputSchema": {"$ref": "https://example.org/s.json"}}', "ref_external"),
    ],
)
def test_a_hopeless_tool_is_refused_alone(bad, reason, agent, client):
    answer = post(agent, client, body_with(bad))
    assert answer.status_code == 200, answer.content
    refused, good = answer.json()["results"]
    assert (refused["status"], refused["refusal"]["reason_code"], refused["schema"]) == ("refused", reason, None)
    assert (good["status"], good["name"], good["schema"]) == ("unchanged", "find_train", GOOD["inputSchema"])


def test_changes_are_named_with_their_place_in_the_callers_language(agent, client):
    tool = {"name": "查票", "inputSchema": {"type": "object", "properties": {"ids": {"type": "array"}}}}
    [one] = post(agent, client, {"provider": "kimi", "tools": [tool]}).json()["results"]
    assert one["status"] == "changed" and one["original_name"] == "查票" and one["name"] != "查票"
    assert ("items_missing", "/inputSchema/properties/ids") in [
        (change["reason_code"], change["pointer"]) for change in one["changes"]
    ]
    assert all(change["reason"] for change in one["changes"])


@pytest.mark.parametrize(
    "body, status, field",
    [
        ({"tools": []}, 400, "provider"),
        ({"provider": "nobody", "tools": []}, 400, "provider"),
        ({"provider": "openai"}, 400, "tools"),
        ({"provider": "openai", "tools": {}}, 400, "tools"),
        ({"provider": "openai", "tools": [], "strict": True}, 400, "strict"),
        ({"provider": "openai", "tools": [GOOD] * 257}, 413, "tools"),
    ],
)
def test_a_wrong_request_names_its_field(body, status, field, agent, client):
    answer = post(agent, client, body)
    assert (answer.status_code, answer.json()["field"]) == (status, field)


@pytest.mark.parametrize("body", ["[]", "{", "7", '{"provider": "openai", "tools": ' + "[" * 5000])
def test_what_is_no_json_object_is_a_400(body, agent, client):
    assert post(agent, client, body).status_code == 400


def test_a_key_is_needed(client):
    assert client.post(URL, "{}", content_type="application/json").status_code == 401


def test_every_reason_has_its_sentence_and_every_sentence_its_use():
    source = "".join(path.read_text() for path in (Path(settings.BASE_DIR) / "memory" / "mcp").glob("schem*.py"))
    source += (Path(settings.BASE_DIR) / "memory" / "api" / "tool_parser.py").read_text()
    noted = set(re.findall(r'\.note\(\s*"(\w+)"', source))
    refused = set(re.findall(r'Un(?:usable|readable)\(\s*"(\w+)"', source))
    assert noted == set(CHANGES)
    assert refused | {"too_deep", "not_json"} == set(REFUSALS)
