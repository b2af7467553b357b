"""manage.py agent_key"""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from memory.models import AgentKey


def made(*arguments: str) -> str:
    """The secret alone, as a shell's $(…) would take it."""
    out = StringIO()
    call_command("agent_key", "--workspace", "shop", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().strip()


def test_the_printed_secret_opens_the_api_and_is_not_stored(workspace):
    secret = made("--name", "tour")
    answer = Client().get("/api/v1/memories?user_id=u1", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    key = AgentKey.objects.get()
    assert (key.name, sorted(key.scopes), key.workspace) == ("tour", ["read", "write"], workspace)
    assert secret not in (key.digest, key.prefix)


def test_a_key_for_reading_one_user_for_a_week(workspace):
    made("--name", "reader", "--scope", "read", "--user", "王芳", "--days", "7")
    key = AgentKey.objects.get()
    assert (key.scopes, key.only_users) == (["read"], ["王芳"])
    assert timedelta(days=6) < key.expires_at - timezone.now() <= timedelta(days=7)


@pytest.mark.parametrize(
    "arguments", [("--name", " "), ("--name", "a", "--days", "0"), ("--name", "a", "--workspace", "x")]
)
def test_what_makes_no_sense_is_refused_with_a_sentence(workspace, arguments):
    with pytest.raises(CommandError, match=r"\w+ \w+"):
        made(*arguments)
    assert not AgentKey.objects.exists()
