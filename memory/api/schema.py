"""What the schema needs to be told beyond the views: how keys are sent, and what an error looks like."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiResponse

from memory.api.answers import ProblemOut

_MEANINGS = {
    400: "A field is missing, unknown or wrong; nothing was stored.",
    404: "There is none that this key may read.",
    409: "It changed meanwhile, or a rule forbids it, or the first request is still under way.",
    413: "Too many entries or bytes.",
    422: "The Idempotency-Key was used with another request.",
}


def problems(*statuses: int) -> dict:
    """The error answers of an operation, beside those that every operation has."""
    always = {401: "The key is missing, unknown, revoked or has expired.", 403: "The key lacks the scope."}
    meanings = always | {status: _MEANINGS[status] for status in statuses}
    return {
        (status, "application/problem+json"): OpenApiResponse(ProblemOut, description=meaning)
        for status, meaning in sorted(meanings.items())
    }


class KeyScheme(OpenApiAuthenticationExtension):
    target_class = "memory.api.keys.AgentKeyAuthentication"
    name = ["bearer", "apiKey"]

    def get_security_definition(self, auto_schema) -> list[dict]:
        return [
            {"type": "http", "scheme": "bearer", "description": "hc_…, made by manage.py agent_key"},
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        ]
