"""What an administrator of the machine could read after an erasure: the database's file and its log, byte by byte."""

import json
import os
import subprocess
import sys

import pytest
from django.utils import timezone

from memory import tasks
from memory.actions import forget
from memory.actor import SYSTEM
from memory.models import EndUser
from memory.tests import llm_server as server
from memory.tests.own_servers import ROOT

SECRET = "Quillfeather"
CHINESE = "鹤岗路九十九号"
ACT = """
import json, sys, django
django.setup()
from django.utils import timezone
from memory import tasks
from memory.actions.revise import revise
from memory.actor import SYSTEM
from memory.models import Conflict, Memory, Workspace
from memory.tests.agent import Agent

said = sys.argv[1:]
agent = Agent(Workspace.objects.get())
for number in range(10):
    agent.say(f"I live at {said[0]} Lane {number}.", user_id="ines")
    agent.say(f"我住在{said[1]}{number}室。", user_id="ines")
    agent.post("/memories/search", {"user_id": "ines", "query": f"where is {said[0]} {number}"})
for memory in Memory.objects.filter(status="active"):
    revise(memory=memory, text=memory.text + " " + said[0] * 40, actor=SYSTEM, now=timezone.now(), expected_version=1)
print(Memory.objects.count() + Conflict.objects.count())
"""


@pytest.mark.long
def test_the_bytes_of_an_erased_person_are_in_no_file_of_the_database(tmp_path):
    given = os.environ | {
        "CONSOLE_DATA_DIR": str(tmp_path), "POSTGRES_URL": "", "REDIS_URL": "", "VECTOR_DB_URL": "", "LLM_MODEL": "",
        "LLM_API_BASE": "", "DJANGO_SETTINGS_MODULE": "hindsight_site.settings", "CONSOLE_KEY_RATE": "100000/min",
        "CONSOLE_ALLOWED_HOSTS": "testserver",
    }  # fmt: skip

    def run(*words) -> str:
        done = subprocess.run([sys.executable, *words], cwd=ROOT, env=given, check=True, capture_output=True, text=True)
        return done.stdout

    def holding(word: str) -> list[str]:
        # SQLite keeps JSON with every character beyond ASCII escaped
        forms = [word.encode(), json.dumps(word)[1:-1].encode()]
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        return [path.name for path in files if any(form in path.read_bytes() for form in forms)]

    run("manage.py", "migrate", "-v0")
    assert int(run("-c", ACT, SECRET, CHINESE)) > 10
    assert holding(SECRET) and holding(CHINESE)
    said = run("manage.py", "forget_user", "ines", "--workspace", "default", "--yes")
    assert "Erased, as erasure" in said
    assert (holding(SECRET), holding(CHINESE)) == ([], [])


@pytest.mark.django_db
def test_what_a_model_said_of_an_erased_persons_words_is_in_no_cache(llm, tell):
    oblique = "The fjord city of Bergen is where my key turns every night."
    other = "The number 14 tram was blue in 1974 in Gothenburg."
    llm.knows[oblique] = server.worth(server.claim("Bergen is where my key turns", "residence", "Bergen"), adds="home")
    tell(oblique)
    tell(other, user_id="u2")
    asked = len(llm.asked)
    tell(oblique, user_id="u3")
    assert len(llm.asked) == asked  # known
    for name in ("u1", "u3"):
        user = EndUser.objects.get(external_id=name)
        erasure = forget.forget_user(user=user, reason_code="law", actor=SYSTEM, now=timezone.now())
        assert tasks.erase(str(erasure.pk))
    tell(other, user_id="u4")
    assert len(llm.asked) == asked  # somebody else's words are known still
    tell(oblique, user_id="u5")
    assert len(llm.asked) == asked + 1
