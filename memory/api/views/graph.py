"""GET /users/{user_id}/graph: who and what a user's memories speak of, and how they stand to each other."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.access import query_of, user_of, valid_id
from memory.api.errors import Problem
from memory.api.schema import problems
from memory.api.serializers import GraphQuery
from memory.graph import around
from memory.graph.read import Graph, graph_of
from memory.models.graph import EntityKind


class NodeOut(serializers.Serializer):
    """Somebody or something that active memories name."""

    id = serializers.UUIDField(help_text="The same for as long as memories name it.")
    name = serializers.CharField(help_text="As it was written.")
    kind = serializers.ChoiceField(choices=EntityKind.choices)
    aliases = serializers.ListField(child=serializers.CharField())
    memories = serializers.IntegerField(help_text="How many active memories speak of it.")
    is_user = serializers.BooleanField(source="is_self", help_text="true for the user alone.")


class EdgeOut(serializers.Serializer):
    """Source, predicate, target, as a sentence has them; all memories that say so."""

    source = serializers.UUIDField()
    target = serializers.UUIDField()
    predicate = serializers.CharField(help_text="For instance residence, employer, uses_tool, sister.")
    memory_ids = serializers.ListField(child=serializers.UUIDField(), help_text="Active memories, oldest first.")


class GraphOut(serializers.Serializer):
    nodes = NodeOut(many=True)
    edges = EdgeOut(many=True)
    total = serializers.IntegerField(help_text="Nodes that the question finds, answered or not.")
    limit = serializers.IntegerField()
    fresh = serializers.BooleanField(help_text="false while the latest memories are still being read into it.")


class GraphView(APIView):
    @extend_schema(
        operation_id="get_graph", summary="Who and what a user's memories speak of, and how they are related",
        tags=["users"], parameters=[GraphQuery], responses={200: GraphOut} | problems(400, 404),
    )  # fmt: skip
    def get(self, request: Request, user_id: str) -> Response:
        user_id = valid_id(user_id, "user_id")
        query = query_of(request, GraphQuery)
        user, limit = user_of(request, user_id), query["limit"]
        entity = query.get("entity")
        whole = Graph([], [], 0, [], True) if user is None else graph_of(user, limit=around.EVERY if entity else limit)
        part, total = whole, whole.total_nodes
        if entity is not None:
            node = around.found(whole, entity)
            if node is None:
                raise Problem(404, "This user's memories name no such entity.", field="entity")
            near = around.around(whole, node.id, hops=query.get("hops", 1))
            part, total = around.first(near, limit, always=[node.id]), len(near.nodes)
        answer = {"nodes": part.nodes, "edges": part.edges, "total": total, "limit": limit, "fresh": whole.fresh}
        return Response(GraphOut(answer).data)
