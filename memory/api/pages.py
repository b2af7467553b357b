"""One page of a list: {items, total, limit, offset}."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from rest_framework.response import Response
from rest_framework.serializers import Serializer


def page(
    rows: QuerySet, query: dict[str, Any], shape: type[Serializer], made: Callable[[Any], Any] | None = None
) -> Response:
    """The rows from `offset` on, `limit` at most, in an order that the caller has made total; with `made`, what it
    makes of each."""
    limit, offset = query["limit"], query["offset"]
    shown = rows[offset : offset + limit]
    items = shape([made(row) for row in shown] if made else shown, many=True).data
    return Response({"items": items, "total": rows.count(), "limit": limit, "offset": offset})
