"""A write repeated under the same Idempotency-Key is done once and answered alike.

The key's row is inserted before the work: whoever inserts it does the work, everybody else waits or gets the answer.
`keep` puts the answer into the row within the transaction of the write, so that a crash leaves both or neither.
"""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.errors import Problem
from memory.models import IdempotencyKey

HEADER = "Idempotency-Key"
PARAMETER = OpenApiParameter(
    HEADER, OpenApiTypes.STR, OpenApiParameter.HEADER,
    description="1 to 200 visible characters. A repeated request gets the first answer; kept for two days.",
)  # fmt: skip
# A request that has not answered by now died with its process.
UNDER_WAY = timedelta(seconds=60)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def idempotent(handler: Callable[..., Response]) -> Callable[..., Response]:
    """Wraps a view's handler. A request that fails gives its key back, unless its write had been kept already."""

    @wraps(handler)
    def once(view, request: Request, *args: Any, **kwargs: Any) -> Response:
        request.attempt = None
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise Problem(400, f"{HEADER} must be 1 to 200 visible ASCII characters.", field=HEADER)
        attempt, answer = _begin(request, key)
        if answer is not None:
            return answer
        request.attempt = attempt
        try:
            response = handler(view, request, *args, **kwargs)
        except Exception:
            IdempotencyKey.objects.filter(pk=attempt.pk, response__isnull=True).delete()
            raise
        IdempotencyKey.objects.filter(pk=attempt.pk).update(status_code=response.status_code, response=response.data)
        return response

    return once


def keep(request: Request, answer: dict[str, Any]) -> None:
    """Call it inside the write's transaction: from its commit on a repeated request gets `answer`, or a later one."""
    if request.attempt is not None:
        IdempotencyKey.objects.filter(pk=request.attempt.pk).update(response=answer)


def _begin(request: Request, key: str) -> tuple[IdempotencyKey | None, Response | None]:
    now = timezone.now()
    digest = _digest(request)
    try:
        with transaction.atomic():
            return IdempotencyKey.objects.create(
                agent_key=request.auth, key=key, request_digest=digest, created_at=now
            ), None
    except IntegrityError:
        row = IdempotencyKey.objects.filter(agent_key=request.auth, key=key).first()
    if row is None:
        raise _under_way()
    if row.request_digest != digest:
        raise Problem(
            422, f"This {HEADER} was used with another request.", field=HEADER, hint="Use a new key for a new request."
        )
    if row.status_code is not None:
        return None, _replay(row, row.status_code)
    if row.created_at > now - UNDER_WAY:
        raise _under_way()
    if row.response is not None:
        return None, _replay(row, 202)
    dead = IdempotencyKey.objects.filter(pk=row.pk, created_at=row.created_at, status_code=None, response__isnull=True)
    if dead.update(created_at=now) != 1:
        raise _under_way()
    return row, None


def _replay(row: IdempotencyKey, status: int) -> Response:
    return Response(row.response, status=status, headers={"Idempotent-Replayed": "true"})


def _under_way() -> Problem:
    return Problem(409, "The first request with this key is still under way.", field=HEADER, retry_after=1)


def _digest(request: Request) -> str:
    said = json.dumps(request.data, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(f"{request.method} {request.path}\n{said}".encode()).hexdigest()
