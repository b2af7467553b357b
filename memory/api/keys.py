"""Agents' keys: how one is made, told apart, limited in what it may do and how often, and taken back."""

import hashlib
import hmac
import logging
import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import Error, transaction
from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.throttling import SimpleRateThrottle
from structlog.contextvars import bind_contextvars

from memory.actor import Actor, client_address, from_key, stranger
from memory.audit import log as audit
from memory.audit.denied import deny
from memory.brief import brief_write
from memory.counter import counter
from memory.models import AgentKey, Workspace

SCOPES = (AgentKey.READ, AgentKey.WRITE)
_TOKEN = re.compile(r"hc_([0-9a-f]{10})_([A-Za-z0-9_-]{43})")
_USED_STEP = timedelta(minutes=1)

log = logging.getLogger(__name__)


@transaction.atomic
def issue(
    *,
    workspace: Workspace,
    name: str,
    scopes: Sequence[str],
    actor: Actor,
    now: datetime,
    created_by: Any = None,
    expires_at: datetime | None = None,
    only_users: Sequence[str] = (),
) -> tuple[AgentKey, str]:
    """Makes a key; answers it and its token, which is stored nowhere and cannot be shown again.

    Raises ValueError on an unknown or missing scope, a blank name, or an end that has passed.
    """
    if not name.strip():
        raise ValueError("A key needs a name.")
    if not scopes or set(scopes) - set(SCOPES):
        raise ValueError(f"Scopes are {' and '.join(SCOPES)}, not {list(scopes)}.")
    if expires_at is not None and expires_at <= now:
        raise ValueError("The key would have expired already.")
    prefix, secret = secrets.token_hex(5), secrets.token_urlsafe(32)
    key = AgentKey.objects.create(
        workspace=workspace, name=name[:120], prefix=prefix, digest=_digest(secret), scopes=sorted(set(scopes)),
        only_users=sorted(set(only_users)), created_by=created_by, expires_at=expires_at,
    )  # fmt: skip
    audit.record(
        workspace=workspace, actor=actor, action="key.issue", now=now, object_type="agent_key", object_id=key.pk,
        after={"name": key.name, "prefix": prefix, "scopes": key.scopes, "only_users": key.only_users,
               "expires_at": expires_at and expires_at.isoformat()},
    )  # fmt: skip
    return key, f"hc_{prefix}_{secret}"


@transaction.atomic
def revoke(*, key: AgentKey, actor: Actor, now: datetime) -> bool:
    """Ends a key at once and for good; false when it was revoked before."""
    if AgentKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now) != 1:
        return False
    key.revoked_at = now
    audit.record(
        workspace=key.workspace, actor=actor, action="key.revoke", now=now, object_type="agent_key", object_id=key.pk,
        before={"revoked_at": None}, after={"name": key.name, "prefix": key.prefix, "revoked_at": now.isoformat()},
    )  # fmt: skip
    return True


def may_name(key: AgentKey, user_id: str) -> bool:
    """Whether the key may name this user at all; it says nothing about whether the user exists."""
    return not key.only_users or user_id in key.only_users


class AgentKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer hc_…` or `X-API-Key: hc_…`; both request.user and request.auth are the AgentKey."""

    def authenticate(self, request) -> tuple[AgentKey, AgentKey] | None:
        token = _token_of(request)
        if token is None:
            return None
        key = _key_of(token)
        now = timezone.now()
        if key is None:
            found = _TOKEN.fullmatch(token)
            unknown = stranger(request, kind="agent", label="unknown key", id=found[1] if found else "")
            raise _refused(request, None, unknown, "key.unknown", "This key is not known.")
        if key.revoked_at is not None:
            raise _refused(request, key, from_key(key, request), "key.revoked", "This key was revoked.")
        if key.expires_at is not None and key.expires_at <= now:
            raise _refused(request, key, from_key(key, request), "key.expired", "This key has expired.")
        bind_contextvars(agent_key=key.prefix)
        _touch(key, now)
        return key, key

    def authenticate_header(self, request) -> str:
        return 'Bearer realm="agents"'


class HasScope(BasePermission):
    """`read` for what only reads, `write` for the rest. A view whose POST only reads says `scope = "read"`."""

    def has_permission(self, request, view) -> bool:
        needed = getattr(view, "scope", None) or (AgentKey.READ if request.method in SAFE_METHODS else AgentKey.WRITE)
        self.message = f'This key lacks the scope "{needed}".'
        if not isinstance(request.auth, AgentKey):
            return False
        if needed in request.auth.scopes:
            return True
        deny(
            workspace=request.auth.workspace, actor=from_key(request.auth, request),
            action=f"api.{request.method.lower()}", now=timezone.now(), object_type="scope", object_id=needed,
            reason=request.path,
        )  # fmt: skip
        return False


class KeyThrottle(SimpleRateThrottle):
    """So many requests a minute for one key (for one address where there is no key): 429 with Retry-After.

    A counter per window, not the list of moments that the base class keeps: at thousands a minute that list
    would be read and written with every request.
    """

    scope = "key"

    def allow_request(self, request, view) -> bool:
        now = self.timer()
        window = int(now // self.duration)
        self.left = (window + 1) * self.duration - now
        who = request.auth.prefix if request.auth else client_address(request)
        name = f"throttle:{who}:{window}"
        return counter.step(name, seconds=self.duration * 2) <= self.num_requests

    def wait(self) -> float:
        return max(1.0, self.left)


def _refused(request, key: AgentKey | None, actor: Actor, action: str, said: str) -> AuthenticationFailed:
    """Writes down that a key was turned away, in its workspace where it has one; answers what to raise."""
    deny(
        workspace=key and key.workspace, actor=actor, action=action, now=timezone.now(), object_type="agent_key",
        object_id=key.pk if key else "", reason=f"{request.method} {request.path}",
    )  # fmt: skip
    return AuthenticationFailed(said)


def _token_of(request) -> str | None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    if "X-API-Key" in request.headers:
        return request.headers["X-API-Key"].strip()
    if scheme:
        raise AuthenticationFailed("Use Authorization: Bearer <key>, or X-API-Key: <key>.")
    return None


def _key_of(token: str) -> AgentKey | None:
    found = _TOKEN.fullmatch(token)
    if not found:
        return None
    prefix, secret = found.groups()
    key = AgentKey.objects.select_related("workspace").filter(prefix=prefix).first()
    # Compared also when there is no such key, so that the time taken does not tell which prefixes exist.
    right = hmac.compare_digest(key.digest if key else "0" * 64, _digest(secret))
    return key if right else None


def _touch(key: AgentKey, now: datetime) -> None:
    """Notes the use, at most once a minute: this runs with every request."""
    before = now - _USED_STEP
    if key.last_used_at is None or key.last_used_at <= before:
        quiet = AgentKey.objects.filter(Q(last_used_at=None) | Q(last_used_at__lte=before), pk=key.pk)
        try:
            with brief_write():
                quiet.update(last_used_at=now)
        except Error:
            # reading goes on while nothing can be written
            log.warning("The use of key %s could not be noted.", key.prefix, exc_info=True)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
