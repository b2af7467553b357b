"""POST /tool-schemas/normalise: tool definitions in the form a provider takes. Stores nothing."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import body_of
from memory.api.errors import Problem, hinted
from memory.api.fields import Fields, Object, Word
from memory.api.schema import problems
from memory.api.tool_parser import ToolsJSONParser
from memory.mcp import schemas
from memory.mcp.providers import PROVIDERS
from memory.mcp.schema_flat import Change
from memory.mcp.schema_reasons import CHANGES, REFUSALS
from memory.models import AgentKey


class Tools(serializers.ListField):
    """MCP tool definitions as they came: what is wrong with one is said in its own result."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise hinted("This must be a list.", 'Send the "tools" of an MCP tools/list answer.')
        return data


class ToolSchemasIn(Fields):
    provider = Word(
        choices=tuple(PROVIDERS), help_text="strict is OpenAI's strict mode; plain is for an unknown server."
    )
    tools = Tools(child=Object(), help_text="MCP tool definitions: name, description, inputSchema.")


class ToolChangeOut(serializers.Serializer):
    reason_code = serializers.CharField()
    reason = serializers.CharField(help_text="In the language of Accept-Language.")
    pointer = serializers.CharField(help_text="JSON pointer into the tool's definition.")
    detail = serializers.CharField(help_text="What was found there; may be empty.")


class ToolSchemaOut(serializers.Serializer):
    index = serializers.IntegerField(help_text="Place in the request's list, from 0.")
    original_name = serializers.CharField()
    status = serializers.ChoiceField(choices=["unchanged", "changed", "refused"])
    name = serializers.CharField(help_text="What to send; empty when refused.")
    description = serializers.CharField()
    schema = Object(allow_null=True, help_text="What to send as the tool's parameters; null when refused.")
    changes = ToolChangeOut(many=True)
    refusal = ToolChangeOut(allow_null=True)


class ToolSchemasOut(serializers.Serializer):
    provider = serializers.CharField()
    results = ToolSchemaOut(many=True)


class ToolSchemasView(APIView):
    scope = AgentKey.READ
    parser_classes = [ToolsJSONParser]

    @extend_schema(
        operation_id="normalise_tool_schemas", summary="Tool definitions in the form a provider takes", tags=["tools"],
        request=ToolSchemasIn, responses={200: ToolSchemasOut} | problems(400, 413),
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        tools = request.data.get("tools")
        if isinstance(tools, list) and len(tools) > schemas.TOOLS:
            raise Problem(
                413, f"tools has {len(tools)} entries; {schemas.TOOLS} are allowed.", field="tools",
                hint="Send them in several requests.",
            )  # fmt: skip
        body = body_of(request, ToolSchemasIn)
        done = schemas.normalise(body["tools"], provider=body["provider"])
        return Response({"provider": body["provider"], "results": [_shown(one) for one in done]})


def _shown(one: schemas.Normalised) -> dict[str, Any]:
    status = "refused" if one.refusal else "changed" if one.changes else "unchanged"
    return {
        "index": one.index, "original_name": one.original_name, "status": status, "name": one.name,
        "description": one.description, "schema": one.schema,
        "changes": [_said(change, CHANGES) for change in one.changes],
        "refusal": _said(one.refusal, REFUSALS) if one.refusal else None,
    }  # fmt: skip


def _said(change: Change, sentences: dict[str, Any]) -> dict[str, str]:
    return {
        "reason_code": change.reason, "reason": str(sentences[change.reason]), "pointer": change.pointer,
        "detail": change.detail,
    }  # fmt: skip
