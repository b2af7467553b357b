"""One page of a list: {items, total, limit, offset}."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.response import Response
from rest_framework.serializers import Serializer


def page(rows: QuerySet, query: dict[str, Any], shape: type[Serializer]) -> Response:
    """The rows from `offset` on, `limit` at most, in an order that the caller has made total."""
    limit, offset = query["limit"], query["offset"]
    items = shape(rows[offset : offset + limit], many=True).data
    return Response({"items": items, "total": rows.count(), "limit": limit, "offset": offset})
