"""What a webhook is sent, and its signature: https://www.standardwebhooks.com, version 1, HMAC-SHA256."""

import base64
import hashlib
import hmac
import json
import secrets
from datetime import UTC, datetime

from django.conf import settings
from django.urls import reverse

from memory.models import Conflict
from review.models import Delivery

_PREFIX = "whsec_"
_BANDS = {Conflict.Band.HIGH: "high", Conflict.Band.MEDIUM: "medium", Conflict.Band.LOW: "low"}


def new_secret() -> str:
    return _PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def body_of(delivery: Delivery) -> bytes:
    """The event as JSON, {"type", "timestamp", "data"}, its conflict as it stands now; no remembered text."""
    data = {"workspace": delivery.webhook.workspace.slug}
    if conflict := delivery.conflict:
        data |= {
            "conflict_id": str(conflict.pk), "user_id": conflict.user.external_id, "kind": conflict.kind,
            "status": conflict.status, "band": _BANDS[Conflict.Band(conflict.band)], "category": conflict.category,
            "choice": conflict.choice or None, "opened_at": _iso(conflict.opened_at), "due_at": _iso(conflict.due_at),
            "decided_at": _iso(conflict.decided_at), "url": address_of(reverse("conflict", args=[conflict.pk])),
        }  # fmt: skip
    return json.dumps(
        {"type": delivery.event, "timestamp": _iso(delivery.about), "data": data}, ensure_ascii=False
    ).encode()


def headers_of(delivery: Delivery, body: bytes, *, now: datetime) -> dict[str, str]:
    """The id stays the same however often it is sent, so that a receiver knows what it has had already."""
    id, at = f"msg_{delivery.pk}", str(int(now.timestamp()))
    return {
        "Content-Type": "application/json", "User-Agent": "Hindsight-Console", "webhook-id": id,
        "webhook-timestamp": at, "webhook-signature": signature(delivery.webhook.secret, id, at, body),
    }  # fmt: skip


def signature(secret: str, id: str, at: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    digest = hmac.digest(key, f"{id}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def address_of(path: str) -> str:
    """A page's whole address where the installation says what its own is (CONSOLE_BASE_URL); else its path."""
    return settings.BASE_URL + path


def _iso(at: datetime | None) -> str | None:
    return at and at.astimezone(UTC).isoformat().replace("+00:00", "Z")
