"""The tour of both READMEs, every command of it as written, against a live server."""

import json
import re
import shlex
import subprocess
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command

from memory.intake import run
from memory.models import EndUser, Workspace

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def issued(block: str) -> str:
    """The secret that the tour's first block makes with `manage.py agent_key …`."""
    words = shlex.split(re.search(r"manage\.py (agent_key [^)]*)\)", block)[1])
    out = StringIO()
    call_command(*words, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page, word", [("README.md", "peanuts"), ("README.zh-CN.md", "花生")])
def test_the_tour_works_as_written(page, word, live_server):
    Workspace.objects.get_or_create(slug="default", defaults={"name": "Default"})
    key_block, *blocks = BLOCK.findall((settings.BASE_DIR / page).read_text(encoding="utf-8"))
    assert all("curl" in block for block in blocks)
    shell = {"KEY": issued(key_block), "API": f"{live_server.url}/api/v1", "PATH": "/usr/bin:/bin", "no_proxy": "*"}

    answers = []
    for block in blocks:
        done = subprocess.run(["bash", "-c", block], env=shell, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        answers.append(json.loads(done.stdout))
        for user in EndUser.objects.all():  # what the worker does meanwhile
            run.drain(user.pk)

    told, context, found, contradicted, again, conflicts = answers
    assert len(told["results"]) == 4
    assert [turn["role"] for turn in context["turns"]] == ["user", "user", "assistant", "user"]
    assert word in found["results"][0]["memory"]
    assert [result["event"] for result in contradicted["results"]] == ["QUEUED"]
    assert again["results"][0]["conflicts"] and again["results"][0]["memory"] == found["results"][0]["memory"]
    assert conflicts["total"] == 1
