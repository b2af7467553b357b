"""A write repeated under the same Idempotency-Key is done once and answered alike.

The key's row is written in the write's own transaction, with the answer as far as it is known there. So a crash leaves
both or neither, and a second request finds the row, or waits at its unique index until the first has committed.
"""

import hashlib
import json
import re
from collections.abc import Callable
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
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


class Taken(Problem):
    """Another request has stored something under this key since this one looked. Nothing of this one was stored."""

    def __init__(self) -> None:
        super().__init__(409, "Another request with this key was faster.", field=HEADER, retry_after=1)


def idempotent(handler: Callable[..., Response]) -> Callable[..., Response]:
    """Wraps a view's handler, which calls `keep`. A request that fails before that leaves its key unused."""

    @wraps(handler)
    def once(view, request: Request, *args: Any, **kwargs: Any) -> Response:
        request.attempt = None
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not _KEY.fullmatch(key):
            raise Problem(400, f"{HEADER} must be 1 to 200 visible ASCII characters.", field=HEADER)
        attempt = IdempotencyKey(
            agent_key=request.auth, key=key, request_digest=_digest(request), created_at=timezone.now()
        )
        if answer := _earlier(attempt):
            return answer
        request.attempt = attempt
        try:
            response = handler(view, request, *args, **kwargs)
        except Taken:
            if answer := _earlier(attempt):
                return answer
            raise
        IdempotencyKey.objects.filter(pk=attempt.pk).update(status_code=response.status_code, response=response.data)
        return response

    return once


def keep(request: Request, answer: dict[str, Any]) -> None:
    """Call it inside the write's transaction: from its commit on a repeated request gets `answer`, or a later one.

    Raises Taken when another request with this key was faster; the transaction must be given up then.
    """
    if request.attempt is None:
        return
    request.attempt.response = answer
    try:
        with transaction.atomic():
            request.attempt.save(force_insert=True)
    except IntegrityError as error:
        raise Taken from error


def _earlier(attempt: IdempotencyKey) -> Response | None:
    """What an earlier request with this key was answered; 202 when it could not be told more than that it is stored."""
    row = IdempotencyKey.objects.filter(agent_key=attempt.agent_key, key=attempt.key).first()
    if row is None:
        return None
    if row.request_digest != attempt.request_digest:
        raise Problem(
            422, f"This {HEADER} was used with another request.", field=HEADER, hint="Use a new key for a new request."
        )
    return Response(row.response, status=row.status_code or 202, headers={"Idempotent-Replayed": "true"})


def _digest(request: Request) -> str:
    said = json.dumps(request.data, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(f"{request.method} {request.path}\n{said}".encode()).hexdigest()
