"""Everything under /api/v1."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from memory.api.views.conflicts import ConflictsView
from memory.api.views.difference import DifferenceView
from memory.api.views.events import EventsView
from memory.api.views.graph import GraphView
from memory.api.views.memories import MemoriesBatchView, MemoriesView
from memory.api.views.memory import HistoryView, MemoryView, RecallsView
from memory.api.views.search import SearchAliasView, SearchView
from memory.api.views.sessions import ContextView
from memory.api.views.tool_results import ToolResultsView
from memory.api.views.tool_schemas import ToolSchemasView
from memory.api.views.users import EpisodesView

urlpatterns = [
    path("events", EventsView.as_view(), name="api-events"),
    path("tool-results", ToolResultsView.as_view(), name="api-tool-results"),
    # A run's or a user's id may hold a slash of its own.
    path("sessions/<path:run_id>/context", ContextView.as_view(), name="api-context"),
    path("users/<path:user_id>/episodes", EpisodesView.as_view(), name="api-episodes"),
    path("users/<path:user_id>/difference", DifferenceView.as_view(), name="api-difference"),
    path("users/<path:user_id>/graph", GraphView.as_view(), name="api-graph"),
    path("memories", MemoriesView.as_view(), name="api-memories"),
    path("memories/batch", MemoriesBatchView.as_view(), name="api-memories-batch"),
    path("memories/search", SearchView.as_view(), name="api-search"),
    path("search", SearchAliasView.as_view(), name="api-search-alias"),
    path("memories/<str:memory_id>", MemoryView.as_view(), name="api-memory"),
    path("memories/<str:memory_id>/history", HistoryView.as_view(), name="api-history"),
    path("memories/<str:memory_id>/recalls", RecallsView.as_view(), name="api-recalls"),
    path("conflicts", ConflictsView.as_view(), name="api-conflicts"),
    path("tool-schemas/normalise", ToolSchemasView.as_view(), name="api-tool-schemas"),
    path("schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
]
