"""An agent as tests play it: a key and the calls it makes over HTTP."""

import json
from typing import Any

from django.test import Client
from django.utils import timezone

from memory.actor import SYSTEM
from memory.api import keys
from memory.intake import run
from memory.models import AgentKey, EndUser, Workspace

API = "/api/v1"


class Agent:
    def __init__(self, workspace: Workspace, *, name: str = "a1", scopes=(AgentKey.READ, AgentKey.WRITE), **options):
        self.key, self.token = keys.issue(
            workspace=workspace, name=name, scopes=scopes, actor=SYSTEM, now=timezone.now(), **options
        )
        self.client = Client()

    def get(self, path: str, **query: Any):
        return self.client.get(API + path, query, headers=self._headers({}))

    def post(self, path: str, body: Any, **headers: str):
        return self._send("post", path, body, headers)

    def patch(self, path: str, body: Any, **headers: str):
        return self._send("patch", path, body, headers)

    def delete(self, path: str, **headers: str):
        return self.client.delete(API + path, headers=self._headers(headers))

    def say(self, text: str, *, user_id: str = "u1", run_id: str = "r1", role: str = "user", **fields: Any) -> None:
        """Records one event and lets the worker judge it."""
        body = {"user_id": user_id, "run_id": run_id, "role": role, "content": text} | fields
        answer = self.post("/events", body)
        assert answer.status_code == 202, answer.content
        run.drain(EndUser.objects.get(workspace=self.key.workspace, external_id=user_id).pk)

    def remember(self, text: str, *, user_id: str = "u1", **fields: Any) -> dict[str, Any]:
        """POST /memories of one text; answers its only result."""
        answer = self.post("/memories", {"user_id": user_id, "memory": text} | fields)
        assert answer.status_code == 200, answer.content
        [result] = answer.json()["results"]
        return result

    def found(self, query: str, *, user_id: str = "u1", **fields: Any) -> list[str]:
        """The texts that a search answers, best first."""
        answer = self.post("/memories/search", {"user_id": user_id, "query": query} | fields)
        assert answer.status_code == 200, answer.content
        return [hit["memory"] for hit in answer.json()["results"]]

    def listed(self, user_id: str = "u1") -> list[dict[str, Any]]:
        answer = self.get("/memories", user_id=user_id)
        assert answer.status_code == 200, answer.content
        return answer.json()["items"]

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]):
        raw = body if isinstance(body, bytes) else json.dumps(body)
        send = getattr(self.client, method)
        return send(API + path, raw, content_type="application/json", headers=self._headers(headers))

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} | {
            name.replace("_", "-"): value for name, value in more.items()
        }
