"""docs/agents.md and its Chinese page: every command as written, in one shell, against a live server."""

import json
import re
import shlex
import subprocess
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from memory.models import Workspace

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
DECODER = json.JSONDecoder()


def answers_of(text: str) -> list[dict]:
    """The JSON answers that were printed one behind the other."""
    found = []
    while text := text.strip():
        answer, end = DECODER.raw_decode(text)
        found.append(answer)
        text = text[end:]
    return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "name, diet, home",
    [("agents.md", "I am vegetarian.", "I live in Porto."), ("agents.zh-CN.md", "我对花生过敏。", "我住在成都。")],
)
def test_every_command_of_the_page_works_as_written(name, diet, home, live_server):
    Workspace.objects.get_or_create(slug="default", defaults={"name": "Default"})
    page = (settings.BASE_DIR / "docs" / name).read_text(encoding="utf-8")
    key_block, *blocks = BLOCK.findall(page)
    out = StringIO()
    words = shlex.split(re.search(r"manage\.py (agent_key [^)]*)\)", key_block)[1])
    call_command(*words, stdout=out, stderr=StringIO())
    shell = {
        "KEY": out.getvalue().strip(), "API": f"{live_server.url}/api/v1", "PATH": "/usr/bin:/bin", "no_proxy": "*",
    }  # fmt: skip
    done = subprocess.run(["bash", "-ec", "".join(blocks)], env=shell, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

    (
        event,
        tools,
        page_read,
        context,
        failed,
        added,
        queued,
        found,
        conflicts,
        graph,
        listed,
        changed,
        history,
        told,
        deleted,
        wrong,
        *twice,
    ) = answers_of(done.stdout)
    assert (len(event["results"]), len(tools["results"])) == (1, 2)
    [read] = page_read["results"]
    assert (read["status"], read["tool_result"]["links"][0]["url"]) == ("ok", "https://docs.example/returns")
    assert (len(context["turns"]), context["task_state"]) == (4, {"refund": "failed"})
    assert [item["content"] for item in failed["items"]] == ["card expired"]
    assert [result["event"] for result in added["results"] + queued["results"]] == ["ADD", "QUEUED"]
    assert (found["results"][0]["memory"], len(found["results"][0]["conflicts"])) == (home, 1)
    assert found["results"][0]["scores"] and conflicts["total"] == 1
    assert home.rstrip("。.").endswith(graph["nodes"][1]["name"]) and graph["fresh"]
    assert listed["total"] >= 2 and diet in [item["memory"] for item in listed["items"]]
    assert (changed["version"], changed["metadata"]) == (2, {"checked": True})
    assert [row["reason"] for row in history["items"]][-1] == "asked again"
    assert [item["memory"] for item in told["items"]] == [home]
    assert deleted == {"deleted": 1}
    assert json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1]) == wrong
    assert twice[0] == twice[1]
