"""What every response carries, what no request may exceed, and how an expired session reaches htmx."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from structlog.contextvars import get_contextvars

from hindsight_site.errors import bad_request, problem

Handler = Callable[[HttpRequest], HttpResponse]

CSP = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# Swagger UI sets style attributes from its script; only its own page may.
DOCS_CSP = CSP.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")


def security_headers(get_response: Handler) -> Handler:
    """Sends the content security policy and the request's id, and keeps answers about people out of caches."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        docs = request.path.startswith("/api/v1/docs")
        response.headers.setdefault("Content-Security-Policy", DOCS_CSP if docs else CSP)
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        response.headers.setdefault("X-Request-ID", str(get_contextvars().get("request_id", ""))[:64])
        if not request.path.startswith(settings.STATIC_URL):
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def body_limit(get_response: Handler) -> Handler:
    """Refuses a request larger than BODY_LIMIT by its declared length, before a byte of it is read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            length = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            return problem(400, "The Content-Length header is not a number.")
        if length > settings.BODY_LIMIT:
            return problem(
                413,
                f"The request has {length} bytes; {settings.BODY_LIMIT} are allowed.",
                hint="Send fewer events in one request.",
            )
        return get_response(request)

    return middleware


def no_nul(get_response: Handler) -> Handler:
    """Refuses a page's form or address with a NUL character: no text has one, and PostgreSQL cannot store it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/"):
            values = [*request.GET.values(), *(request.POST.values() if request.method == "POST" else ())]
            if any("\0" in value for value in values):
                return bad_request(request, ValueError("NUL"))
        return get_response(request)

    return middleware


def htmx_login_redirect(get_response: Handler) -> Handler:
    """Turns a redirect to the login page into a full page load, so that it never lands inside a fragment."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if (
            request.htmx
            and isinstance(response, HttpResponseRedirect)
            and response.url.startswith(resolve_url("login"))
        ):
            return HttpResponse(status=204, headers={"HX-Redirect": response.url})
        return response

    return middleware
