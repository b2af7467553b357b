"""Error answers of the whole site: problem+json for machines, a page for people."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string


def problem(status: int, detail: str, *, hint: str = "", field: str = "", **extra: Any) -> JsonResponse:
    """An RFC 9457 answer: `title` and `status`, a sentence in `detail`, and where it helps a `field` and a `hint`."""
    body = {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail, **extra}
    if field:
        body["field"] = field
    if hint:
        body["hint"] = hint
    return JsonResponse(body, status=status, content_type="application/problem+json")


TITLES = {
    400: "Bad request", 401: "Not authenticated", 403: "Not allowed", 404: "Not found", 405: "Method not allowed",
    406: "Not acceptable", 409: "Conflict", 413: "Request too large", 415: "Unsupported media type",
    422: "Cannot be processed", 429: "Too many requests", 500: "Internal error", 503: "Unavailable",
}  # fmt: skip


def _answer(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem(status, detail)
    return render(request, f"{status}.html", status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, "The request could not be read.")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, "This is not allowed for you.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, "There is nothing here.")


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith("/api/"):
        return problem(500, "Something broke. It has been logged under this request's id.")
    # without the request's context: what it would ask of the database may be what broke
    return HttpResponse(render_to_string("500.html"), status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The token changes at sign-in, so a tab opened before it fails once: reload it instead of showing an error."""
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return render(request, "403.html", {"csrf": True}, status=403)
