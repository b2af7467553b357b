"""Who acts: passed to every writer, stored with every change and audit row."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from structlog.contextvars import get_contextvars


@dataclass(frozen=True, slots=True)
class Actor:
    """`kind` is agent, person or system; `id` the key's prefix or the person's primary key; `label` a readable name."""

    kind: str
    id: str
    label: str
    address: str | None = None
    request_id: str = ""


SYSTEM = Actor(kind="system", id="", label="Hindsight Console")


RULE = "rule:"


def of_rule(pk: Any) -> Actor:
    """A rule that decides in place of people (review/rules)."""
    return Actor(kind="system", id=f"{RULE}{pk}"[:64], label="Rule")


def from_request(request: HttpRequest) -> Actor:
    """The signed-in person behind a page's request."""
    return _actor("person", str(request.user.pk), request.user.get_full_name() or request.user.get_username(), request)


def from_key(key: Any, request: HttpRequest) -> Actor:
    """The agent behind an API request, by its key."""
    return _actor("agent", key.prefix, key.name, request)


def stranger(request: HttpRequest, *, kind: str, label: str, id: str = "") -> Actor:
    """Somebody who has not shown who they are; `id` is what they claim, where that gives nothing away."""
    return _actor(kind, id, label, request)


def _actor(kind: str, id: str, label: str, request: HttpRequest) -> Actor:
    request_id = str(get_contextvars().get("request_id", ""))[:64]
    return Actor(kind=kind, id=id, label=label, address=client_address(request), request_id=request_id)


def client_address(request: HttpRequest) -> str | None:
    """The peer's address, or the one our own proxies report when TRUSTED_PROXIES says how many there are."""
    if settings.TRUSTED_PROXIES:
        hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
        if len(hops) >= settings.TRUSTED_PROXIES:
            return hops[-settings.TRUSTED_PROXIES]
    return request.META.get("REMOTE_ADDR") or None
