"""Every error of the agents' API as problem+json: what is wrong, in which field, and what to do about it."""

import logging
from collections.abc import Iterator
from typing import Any

import psycopg
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from django.http.request import UnreadablePostError
from rest_framework import exceptions

from hindsight_site.errors import problem
from memory.actions.base import Refused, Stale

log = logging.getLogger(__name__)


class Problem(exceptions.APIException):
    """An answer other than success that a view decides on."""

    def __init__(self, status: int, detail: str, *, field: str = "", hint: str = "", retry_after: int | None = None):
        super().__init__(detail)
        self.status_code, self.field, self.hint, self.wait = status, field, hint, retry_after


def hinted(detail: str, hint: str = "") -> exceptions.ValidationError:
    """A validation error with advice. The hint travels as the error's code: the framework keeps the code beside the
    message through every level of nesting, and no code of its own has a space in it."""
    return exceptions.ValidationError(detail, code=hint or "invalid")


def problem_response(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """The exception handler of the API. What nobody foresaw is logged and answered without its internals."""
    status, said = _said(error)
    if status == 500:
        log.error("unexpected error", exc_info=error)
    response = problem(status, **said)
    if wait := getattr(error, "wait", None) or (1 if status == 503 else None):
        response["Retry-After"] = str(int(wait))
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response


def _said(error: Exception) -> tuple[int, dict[str, Any]]:
    """The status, and what `problem` says with it."""
    if isinstance(error, exceptions.ValidationError):
        return 400, _invalid(error)
    if isinstance(error, exceptions.APIException):
        said = {"detail": str(error.detail), "field": getattr(error, "field", ""), "hint": getattr(error, "hint", "")}
        return error.status_code, said
    if isinstance(error, IntegrityError) and isinstance(error.__cause__, psycopg.errors.ForeignKeyViolation):
        return 409, {"detail": "The user was erased meanwhile.", "hint": "Send it again: it then begins anew."}
    for kind, status, detail, hint in _FORESEEN:
        if isinstance(error, kind):
            return status, {"detail": detail or str(error), "hint": hint}
    return 500, {"detail": "Something broke. It has been logged under this request's id."}


_AGAIN = "Try again; with an Idempotency-Key nothing is stored twice."
_FORESEEN = (
    (Http404, 404, "There is nothing here.", ""),
    (PermissionDenied, 403, "This is not allowed for this key.", ""),
    (Stale, 409, "", "Read it again, then repeat the request."),
    (Refused, 409, "", ""),
    (RequestDataTooBig, 413, "The request is too large.", "Send fewer events in one request."),
    (SuspiciousOperation, 400, "The request could not be read.", ""),
    (UnreadablePostError, 400, "The connection ended before the whole body had arrived.", ""),
    ((OperationalError, InterfaceError), 503, "The database cannot be reached or is busy.", _AGAIN),
)


def _invalid(error: exceptions.ValidationError) -> dict[str, Any]:
    found = [
        {"field": field, "detail": str(detail), "hint": detail.code if " " in detail.code else ""}
        for field, detail in _leaves(error.detail, "")
    ]
    said: dict[str, Any] = dict(found[0])
    if len(found) > 1:
        said["errors"] = [{name: value for name, value in one.items() if value} for one in found]
    return said


def _leaves(detail: Any, path: str) -> Iterator[tuple[str, exceptions.ErrorDetail]]:
    """Every message with the path of its field, such as `events[2].user_id`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            yield from _leaves(inner, _join(path, name))
    elif isinstance(detail, list):
        for place, inner in enumerate(detail):
            yield from _leaves(inner, f"{path}[{place}]" if isinstance(inner, dict | list) else path)
    else:
        yield path, detail


def _join(path: str, name: str | int) -> str:
    if name == "non_field_errors":
        return path
    if isinstance(name, int):
        return f"{path}[{name}]"
    return f"{path}.{name}" if path else name
